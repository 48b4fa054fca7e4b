import SceneCluster

/// The rooms of a shard that was handed over. They tick on, so that animations go on, until the
/// receiver serves the shard. Viewers at other nodes receive their ticks for a moment longer,
/// because the receiver still has to open the rooms.
struct ShardDeparture {
    /// The rooms that were open.
    var rooms: [String]
    /// The reason that their members receive at the end.
    var reason: String
    /// Whether the receiver serves the shard.
    var isTaken = false
    /// The receiver is waited for until then; after it serves the shard, the rooms end then.
    var until: MonotonicInstant
    /// What waited to be kept, and is not answered here.
    var waiting: [WaitingEntries.Item]

    /// A receiver that is there says so within less.
    static let patience = Duration.seconds(1)
    /// A receiver opens rooms that it has made ready, and other nodes turn to it, within less.
    static let afterglow = Duration.milliseconds(300)
}

extension ShardJournal {
    /// The shard is about to be handed over: its rooms decide nothing more, and tick on.
    mutating func hold() {
        guard !isHeld else { return }
        states.hold(true)
        tellHeld()
    }

    /// The shard stays here after all.
    mutating func release() {
        guard isHeld else { return }
        states.hold(false)
        tellHeld()
    }

    /// A room is held, and what its journal led to has this hash.
    mutating func note(_ hash: UInt64, ofHeld room: String) {
        if isHeld, open[room] != nil { states.note(hash, of: room) }
    }

    /// Whether what the rooms decided is kept, and they have told what that led to.
    ///
    /// - Complexity: O(open rooms).
    var mayDepart: Bool { isSettled && states.areTold(of: open.keys) }

    /// The states that the journal leads to, for the receiver to compare its own with. Where the
    /// hand-over did not wait for what its rooms decided, theirs are left out.
    var handOverStates: [ChainRecord.StateHash] { states.forRecord(without: waitingRooms) }

    private mutating func tellHeld() {
        for room in open.keys.sorted() {
            notify(room, .held(isHeld))
        }
    }

    /// The shard was handed over.
    mutating func depart(_ reason: String, at now: MonotonicInstant) {
        let departing = ShardDeparture(
            rooms: open.keys.sorted(), reason: reason,
            until: now.advanced(by: ShardDeparture.patience), waiting: takeWaiting())
        open = [:]
        lose(reason)
        departure = departing
    }

    /// The receiver serves the shard: members here go there, and who watches at another node sees
    /// the rooms until they are open there.
    mutating func receiverServes(at now: MonotonicInstant) {
        guard let departing = departure, !departing.isTaken else { return }
        departure?.isTaken = true
        departure?.until = now.advanced(by: ShardDeparture.afterglow)
        for room in departing.rooms {
            notify(room, .moved(departing.reason))
        }
    }

    /// The rooms are over here.
    mutating func endDeparture() {
        guard let departing = departure else { return }
        departure = nil
        for room in departing.rooms {
            notify(room, .lost(departing.reason))
        }
        for item in departing.waiting { giveUp(item.completion) }
    }
}
