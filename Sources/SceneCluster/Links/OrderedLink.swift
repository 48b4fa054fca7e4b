/// One end of a connection between two nodes over messages that may be lost, doubled or reordered:
/// whole messages come out at the other end once each, in order. A state machine without I/O or
/// clock.
///
/// Messages are cut into numbered pieces. The other end acknowledges cumulatively; what is not
/// acknowledged in time is sent again from the first piece on (go-back-N), which is enough where
/// losses are rare.
public struct OrderedLink: Sendable {
    /// A piece of a message, or nothing but the acknowledgement that every frame carries.
    public enum Piece: Equatable, Sendable {
        case none
        case data(number: UInt64, isLast: Bool, bytes: [UInt8])
    }

    /// A unit of transmission.
    public struct Frame: Equatable, Sendable {
        /// The number of the next piece that the sender of the frame expects; all before it have
        /// come.
        public var acknowledged: UInt64
        /// Its content.
        public var piece: Piece

        /// Makes a frame.
        public init(acknowledged: UInt64, piece: Piece) {
            self.acknowledged = acknowledged
            self.piece = piece
        }
    }

    /// Why a link is of no use any more.
    public enum Failure: Equatable, Sendable {
        /// More waits for the other end than may.
        case overfull(bytes: Int)
        /// Nothing was acknowledged for `silence`.
        case silent
        /// A message is longer than any that an end sends.
        case tooLong
    }

    /// The longest piece in bytes; less than the engine takes as one message.
    public static let pieceBytesMaximum = 256 << 10
    /// Bytes that may be on their way at one time.
    public static let windowBytes = 4 << 20
    /// Bytes that may wait for the other end.
    public static let waitingBytesMaximum = 32 << 20
    /// The longest message in bytes.
    public static let messageBytesMaximum = 64 << 20
    /// After so long without any acknowledgement of what was sent a link has failed.
    public static let silence = Duration.seconds(10)
    /// Delayed acknowledgement: sent after `acknowledgementDelay`, or after `acknowledgementCount`
    /// pieces.
    public static let acknowledgementDelay = Duration.milliseconds(20)
    private static let acknowledgementCount = 16
    /// Retransmission timeout; doubled at each retransmission, up to the greatest.
    private static let firstPatience = Duration.milliseconds(200)
    private static let greatestPatience = Duration.seconds(2)

    private struct Sent {
        var number: UInt64
        var isLast: Bool
        var bytes: [UInt8]
        var at: MonotonicInstant?
    }

    private var outgoing: ArraySlice<Sent> = []
    private var nextNumber: UInt64 = 1
    /// How many of `outgoing` are on their way.
    private var underWay = 0
    private var bytesUnderWay = 0
    private var patience = firstPatience
    /// When the other end last acknowledged something, or began to owe that.
    private var heardAt: MonotonicInstant?
    private var expected: UInt64 = 1
    private var partial: [UInt8] = []
    private var owedSince: MonotonicInstant?
    private var owedCount = 0
    /// Bytes that the other end has not acknowledged.
    public private(set) var waitingBytes = 0
    /// Bytes of a message of which not all pieces have come.
    public var partialBytes: Int { partial.count }
    /// Why the link is of no use any more; `nil` while it is.
    public private(set) var failure: Failure?

    /// Makes one end of a link over which nothing was sent yet.
    public init() {}

    /// Whether nothing is on its way and nothing owed: time means nothing to the link then.
    public var isIdle: Bool { outgoing.isEmpty && owedSince == nil }

    // MARK: Sending

    /// Queues a message.
    ///
    /// - Complexity: O(bytes).
    public mutating func send(_ message: [UInt8]) {
        guard failure == nil else { return }
        guard waitingBytes + message.count <= Self.waitingBytesMaximum else {
            failure = .overfull(bytes: waitingBytes + message.count)
            return
        }
        waitingBytes += message.count
        var start = 0
        repeat {
            let end = min(start + Self.pieceBytesMaximum, message.count)
            let isWhole = start == 0 && end == message.count
            outgoing.append(
                Sent(
                    number: nextNumber, isLast: end == message.count,
                    bytes: isWhole ? message : Array(message[start..<end])))
            nextNumber += 1
            start = end
        } while start < message.count
    }

    /// The frames that are to be sent now.
    ///
    /// - Complexity: O(bytes sent).
    public mutating func takeFrames(at now: MonotonicInstant) -> [Frame] {
        guard failure == nil else { return [] }
        if underWay > 0, let sentAt = outgoing.first?.at {
            if let heardAt, now.elapsed(since: heardAt) >= Self.silence {
                failure = .silent
                return []
            }
            if now.elapsed(since: sentAt) >= patience {
                underWay = 0
                bytesUnderWay = 0
                patience = min(patience * 2, Self.greatestPatience)
            }
        }
        var frames: [Frame] = []
        while underWay < outgoing.count, bytesUnderWay < Self.windowBytes {
            let index = outgoing.startIndex + underWay
            if heardAt == nil { heardAt = now }
            outgoing[index].at = now
            let sent = outgoing[index]
            frames.append(
                Frame(
                    acknowledged: expected,
                    piece: .data(number: sent.number, isLast: sent.isLast, bytes: sent.bytes)))
            underWay += 1
            bytesUnderWay += sent.bytes.count
        }
        if frames.isEmpty, let owedSince,
            owedCount >= Self.acknowledgementCount
                || now.elapsed(since: owedSince) >= Self.acknowledgementDelay
        {
            frames.append(Frame(acknowledged: expected, piece: .none))
        }
        if !frames.isEmpty {
            owedSince = nil
            owedCount = 0
        }
        return frames
    }

    // MARK: Receiving

    /// Takes a frame of the other end.
    ///
    /// - Returns: The messages that are whole by it, in order.
    /// - Complexity: O(bytes), and O(pieces) for what it acknowledges.
    public mutating func receive(_ frame: Frame, at now: MonotonicInstant) -> [[UInt8]] {
        guard failure == nil else { return [] }
        acknowledge(before: frame.acknowledged, at: now)
        guard case .data(let number, let isLast, let bytes) = frame.piece else { return [] }
        if owedSince == nil { owedSince = now }
        owedCount += 1
        guard number == expected else {
            // Doubled, or one before it is missing: either way the other end is to hear at once
            // what is expected.
            owedCount = Self.acknowledgementCount
            return []
        }
        expected += 1
        guard !partial.isEmpty || !isLast else { return [bytes] }
        guard partial.count + bytes.count <= Self.messageBytesMaximum else {
            failure = .tooLong
            return []
        }
        partial += bytes
        guard isLast else { return [] }
        defer { partial = [] }
        return [partial]
    }

    private mutating func acknowledge(before number: UInt64, at now: MonotonicInstant) {
        var count = 0
        while let first = outgoing.first, first.number < number, count < underWay {
            outgoing.removeFirst()
            waitingBytes -= first.bytes.count
            bytesUnderWay -= first.bytes.count
            count += 1
        }
        guard count > 0 else { return }
        underWay -= count
        patience = Self.firstPatience
        heardAt = underWay > 0 ? now : nil
        if outgoing.isEmpty { outgoing = [] }
    }
}
