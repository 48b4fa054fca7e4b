import SceneModel
import SceneProtocol

/// What the last ticks changed, so that a member that missed some of them can be told all at once.
///
/// Each entry holds how things were before it. The oldest are dropped when a budget is used up, so the memory is bounded:
/// about 40 bytes a changed view.
struct ChangeHistory {
    struct Entry {
        /// The tick that it builds on.
        var base: UInt64
        var frames: [FrameChange] = []
        var contents: [(number: ViewNumber, content: ViewContent)] = []
        /// The lists of subviews before it, of every view whose list it changed or that it removed.
        var lists: [(number: ViewNumber, children: [ViewNumber])] = []
        var added: [ViewNumber] = []
        var removed: [ViewNumber] = []

        init(base: UInt64) { self.base = base }

        /// How a mirror is before changes that are about to be applied to it.
        init(before changes: SceneChanges, in mirror: SceneMirror) {
            self.init(base: mirror.tick)
            frames = changes.frames
            for change in changes.contents {
                if let content = mirror.content(change.number) {
                    contents.append((change.number, content))
                }
            }
            if !changes.tree.isEmpty { noteTree(changes.tree, mirror) }
        }

        private mutating func noteTree(_ changes: [TreeChange], _ mirror: SceneMirror) {
            var noted: Set<ViewNumber> = []
            var moved: Set<ViewNumber> = []
            for change in changes {
                switch change {
                case .add(let record, _):
                    added.append(record.number)
                    if let parent = record.parent { note(parent, mirror, &noted) }
                case .move(let number, let parent, _):
                    moved.insert(number)
                    if let old = mirror.view(number)?.parent { note(old, mirror, &noted) }
                    note(parent, mirror, &noted)
                case .remove(let number):
                    if let parent = mirror.view(number)?.parent { note(parent, mirror, &noted) }
                    // Everything below goes too, unless it was moved out before.
                    var stack = [number]
                    while let next = stack.popLast() {
                        note(next, mirror, &noted)
                        removed.append(next)
                        stack.append(
                            contentsOf: mirror.subviews(of: next).filter { !moved.contains($0) }
                                .reversed())
                    }
                }
            }
        }

        private mutating func note(
            _ number: ViewNumber, _ mirror: SceneMirror, _ noted: inout Set<ViewNumber>
        ) {
            guard noted.insert(number).inserted, mirror.contains(number) else { return }
            lists.append((number, mirror.subviews(of: number)))
        }

        var cost: Int {
            1 + frames.count + 4 * contents.count + added.count + removed.count
                + lists.reduce(0) { $0 + 1 + $1.children.count / 8 }
        }
    }

    /// How what changed since a tick was then.
    struct Past {
        var frames: [(number: ViewNumber, frame: QuantisedFrame)] = []
        var contents: [(number: ViewNumber, content: ViewContent)] = []
        var lists: [ViewNumber: [ViewNumber]] = [:]
        var added: Set<ViewNumber> = []
        var removed: Set<ViewNumber> = []
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

    /// How things were at an earlier tick; `nil` if that is no longer known.
    ///
    /// - Complexity: O(changes since then).
    func past(since tick: UInt64) -> Past? {
        guard let start = entries[head...].firstIndex(where: { $0.base >= tick }),
            entries[start].base == tick
        else { return nil }
        var past = Past()
        var seenFrames: Set<ViewNumber> = []
        var seenContents: Set<ViewNumber> = []
        for entry in entries[start...] {
            // The first that touched something knew how it was.
            for change in entry.frames where seenFrames.insert(change.number).inserted {
                past.frames.append((change.number, change.old))
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
