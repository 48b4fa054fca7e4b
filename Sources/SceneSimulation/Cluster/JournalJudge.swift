import SceneCluster

/// Reads a shard's journal as its chain says, apart from `ShardChain`: the first record with the
/// next number that names its predecessor is the next.
struct JournalJudge {
    /// An op of the chain.
    struct Kept {
        var op: SimulatedOp
        var time: Int
    }

    /// The ops of each room in order.
    private(set) var kept: [String: [Kept]] = [:]
    /// How many messages are part of no chain.
    private(set) var skipped = 0
    private(set) var faults: [String] = []
    private(set) var last = RecordChecksum.none

    init(_ messages: [SimulatedEngine.Stored], scope: RecordScope) {
        var number: UInt64 = 0
        var epoch: UInt64 = 0
        var owner: NodeLife?
        for message in messages {
            guard
                let (record, checksum) = try? ChainRecord.decode(message.bytes, scope: scope)
            else {
                faults.append("message \(message.sequence) is no record")
                return
            }
            guard record.number == number + 1, record.previous == last else {
                skipped += 1
                if record.number > number {
                    faults.append(
                        "record \(record.number) at \(message.sequence) does not follow \(number)")
                }
                continue
            }
            number = record.number
            last = checksum
            switch record.content {
            case .seal:
                if record.epoch != epoch + 1 {
                    faults.append("a seal of epoch \(record.epoch) follows epoch \(epoch)")
                }
                (epoch, owner) = (record.epoch, record.author)
            case .handOver(let receiver, _):
                check(record, epoch, owner)
                (epoch, owner) = (epoch + 1, receiver)
            case .group(let entries):
                check(record, epoch, owner)
                for entry in entries {
                    guard let op = SimulatedOp(entry.bytes) else {
                        faults.append("record \(number) has an entry that is no op")
                        continue
                    }
                    kept[entry.room, default: []].append(Kept(op: op, time: message.time))
                }
            }
        }
    }

    private mutating func check(_ record: ChainRecord, _ epoch: UInt64, _ owner: NodeLife?) {
        if record.epoch != epoch || record.author != owner {
            faults.append("record \(record.number) is of another epoch or node than its place")
        }
    }

    /// The states that a room went through, by its count of ops.
    func states(of room: String) -> [RoomState] {
        var state = SimulatedRoom()
        var states = [RoomState(room: room, count: 0, hash: state.hash)]
        for kept in kept[room] ?? [] {
            state.apply(kept.op)
            states.append(RoomState(room: room, count: state.count, hash: state.hash))
        }
        return states
    }
}
