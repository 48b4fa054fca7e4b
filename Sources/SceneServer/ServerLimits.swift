import SceneDocument
import SceneSession
import SceneWire
import WebSocketTransport

/// The limits of a server. A reload changes them while it runs, for later connections and rooms.
public struct ServerLimits: Sendable, Equatable {
    /// Bytes of one message; at most the protocol's standard.
    public var messageBytes = Limits.standard.messageBytesMaximum
    /// Ops of one message, including those of animations.
    public var opsPerMessage = Limits.standard.opMaximum
    /// Bytes of one text.
    public var textBytes = Limits.standard.textBytesMaximum
    /// Views of a scene.
    public var views = Limits.standard.viewMaximum
    /// Constraints of a scene.
    public var constraints = Limits.standard.constraintMaximum
    /// Seconds of an animation, and of its delay; at most the protocol's standard.
    public var animationSeconds = Int(Limits.secondsMaximum)
    /// Animations under way in a room, for each view that its scene may have.
    let animationsPerView = 4
    /// `ops` messages of one client in a second on average, with bursts of twice as many. 0 for no
    /// limit.
    public var messagesPerSecond = 1_000
    /// Ops of one client in a second on average, with bursts of as many as one message may have. 0
    /// for no limit.
    public var opsPerSecond = 20_000
    /// Events of one client in a second on average, with bursts of twice as many. 0 for no limit.
    public var eventsPerSecond = EventLimits().perSecond
    /// Bytes of the copies of one client's messages to everyone in a second on average, with bursts
    /// of as many. 0 for no limit.
    public var copiedBytesPerSecond = EventLimits().copiedBytesPerSecond
    /// Messages of any other kind of one client in a second. 0 for no limit.
    public var otherMessagesPerSecond = 1_000
    /// Simultaneous WebSocket connections.
    public var connections = 10_000
    /// Units of work of one op of a room; see `WorkBudget` for this and the following three.
    public var workPerOp = Int(clamping: WorkBudget.standard.op)
    /// Units of work of one message.
    public var workPerMessage = Int(clamping: WorkBudget.standard.message)
    /// Units of work of the messages of one tick.
    public var workPerTick = Int(clamping: WorkBudget.standard.tick)
    /// Units of work of a room in a second on average.
    public var workPerSecond = Int(clamping: WorkBudget.standard.second)
    /// MiB of memory for the process, by its own estimate; 0 for three quarters of the memory of
    /// the machine or the control group.
    public var memoryMebibytes = 0
    /// MiB of memory for one room; see `MemoryBudget`.
    public var memoryPerRoomMebibytes = MemoryBudget.standard.room >> 20
    /// MiB of memory for one member.
    public var memoryPerMemberMebibytes = MemoryBudget.standard.member >> 20
    /// Bytes of all messages of one client in a second on average, with bursts of twice as many. 0
    /// for no limit.
    public var bytesPerSecond = 8 << 20
    /// Simultaneous WebSocket connections of one address; 0 for no limit. An address may be shared
    /// by a network.
    public var connectionsPerAddress = 1_000
    /// The same for this machine's own addresses.
    public var connectionsOfThisMachine = 0
    /// Opening handshakes of one address in a second on average, with bursts of five times as many.
    /// 0 for no limit.
    public var handshakesPerAddress = 200
    /// The same for this machine's own addresses.
    public var handshakesOfThisMachine = 0
    /// Simultaneous members of one room.
    public var membersPerRoom = 10_000
    /// Rooms that exist at one time: with members, or in memory.
    public var rooms = 1_000
    /// The part of these that one person has opened, by the subject of its token, or else by its
    /// address; 0 for no limit.
    public var roomsPerPerson = 250
    /// The same for this machine's own addresses, without a subject.
    public var roomsPerPersonOfThisMachine = 0
    /// Rooms created or loaded for one address in a minute on average, with bursts of five seconds'
    /// worth. 0 for no limit.
    public var roomsPerMinute = 600
    /// The same for this machine's own addresses.
    public var roomsPerMinuteOfThisMachine = 0
    /// Seconds within which a new connection must send its hello.
    public var helloSeconds = 10
    /// Seconds of silence after which a member's connection is closed; 0 for never, since a member
    /// that watches an idle scene has nothing to send, and pings detect dead connections.
    public var idleSeconds = 0
    /// Seconds for which a removed member is banned from the room; 0 for none.
    public var banSeconds = 600
    /// Bytes that may be queued for one connection.
    public var outboxBytes = 4 << 20

    /// Makes the standard limits.
    public init() {}

    /// Bytes of one message before its sender is admitted; all messages before admission together
    /// may have twice as many. Enough for a token of several kilobytes, but not for filling the
    /// memory.
    static let firstMessageBytes = 16 << 10

    /// Bytes of an exported room that an administrator may import.
    static let exportedRoomBytes = 64 << 20

    /// The limits of each address.
    var eachAddress: AddressLimits {
        AddressLimits(
            connections: connectionsPerAddress, handshakesPerSecond: handshakesPerAddress)
    }

