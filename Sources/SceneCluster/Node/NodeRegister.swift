/// The nodes that the cluster's metadata names, and where clients reach them, as one node reads
/// them.
///
/// Any client of NATS that may publish to the subject of beats can send one. So a beat counts only
/// if its sender's number is registered, and never tells where clients are sent: that is what each
/// node has written to the metadata. A stranger's beat costs at most one question a second.
public struct NodeRegister: Sendable {
    /// A question to the engine, or what is written to it.
    public enum Step: Hashable, Sendable {
        /// Reads whether a number is registered.
        case registration(NodeID)
        /// Reads where clients reach a node.
        case address(NodeID)
        /// Reads where clients reach the node itself, as it stands there.
        case own
        /// Writes that.
        case write
    }

    private struct Entry {
        var life: UInt64
        var address = ""
        /// How often it was asked for since the life began.
        var asked = 0
        /// When it is asked for next; `nil` for never.
        var askAt: MonotonicInstant?
        var askedAt: MonotonicInstant
        var isAsking = false
    }

    /// When the address of a life is asked for: it may write it a moment after its first beat.
    private static let delays: [Duration] = [.seconds(1), .seconds(10)]
    /// The shortest time between two questions that were answered with nothing.
    private static let pause = Duration.seconds(1)

    private let identity: NodeID
    private let address: String
    private let subjects: ClusterSubjects
    /// The highest number that is known to be registered. Numbers are given out in order, and
    /// never again, so all below are too.
    private var highest: UInt16
    private var isAsking = false
    private var askAt: MonotonicInstant
    private var entries: [NodeID: Entry] = [:]
    private var isWritten: Bool
    private var isWriting = false
    private var writeAt: MonotonicInstant

    /// Makes the register of a node that has registered.
    ///
    /// - Parameter address: Where clients reach it; empty for nowhere.
    public init(
        _ identity: NodeID, address: String, subjects: ClusterSubjects, at now: MonotonicInstant
    ) {
        self.identity = identity
        self.address = address
        self.subjects = subjects
        highest = identity.rawValue
        askAt = now
        isWritten = address.isEmpty
        writeAt = now
    }

    /// Whether a node is known to be registered.
    public func has(_ node: NodeID) -> Bool { 1...max(highest, 1) ~= node.rawValue }

    /// Where clients reach a node, as the metadata has it; empty if unknown.
    public func address(of node: NodeID) -> String {
        node == identity ? address : entries[node]?.address ?? ""
    }

    // MARK: What happens

    /// A beat came.
    ///
    /// - Returns: Whether it counts.
    public mutating func hears(_ sender: NodeLife, at now: MonotonicInstant) -> Bool {
        guard has(sender.node) else {
            isToAsk = true
            return false
        }
        if sender.node != identity, entries[sender.node]?.life != sender.life {
            let before = entries[sender.node]
            // Beats of many lives do not have the engine asked for each.
            let askAt = max(now, before?.askedAt.advanced(by: Self.pause) ?? now)
            entries[sender.node] = Entry(
                life: sender.life, address: before?.address ?? "", askAt: askAt,
                askedAt: before?.askedAt ?? now, isAsking: before?.isAsking ?? false)
        }
        return true
    }

    /// Whether a beat of a stranger waits for the next number to be looked up.
    private var isToAsk = false

    /// What is to be asked or written now.
    public mutating func takeSteps(at now: MonotonicInstant) -> [Step] {
        var steps: [Step] = []
        if isToAsk, !isAsking, now >= askAt, highest < .max {
            isAsking = true
            isToAsk = false
            steps.append(.registration(NodeID(highest + 1)))
        }
        for (node, entry) in entries {
            guard let askAt = entry.askAt, !entry.isAsking, now >= askAt else { continue }
            entries[node]?.isAsking = true
            entries[node]?.askedAt = now
            steps.append(.address(node))
        }
        if !isWritten, !isWriting, now >= writeAt {
            isWriting = true
            steps.append(.own)
        }
        return steps
    }

    /// The request of a step.
    ///
    /// - Parameter expectedLast: For `write`, the sequence number of what stands there.
    public func request(_ step: Step, expectedLast: UInt64 = 0) -> EngineRequest {
        switch step {
        case .registration(let node):
            .last(subject: subjects.registration(of: node), source: .anyReplica)
        case .address(let node): .last(subject: subjects.address(of: node), source: .anyReplica)
        case .own: .last(subject: subjects.address(of: identity), source: .leader)
        case .write:
            .publish(
                subject: subjects.address(of: identity), bytes: Array(address.utf8),
                expectedLast: expectedLast)
        }
    }

    /// The engine replied.
    ///
    /// - Returns: The sequence number that `write` has to expect, if the address is to be written.
    public mutating func take(
        _ reply: EngineReply, to step: Step, at now: MonotonicInstant
    ) -> UInt64? {
        switch step {
        case .registration(let node):
            isAsking = false
            if case .messages(let found, _) = reply, !found.isEmpty {
                highest = max(highest, node.rawValue)
                // A later number may be the stranger's.
                isToAsk = true
            } else {
                askAt = now.advanced(by: Self.pause)
            }
        case .address(let node):
            guard var entry = entries[node] else { break }
            if case .messages(let found, _) = reply, let last = found.last {
                entry.address = Self.address(in: last.bytes) ?? entry.address
            }
            entry.isAsking = false
            // One that is not there is looked for again, for as long as the node beats.
            entry.askAt =
                entry.asked < Self.delays.count
                ? now.advanced(by: Self.delays[entry.asked])
                : entry.address.isEmpty ? now.advanced(by: .seconds(10)) : nil
            entry.asked += 1
            entries[node] = entry
        case .own:
            guard case .messages(let found, _) = reply else {
                isWriting = false
                writeAt = now.advanced(by: Self.pause)
                break
            }
            isWritten = found.last.map { $0.bytes == Array(address.utf8) } ?? false
            guard isWritten else { return found.last?.sequence ?? 0 }
            isWriting = false
        case .write:
            isWriting = false
            if case .kept = reply { isWritten = true }
            writeAt = now.advanced(by: Self.pause)
        }
        return nil
    }

    /// The connection was given up, and with it the questions under way.
    public mutating func forgetQuestions(at now: MonotonicInstant) {
        (isAsking, isWriting) = (false, false)
        askAt = now.advanced(by: Self.pause)
        writeAt = askAt
        for node in entries.keys { entries[node]?.isAsking = false }
    }

    /// The address in a message of the metadata; `nil` if it is none.
    public static func address(in bytes: [UInt8]) -> String? {
        guard bytes.count <= Beat.addressBytesMaximum else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
