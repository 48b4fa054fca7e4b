import SceneProtocol
import SceneSession
import WebSocketTransport

/// The limits of a server. A reload changes them while it runs, for connections and rooms that come from then on.
public struct ServerLimits: Sendable, Equatable {
    /// Bytes of one message, at most the protocol's standard.
    public var messageBytes = Limits.standard.messageBytesMaximum
    /// Ops of one message, those of animations included.
    public var opsPerMessage = Limits.standard.opMaximum
    /// Bytes of one text.
    public var textBytes = Limits.standard.textBytesMaximum
    /// Views of a scene.
    public var views = Limits.standard.viewMaximum
    /// Constraints of a scene.
    public var constraints = Limits.standard.constraintMaximum
    /// `ops` messages of one client in a second on average; twice as many may come at once. 0 for no limit.
    public var messagesPerSecond = 1_000
    /// Ops of one client in a second on average; as many as a message may have may come at once. 0 for no limit.
    public var opsPerSecond = 20_000
    /// Events of one client in a second on average; twice as many may come at once. 0 for no limit.
    public var eventsPerSecond = EventLimits().perSecond
    /// Messages of any other kind of one client in a second. 0 for no limit.
    public var otherMessagesPerSecond = 1_000
    /// WebSocket connections at one time.
    public var connections = 10_000
    /// Units of work of one op of a room; see `WorkBudget`, also for the three that follow.
    public var workPerOp = Int(clamping: WorkBudget.standard.op)
    /// Units of work of one message.
    public var workPerMessage = Int(clamping: WorkBudget.standard.message)
    /// Units of work of the messages of one tick.
    public var workPerTick = Int(clamping: WorkBudget.standard.tick)
    /// Units of work of a room in a second on average.
    public var workPerSecond = Int(clamping: WorkBudget.standard.second)
    /// MiB of memory that the process may take, by its own account; 0 for three quarters of what the machine or the control
    /// group has.
    public var memoryMebibytes = 0
    /// MiB of memory that one room may take; see `MemoryBudget`.
    public var memoryPerRoomMebibytes = MemoryBudget.standard.room >> 20
    /// MiB of memory that is kept for one member alone.
    public var memoryPerMemberMebibytes = MemoryBudget.standard.member >> 20
    /// Bytes of all messages of one client in a second on average; twice as many may come at once. 0 for no limit.
    public var bytesPerSecond = 8 << 20
    /// WebSocket connections of one address at one time; 0 for no limit. One address is one network, perhaps, but no
    /// thousand people.
    public var connectionsPerAddress = 1_000
    /// The same of this machine's own addresses.
    public var connectionsOfThisMachine = 0
    /// Opening handshakes of one address in a second on average; five times as many may come at once. 0 for no limit.
    public var handshakesPerAddress = 200
    /// The same of this machine's own addresses.
    public var handshakesOfThisMachine = 0
    /// Members of one room at one time.
    public var membersPerRoom = 10_000
    /// Rooms at one time: with members, or in memory still.
    public var rooms = 1_000
    /// Rooms that are made or read because of one address, in a minute on average; those of five seconds may come at once.
    /// 0 for no limit.
    public var roomsPerMinute = 600
    /// The same of this machine's own addresses.
    public var roomsPerMinuteOfThisMachine = 0
    /// Seconds in which a new connection has to say hello.
    public var helloSeconds = 10
    /// Seconds of silence after which a member's connection is closed; 0 for never, since a member that watches a scene at
    /// rest has nothing to send, and pings find connections that are dead.
    public var idleSeconds = 0
    /// Seconds for which a member that an administrator removed may not come back into the room; 0 for none.
    public var banSeconds = 600
    /// Bytes that may wait for one connection.
    public var outboxBytes = 4 << 20

    /// Makes the standard limits.
    public init() {}

    /// The bytes of a message before its sender is admitted; all messages together that come until it is may have twice as
    /// many. Room for a token of some kilobytes, but not for filling the memory.
    static let firstMessageBytes = 16 << 10

    /// The limits of each address.
    var eachAddress: AddressLimits {
        AddressLimits(
            connections: connectionsPerAddress, handshakesPerSecond: handshakesPerAddress)
    }

    /// How many rooms an address may open in a minute.
    func roomsPerMinute(of address: AddressGroup) -> Int {
        address.isThisMachine ? roomsPerMinuteOfThisMachine : roomsPerMinute
    }

    /// The limits of each of this machine's addresses.
    var thisMachine: AddressLimits {
        AddressLimits(
            connections: connectionsOfThisMachine, handshakesPerSecond: handshakesOfThisMachine)
    }

    /// What a room may cost.
    var work: WorkBudget {
        WorkBudget(
            op: UInt64(clamping: workPerOp), message: UInt64(clamping: workPerMessage),
            tick: UInt64(clamping: workPerTick), second: UInt64(clamping: workPerSecond))
    }

    /// What memory a room may take.
    var memory: MemoryBudget {
        MemoryBudget(
            room: memoryPerRoomMebibytes << 20, member: memoryPerMemberMebibytes << 20)
    }

    /// What a room takes of events.
    var events: EventLimits {
        var events = EventLimits()
        events.perSecond = eventsPerSecond == 0 ? .max : eventsPerSecond
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

    /// From what a small room takes to what JSON can say to the unit.
    private static let workRange = 100_000...(1 << 53)

    /// The first limit that is out of its range, as a sentence for people; `nil` where all are within.
    var complaint: String? {
        let ranges: [(name: String, value: Int, range: ClosedRange<Int>)] = [
            ("message bytes", messageBytes, 1024...Limits.standard.messageBytesMaximum),
            ("ops per message", opsPerMessage, 1...Limits.standard.opMaximum),
            ("text bytes", textBytes, 1...Limits.standard.textBytesMaximum),
            ("views", views, 1...Limits.standard.viewMaximum),
            ("constraints", constraints, 1...Limits.standard.constraintMaximum),
            ("messages per second", messagesPerSecond, 0...1_000_000),
            ("ops per second", opsPerSecond, 0...10_000_000),
            ("events per second", eventsPerSecond, 0...1_000_000),
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
