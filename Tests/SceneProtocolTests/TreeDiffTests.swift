import SceneProtocol
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
}
