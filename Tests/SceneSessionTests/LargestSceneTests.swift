import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("The largest honest scene")
struct LargestSceneTests {
    private static let (rows, columns) = (100, 99)

    /// A row of cells, each beside the last one, with an equation for each of its edges.
    private static func row(_ number: Int) -> String {
        var ops = [
            #"{"op":"addView","id":"r\#(number)"}"#, rule("r\(number).leading == root.leading"),
            rule("r\(number).trailing == root.trailing"), rule("r\(number).height == 20"),
            rule(
                number == 0
                    ? "r0.top == root.top" : "r\(number).top == r\(number - 1).bottom + 2"),
        ]
        for column in 0..<columns {
            let (cell, row) = ("c\(number)_\(column)", "r\(number)")
            ops += [
                #"{"op":"addView","id":"\#(cell)","parent":"\#(row)"}"#,
                rule(
                    column == 0
                        ? "\(cell).leading == \(row).leading"
                        : "\(cell).leading == c\(number)_\(column - 1).trailing + 1"),
                rule("\(cell).top == \(row).top"), rule("\(cell).height == \(row).height"),
                #"{"op":"addConstraint","id":"w\#(number)_\#(column)","rule":"\#(cell).width == 8"}"#,
            ]
        }
        return ops.joined(separator: ",")
    }

    private static func rule(_ text: String) -> String {
        #"{"op":"addConstraint","rule":"\#(text)"}"#
    }

    @Test("10,000 views with 40,000 constraints, edited in each tick, meet no budget of trusted")
    func largest() throws {
        let room = try TestRoom(
            #"{"scene":1,"viewport":{"width":2000,"height":3000}}"#, options: SessionOptions())
        #expect(room.session.options.work == .standard)
        let editor = try room.join(1)
        // Of at most 10,000 ops and 1 MB each, as the limits are.
        for first in stride(from: 0, to: Self.rows, by: 10) {
            let ops = (first..<first + 10).map(Self.row).joined(separator: ",")
            #expect(ops.utf8.count < 1 << 20)
            try room.apply("[\(ops)]", from: editor)
            // What a message took beyond a tick's share is paid by the ticks after it.
            try room.runTicks(60)
        }
        let model = room.session.model
        #expect(model.records().count == 1 + Self.rows * (1 + Self.columns))
        #expect(model.constraintCount == 4 * Self.rows * (1 + Self.columns))
        #expect(room.results[editor]?.count == 10)
        // Ten seconds of somebody who drags the width of a first cell, which moves all others of
        // its row.
        for edit in 1...600 {
            try room.apply(
                #"[{"op":"setConstraint","id":"w\#(edit % Self.rows)_0","constant":\#(8 + edit % 7)}]"#,
                from: editor)
            #expect(room.results[editor]?.count == 10 + edit)
        }
        for result in room.results[editor] ?? [] {
            guard case .committed(let commit) = result.outcome else {
                Issue.record("refused: \(result.outcome)")
                return
            }
            #expect(commit.refusals.isEmpty)
        }
        #expect(room.overrunCount == 0)
        // 600 is 6 rows a hundred times, and 8 + 600 % 7.
        #expect(room.width(of: "c0_0", for: editor) == 13)
        let replay = try JournalReplay(room.journal, options: SessionOptions())
        #expect(replay.timeline.model.stateHash == model.stateHash)
    }
}
