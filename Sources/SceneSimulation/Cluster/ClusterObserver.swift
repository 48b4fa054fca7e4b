/// The view of a room that an owner sends to clients that do not write.
struct RoomFrame {
    var room: String
    var epoch: UInt64
    var tick: UInt64
    var count: Int
    var hash: UInt64
}

/// Someone who looks at rooms over core messages, which are lost, doubled and late.
struct ClusterObserver {
    private struct Shown {
        var epoch: UInt64
        var tick: UInt64
        var count: Int
    }

    let acceptsOldEpochs: Bool
    private var shown: [String: Shown] = [:]
    /// What was shown, for the comparison with the journal.
    private(set) var states: Set<RoomState> = []
    private(set) var faults: [String] = []

    init(acceptsOldEpochs: Bool) { self.acceptsOldEpochs = acceptsOldEpochs }

    mutating func take(_ frame: RoomFrame) {
        if let last = shown[frame.room] {
            let isNews =
                frame.epoch == last.epoch
                ? frame.tick > last.tick : frame.epoch > last.epoch || acceptsOldEpochs
            guard isNews else { return }
            if frame.count < last.count, faults.count < 3 {
                faults.append(
                    "room \(frame.room) fell from \(last.count) ops to \(frame.count) before an observer's eyes"
                )
            }
        }
        shown[frame.room] = Shown(epoch: frame.epoch, tick: frame.tick, count: frame.count)
        states.insert(RoomState(room: frame.room, count: frame.count, hash: frame.hash))
    }
}

/// A room after a number of ops.
struct RoomState: Hashable {
    var room: String
    var count: Int
    var hash: UInt64
}
