import SceneProtocol
import Testing

@testable import SceneSession

@Suite("The difference between two hierarchies")
struct TreeDiffTests {
    private func record(_ number: UInt32, in parent: UInt32) -> ViewRecord {
        ViewRecord(
            number: ViewNumber(number), id: "v\(number)", parent: ViewNumber(parent),
            frame: QuantisedFrame(x: 0, y: 0, width: 0, height: 0), content: ViewContent())
    }

    /// Views 1 and 2 went and came back; of 2, what is in it is another view.
    @Test("a view that went and came back comes back empty, and is filled anew")
    func comesBack() {
        var diff = TreeDiff(
            lists: [0: [1], 1: [2], 2: [3]], added: [1, 2, 4], removed: [1, 2, 3])
        let children: [UInt32: [UInt32]] = [0: [1], 1: [2], 2: [4]]
        let parents: [UInt32: UInt32] = [1: 0, 2: 1, 4: 2]
        let changes = diff.changes(
            root: 0, order: [0, 1, 2, 4], children: { children[$0] ?? [] },
            record: { record($0, in: parents[$0] ?? 0) })
        #expect(
            changes == [
                .remove(ViewNumber(1)), .add(record(1, in: 0), index: 0),
                .add(record(2, in: 1), index: 0), .add(record(4, in: 2), index: 0),
            ])
    }

    @Test("a view that stays is taken out of one that goes, and put where it belongs")
    func survivor() {
        var diff = TreeDiff(lists: [0: [1, 5], 1: [2], 5: []], added: [], removed: [1])
        let children: [UInt32: [UInt32]] = [0: [5], 5: [2]]
        let changes = diff.changes(
            root: 0, order: [0, 5, 2], children: { children[$0] ?? [] }, record: { _ in nil })
        #expect(
            changes == [
                .move(ViewNumber(2), parent: ViewNumber(0), index: 2), .remove(ViewNumber(1)),
                .move(ViewNumber(2), parent: ViewNumber(5), index: 0),
            ])
    }
}
