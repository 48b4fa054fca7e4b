import SceneWire
import SeededRandom
import Testing

@Suite("The difference between two hierarchies")
struct TreeDiffTests {
    private func record(_ number: ViewNumber, in parent: ViewNumber) -> ViewRecord {
        ViewRecord(
            number: number, id: "v\(number.rawValue)", parent: parent,
            frame: QuantisedFrame(x: 0, y: 0, width: 0, height: 0), content: ViewContent())
    }

    /// Numbers of views, for tables that are read at a glance.
    private func numbers(_ values: [UInt32]) -> [ViewNumber] { values.map { ViewNumber($0) } }

    private func diff(
        from lists: KeyValuePairs<UInt32, [UInt32]>, added: [UInt32] = []
    ) -> TreeDiff {
        var diff = TreeDiff(root: ViewNumber(0), added: numbers(added))
        for (number, children) in lists {
            diff.note(ViewNumber(number), children: numbers(children))
        }
        return diff
    }

    /// Views 1 and 2 went and came back; of 2, what is in it is another view.
    @Test("a view that went and came back comes back empty, and is filled anew")
    func comesBack() {
        let children: [UInt32: [UInt32]] = [0: [1], 1: [2], 2: [4]]
        let parents: [UInt32: UInt32] = [1: 0, 2: 1, 4: 2]
        let changes = diff(from: [0: [1], 1: [2], 2: [3]], added: [1, 2, 4]).changes(
            removing: numbers([1]), isGone: { [1, 2, 3].contains($0.rawValue) },
            order: numbers([0, 1, 2, 4]), children: { numbers(children[$0.rawValue] ?? []) },
            record: { record($0, in: ViewNumber(parents[$0.rawValue] ?? 0)) })
        #expect(
            changes == [
                .remove(ViewNumber(1)), .add(record(ViewNumber(1), in: ViewNumber(0)), index: 0),
                .add(record(ViewNumber(2), in: ViewNumber(1)), index: 0),
                .add(record(ViewNumber(4), in: ViewNumber(2)), index: 0),
            ])
    }

    @Test("a view that stays is taken out of one that goes, and put where it belongs")
    func survivor() {
        let children: [UInt32: [UInt32]] = [0: [5], 5: [2]]
        let changes = diff(from: [0: [1, 5], 1: [2], 5: []]).changes(
            removing: numbers([1]), isGone: { $0.rawValue == 1 }, order: numbers([0, 5, 2]),
            children: { numbers(children[$0.rawValue] ?? []) }, record: { _ in nil })
        #expect(
            changes == [
                .move(ViewNumber(2), parent: ViewNumber(0), index: 2), .remove(ViewNumber(1)),
                .move(ViewNumber(2), parent: ViewNumber(5), index: 0),
            ])
    }

    @Test("a view that goes with its superview is not told by itself")
    func goesAlong() {
        let changes = diff(from: [0: [1], 1: [2], 2: []]).changes(
            removing: numbers([1, 2]), isGone: { [1, 2].contains($0.rawValue) },
            order: numbers([0]), children: { _ in [] }, record: { _ in nil })
        #expect(changes == [.remove(ViewNumber(1))])
    }

    @Test("a subtree a hundred thousand views deep is taken apart without recursion")
    func deep() {
        let depth: UInt32 = 100_000
        var diff = TreeDiff(root: ViewNumber(0), added: [])
        for number in 0..<depth { diff.note(ViewNumber(number), children: numbers([number + 1])) }
        let changes = diff.changes(
            removing: numbers([1]), isGone: { $0.rawValue > 0 && $0.rawValue < depth },
            order: numbers([0]), children: { _ in numbers([depth]) }, record: { _ in nil })
        #expect(
            changes == [
                .move(ViewNumber(depth), parent: ViewNumber(0), index: 1), .remove(ViewNumber(1)),
            ])
    }

    /// A hierarchy that changes are applied to as SPEC has it: removal first, then insertion at the
    /// index.
    private struct Hierarchy: Equatable {
        var lists: [UInt32: [UInt32]]

        mutating func apply(_ change: TreeChange) {
            switch change {
            case .add(let record, let index):
                lists[record.parent?.rawValue ?? 0, default: []].insert(
                    record.number.rawValue, at: Int(index))
            case .move(let child, let parent, let index):
                take(child.rawValue)
                lists[parent.rawValue, default: []].insert(child.rawValue, at: Int(index))
            case .remove(let number): take(number.rawValue)
            }
        }

        private mutating func take(_ number: UInt32) {
            for parent in lists.keys { lists[parent]?.removeAll { $0 == number } }
        }
    }

    private func changes(
        from old: [UInt32: [UInt32]], to new: [UInt32: [UInt32]]
    ) -> [TreeChange] {
        var order: [UInt32] = []
        var stack: [UInt32] = [0]
        while let next = stack.popLast() {
            order.append(next)
            stack += (new[next] ?? []).reversed()
        }
        var diff = TreeDiff(root: ViewNumber(0), added: [])
        for (number, children) in old.sorted(by: { $0.key < $1.key }) {
            diff.note(ViewNumber(number), children: numbers(children))
        }
        return diff.changes(
            removing: [], isGone: { _ in false }, order: numbers(order),
            children: { numbers(new[$0.rawValue] ?? []) }, record: { _ in nil })
    }

    @Test("one view that leaves many siblings is one change, wherever it goes")
    func oneLeaves() {
        let siblings = Array(UInt32(1)...300)
        let toSibling = changes(
            from: [0: siblings, 300: []], to: [0: Array(siblings.dropFirst()), 300: [1]])
        #expect(toSibling == [.move(ViewNumber(1), parent: ViewNumber(300), index: 0)])
        let toEnd = changes(from: [0: siblings], to: [0: Array(siblings.dropFirst()) + [1]])
        #expect(toEnd == [.move(ViewNumber(1), parent: ViewNumber(0), index: 299)])
        let toFront = changes(from: [0: siblings], to: [0: [300] + siblings.dropLast()])
        #expect(toFront == [.move(ViewNumber(300), parent: ViewNumber(0), index: 0)])
    }

    @Test("two views that change places between two superviews")
    func exchange() {
        let moved = changes(
            from: [0: [1, 2], 1: [3, 4, 5], 2: [6, 7]], to: [0: [1, 2], 1: [3, 6, 5], 2: [4, 7]])
        #expect(
            moved == [
                .move(ViewNumber(6), parent: ViewNumber(1), index: 1),
                .move(ViewNumber(4), parent: ViewNumber(2), index: 0),
            ])
    }

    @Test("a superview and its subview change places")
    func inversion() {
        let moved = changes(from: [0: [1], 1: [2], 2: []], to: [0: [2], 2: [1], 1: []])
        #expect(
            moved == [
                .move(ViewNumber(2), parent: ViewNumber(0), index: 0),
                .move(ViewNumber(1), parent: ViewNumber(2), index: 0),
            ])
    }

    @Test("any order of siblings comes about by as few moves as there can be", arguments: 0..<200)
    func fewest(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 0...12, using: &random)
        let old = Array(UInt32(1)...UInt32(count + 1))
        let new = old.shuffled(using: &random)
        let moves = changes(from: [0: old], to: [0: new])
        var hierarchy = Hierarchy(lists: [0: old])
        for move in moves { hierarchy.apply(move) }
        #expect(hierarchy.lists[0] == new)
        // The length of a longest increasing subsequence, by its definition.
        var lengths: [Int] = []
        for (index, number) in new.enumerated() {
            lengths.append(
                1 + (zip(new, lengths).prefix(index).filter { $0.0 < number }.map(\.1).max() ?? 0))
        }
        #expect(moves.count == old.count - (lengths.max() ?? 0))
    }

    @Test("any hierarchy becomes any other one", arguments: 0..<200)
    func anyHierarchy(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = UInt32.random(in: 1...20, using: &random)
        func hierarchy() -> [UInt32: [UInt32]] {
            var lists: [UInt32: [UInt32]] = [0: []]
            var placed: [UInt32] = [0]
            for number in (1...count).shuffled(using: &random) {
                let parent = placed[Int.random(in: 0..<placed.count, using: &random)]
                let place = Int.random(in: 0...(lists[parent]?.count ?? 0), using: &random)
                lists[parent, default: []].insert(number, at: place)
                lists[number] = []
                placed.append(number)
            }
            return lists
        }
        let (old, new) = (hierarchy(), hierarchy())
        var moved = Hierarchy(lists: old)
        for change in changes(from: old, to: new) { moved.apply(change) }
        #expect(moved.lists == new)
    }
}
