import JSON
import SceneDocument
import SceneSession
import SceneWire
import Synchronization
import Testing

@testable import SceneServer

@Suite("Busy rooms beside a hostile one", .timeLimit(.minutes(5)))
struct BusyRoomsTests {
    private static let roomCount: UInt64 = 200
    private static let editCount = 20
    private static let views = 1_000
    private let hostile = MemberID(1)

    private let scene: String = {
        let views = (0..<Self.views).map { #"{"id":"v\#($0)"}"# }.joined(separator: ",")
        let rules = (0..<Self.views).map { #""v\#($0).width == root.width + \#($0)""# }
            .joined(separator: ",")
        return
            #"[{"op":"setScene","scene":1,"viewport":{"width":640,"height":384},"views":[\#(views)],"constraints":[\#(rules)]}]"#
    }()

    /// Everything is laid out again after each of many ops.
    private let layouts: String = {
        let ops = [600, 601].map {
            #"{"op":"setViewport","width":\#($0)},{"op":"layoutIfNeeded"}"#
        }
        return "[" + Array(repeating: ops.joined(separator: ","), count: 500).joined(separator: ",")
            + "]"
    }()

    @Test("edits of two hundred rooms are answered while a few dear messages are")
    func edits() {
        let world = LaneWorld()
        world.start(slice: 1_000_000, message: 120_000_000, lightTicks: 100_000)
        defer { world.stop() }
        world.enter(hostile, "hostile")
        world.apply(scene, 1, from: hostile, in: "hostile")
        world.wait { !world.results(of: hostile).isEmpty }
        let editors = (1...Self.roomCount).map { MemberID(1 + $0) }
        for editor in editors {
            world.enter(editor, "r\(editor.rawValue)")
            world.apply(#"[{"op":"addView","id":"v"}]"#, 1, from: editor, in: "r\(editor.rawValue)")
        }
        world.wait { editors.allSatisfy { world.results(of: $0).count == 1 } }

        // The next dear message is sent as soon as the last one is answered.
        var sent: UInt64 = 1
        func attack() {
            guard world.results(of: hostile).count == sent else { return }
            sent += 1
            world.apply(layouts, sent, from: hostile, in: "hostile")
        }
        for edit in 2...UInt64(Self.editCount + 1) {
            for editor in editors {
                world.apply(
                    #"[{"op":"setView","id":"v","hidden":\#(edit % 2 == 0)}]"#, edit, from: editor,
                    in: "r\(editor.rawValue)")
            }
            world.wait {
                attack()
                return editors.allSatisfy { world.results(of: $0).count == edit }
            }
        }
        // On the thread of the others each of their ticks would have taken one with it.
        #expect(sent - 1 <= Self.editCount / 4)
        #expect(world.metrics.slowRooms.load(ordering: .relaxed) == 1)
        world.wait { world.results(of: hostile).count == sent }
        for result in world.results(of: hostile).dropFirst() {
            guard case .refused(let refusal) = result.outcome else {
                Issue.record("a dear message was accepted: \(result)")
                continue
            }
            #expect(refusal.code == .tooExpensive)
        }
    }
}
