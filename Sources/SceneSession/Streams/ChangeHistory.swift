import SceneModel
import SceneWire

/// The changes of the last ticks, so that a member that missed some receives one merged frame.
///
/// Each entry holds the state before it. The oldest are dropped beyond a budget, so the memory is
/// bounded: about 40 bytes for each changed view.
struct ChangeHistory {
    struct Entry {
        /// The tick before it.
        var base: UInt64
        var frames: [FrameChange] = []
        var contents: [(number: ViewNumber, content: ViewContent)] = []
        /// The former subviews of each view whose list it changed or that it removed.
        var lists: [(number: ViewNumber, children: [ViewNumber])] = []
        var added: [ViewNumber] = []
        var removed: [ViewNumber] = []

        init(base: UInt64) { self.base = base }

        /// Records the state of a mirror before changes are applied to it.
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

        /// Notes what a message of the entry's tick is about to change; messages in their order.
        ///
        /// - Complexity: O(changes).
        mutating func note(before message: ServerMessage, in mirror: SceneMirror) {
            switch message {
            case .tree(let message): noteTree(message.changes, mirror)
            case .content(let message):
                for change in message.changes {
                    guard let content = mirror.content(change.number) else { continue }
                    contents.append((change.number, content))
                }
            case .anim(let message):
                for case .start(let start) in message.changes { note(start.body, mirror) }
            case .frame(let message): note(message.body, mirror)
            case .welcome, .snapshot, .select, .hash, .result, .error, .pong, .presence,
                .diagnostics, .trace, .keyframe, .inspection, .device, .interactions, .event,
                .eventResults, .insets, .annotations, .records:
                break
            }
        }

        private mutating func note(_ body: FrameBody, _ mirror: SceneMirror) {
            for citation in body.citations {
                note(mirror.ring[Int(citation.slot)]?.numbers ?? [], mirror)
            }
            for group in body.groups { note(group.selection.numbers, mirror) }
            note(body.rows.map(\.number), mirror)
            note(body.absoluteRows.map(\.number), mirror)
        }

        private mutating func note(_ numbers: [UInt32], _ mirror: SceneMirror) {
            for number in numbers {
                guard let frame = mirror.frame(ViewNumber(number)) else { continue }
                frames.append(FrameChange(number: ViewNumber(number), old: frame, new: frame))
            }
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
                    // The whole subtree is removed, except for views that were moved out first.
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

    /// The former state of everything that changed since a tick.
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

    /// Discards all entries; no earlier tick can be merged any more.
    mutating func clear() {
        entries.removeAll()
        head = 0
        cost = 0
    }

    /// The state at an earlier tick; `nil` if the history does not reach back to it.
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
            // The first entry that changed something has its former state.
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
