import SceneProtocol

/// What the last ticks changed, so that somebody who missed some of them can be told all at once.
///
/// Each entry holds how things were before it. The oldest go when a budget is used up, so the memory is bounded:
/// about 40 bytes a changed view.
struct ChangeHistory {
    struct Entry {
        /// The tick that it builds on.
        var base: UInt64
        var frames: [FrameChange] = []
        var contents: [(number: UInt32, content: ViewContent)] = []
        /// The lists of subviews before it, of every view whose list it changed or that it removed.
        var lists: [(number: UInt32, children: [UInt32])] = []
        var added: [UInt32] = []
        var removed: [UInt32] = []

        var cost: Int {
            1 + frames.count + 4 * contents.count + added.count + removed.count
                + lists.reduce(0) { $0 + 1 + $1.children.count / 8 }
        }
    }

    /// What changed since a tick: how it was then.
    struct Past {
        var frames: [(number: UInt32, frame: QuantisedFrame)] = []
        var contents: [(number: UInt32, content: ViewContent)] = []
        var lists: [UInt32: [UInt32]] = [:]
        var added: Set<UInt32> = []
        var removed: Set<UInt32> = []
    }

    private var entries: [Entry] = []
    private var head = 0
    private(set) var cost = 0
    var costMaximum: Int

    init(costMaximum: Int) { self.costMaximum = costMaximum }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        cost += entry.cost
        while cost > costMaximum, head < entries.count {
            cost -= entries[head].cost
            entries[head] = Entry(base: 0)
            head += 1
        }
        if head > 64, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// Forgets everything; what was before cannot be told any more.
    mutating func clear() {
        entries.removeAll()
        head = 0
        cost = 0
    }

    /// How things were at a tick whose frame somebody has; `nil` if that is no longer known.
    ///
    /// - Complexity: O(changes since then).
    func past(since tick: UInt64) -> Past? {
        guard let start = entries[head...].firstIndex(where: { $0.base >= tick }),
            entries[start].base == tick
        else { return nil }
        var past = Past()
        var seenFrames: Set<UInt32> = []
        var seenContents: Set<UInt32> = []
        for entry in entries[start...] {
            // The first that touched something knew how it was.
            for change in entry.frames where seenFrames.insert(change.number.rawValue).inserted {
                past.frames.append((change.number.rawValue, change.old))
            }
            for change in entry.contents where seenContents.insert(change.number).inserted {
                past.contents.append(change)
            }
            for (number, children) in entry.lists
            where past.lists[number] == nil && !past.added.contains(number) {
                past.lists[number] = children
            }
            for number in entry.added { past.added.insert(number) }
            for number in entry.removed {
                if past.added.remove(number) == nil { past.removed.insert(number) }
            }
        }
        past.frames.sort { $0.number < $1.number }
        past.contents.sort { $0.number < $1.number }
        return past
    }
}