    /// The number of rooms that an address may open in a minute.
    func roomsPerMinute(of address: AddressGroup) -> Int {
        address.isThisMachine ? roomsPerMinuteOfThisMachine : roomsPerMinute
    }

    /// The number of rooms that a person may have opened.
    func roomsPerPerson(at address: AddressGroup?, subject: String) -> Int {
        let isHere = subject.isEmpty && address?.isThisMachine ?? false
        return isHere ? roomsPerPersonOfThisMachine : roomsPerPerson
    }

    /// The limits of each of this machine's addresses.
    var thisMachine: AddressLimits {
        AddressLimits(
            connections: connectionsOfThisMachine, handshakesPerSecond: handshakesOfThisMachine)
    }

    /// The budget of work of a room.
    var work: WorkBudget {
        WorkBudget(
            op: UInt64(clamping: workPerOp), message: UInt64(clamping: workPerMessage),
            tick: UInt64(clamping: workPerTick), second: UInt64(clamping: workPerSecond))
    }

    /// The budget of memory of a room.
    var memory: MemoryBudget {
        MemoryBudget(
            room: memoryPerRoomMebibytes << 20, member: memoryPerMemberMebibytes << 20)
    }

    /// The limits of events in a room.
    var events: EventLimits {
        var events = EventLimits()
        events.perSecond = eventsPerSecond == 0 ? .max : eventsPerSecond
        events.copiedBytesPerSecond = copiedBytesPerSecond == 0 ? .max : copiedBytesPerSecond
        return events
    }

    /// The limits that `welcome` announces.
    var granted: GrantedLimits {
        var granted = GrantedLimits()
        granted.messageBytes = UInt32(clamping: messageBytes)
        granted.views = UInt32(clamping: views)
        granted.constraints = UInt32(clamping: constraints)
        granted.ops = UInt32(clamping: opsPerMessage)
        granted.textBytes = UInt32(clamping: textBytes)
        granted.messagesPerSecond = UInt32(clamping: messagesPerSecond)
        return granted
    }

    /// From the work of a small room to the largest integer that JSON represents exactly.
    private static let workRange = 100_000...(1 << 53)

    /// The first limit out of range, as a sentence; `nil` if all are valid.
    var complaint: String? {
        let ranges: [(name: String, value: Int, range: ClosedRange<Int>)] = [
            ("message bytes", messageBytes, 1024...Limits.standard.messageBytesMaximum),
            ("ops per message", opsPerMessage, 1...Limits.standard.opMaximum),
            ("text bytes", textBytes, 1...Limits.standard.textBytesMaximum),
            ("views", views, 1...Limits.standard.viewMaximum),
            ("constraints", constraints, 1...Limits.standard.constraintMaximum),
            ("animation seconds", animationSeconds, 1...Int(Limits.secondsMaximum)),
            ("messages per second", messagesPerSecond, 0...1_000_000),
            ("ops per second", opsPerSecond, 0...10_000_000),
            ("events per second", eventsPerSecond, 0...1_000_000),
            ("copied bytes per second", copiedBytesPerSecond, 0...(1 << 30)),
            ("other messages per second", otherMessagesPerSecond, 0...1_000_000),
            ("work per op", workPerOp, Self.workRange),
            ("work per message", workPerMessage, Self.workRange),
            ("work per tick", workPerTick, Self.workRange),
            ("work per second", workPerSecond, Self.workRange),
            ("MiB of memory", memoryMebibytes, 0...(1 << 24)),
            ("MiB of memory per room", memoryPerRoomMebibytes, 1...(1 << 24)),
            ("MiB of memory per member", memoryPerMemberMebibytes, 1...(1 << 24)),
            ("bytes per second", bytesPerSecond, 0...(1 << 30)),
            ("connections", connections, 1...1_000_000),
            ("connections per address", connectionsPerAddress, 0...1_000_000),
            ("connections of this machine", connectionsOfThisMachine, 0...1_000_000),
            ("handshakes per address", handshakesPerAddress, 0...1_000_000),
            ("handshakes of this machine", handshakesOfThisMachine, 0...1_000_000),
            ("members per room", membersPerRoom, 1...1_000_000),
            ("rooms", rooms, 1...1_000_000),
            ("rooms per person", roomsPerPerson, 0...1_000_000),
            ("rooms per person of this machine", roomsPerPersonOfThisMachine, 0...1_000_000),
            ("rooms per minute", roomsPerMinute, 0...1_000_000),
            ("rooms per minute of this machine", roomsPerMinuteOfThisMachine, 0...1_000_000),
            ("hello seconds", helloSeconds, 1...3600),
            ("idle seconds", idleSeconds, 0...604_800),
            ("ban seconds", banSeconds, 0...31_536_000),
            ("outbox bytes", outboxBytes, 65_536...(1 << 30)),
        ]
        return ranges.first { !$0.range.contains($0.value) }.map {
            "the limit of \($0.name) is \($0.value), expected \($0.range.lowerBound) to \($0.range.upperBound)"
        }
    }
}
