import JSON
import LayoutValues
import SceneWire
import Synchronization

extension ServerSuite {
    /// Sections 6 to 10: the state that a server sends.
    static let stateCases: [Case] = [
        Case("6.1-1", "welcome's values are within their ranges") { suite in
            let welcome = try suite.client().greet()
            let holds =
                welcome.unitsPerPoint > 0 && welcome.tickRate > 0 && welcome.scale > 0
                && welcome.viewport.width >= 0 && welcome.viewport.height >= 0
                && welcome.cell.width > 0 && welcome.cell.height > 0 && !welcome.session.isEmpty
            return .require(holds, "\(welcome)")
        },
        Case("7.1-1", "a snapshot's views come in preorder from the root") { suite in
            let client = try suite.editor()
            let records = client.mirror.withLock { $0.records }
            return .require(
                records.first?.id == "root" && records.count == 3, "\(records.map(\.id))")
        },
        Case("7.3-1", "snapshots are deflated") { suite in
            let client = try suite.client()
            client.send(.hello(Hello()))
            let isDeflated = try client.wait("snapshot") {
                if case .snapshot(let snapshot) = $0 { snapshot.isDeflated } else { nil }
            }
            return isDeflated ? .fine : .weak("this one is not")
        },
        Case("10-1", "both formats have the same state hash") { suite in
            let binary = try suite.editor()
            let json = try suite.client(.json)
            try json.greet()
            let want = binary.mirror.withLock { $0.stateHash }
            try suite.wait(json) { $0.stateHash == want }
            return .fine
        },
        Case("6.7-1", "the hash of a tick comes within five seconds of a change") { suite in
            let client = try suite.editor()
            _ = try client.apply(
                #"[{"op": "setConstraint", "id": "w", "constant": 120}]"#, sequence: 2)
            // Another hash than the mirror's is a mirror error, which fails the case.
            _ = try client.wait("hash", 5) { message -> Bool? in
                if case .frame = message { client.acknowledge() }
                return if case .hash = message { true } else { nil }
            }
            return .fine
        },
        Case("6.3-1", "a tick's messages come as tree, content, frame, and name one tick") {
            suite in
            let client = try suite.editor()
            var ops = Ops()
            ops.clientSequence = 2
            ops.ops = try JSONReader.read(
                Array(
                    #"""
                    [{"op": "addView", "id": "n"}, {"op": "setView", "id": "b", "text": "Other"},
                     {"op": "setConstraint", "id": "w", "constant": 130}]
                    """#.utf8))
            client.send(.ops(ops))
            var seen: [String] = []
            var ticks: Set<UInt8> = []
            try client.wait("frame") { message in
                switch message {
                case .tree(let tree):
                    seen.append("tree")
                    ticks.insert(UInt8(truncatingIfNeeded: tree.tick))
                case .content(let content):
                    seen.append("content")
                    ticks.insert(UInt8(truncatingIfNeeded: content.tick))
                case .frame(let frame):
                    seen.append("frame")
                    ticks.insert(frame.tickLow)
                    return ()
                default: break
                }
                return nil
            }
            return .require(
                seen == ["tree", "content", "frame"] && ticks.count == 1, "\(seen) of \(ticks)")
        },
        Case("8-1", "frames keep a mirror whole through fifty changes") { suite in
            let editor = try suite.editor()
            let viewer = try suite.client()
            try viewer.greet()
            for step in 0..<50 as Range<UInt64> {
                let width = 40 + (step * 37) % 200
                _ = try editor.apply(
                    #"[{"op": "setConstraint", "id": "w", "constant": \#(width)}]"#,
                    sequence: step + 2)
                try suite.wait(editor) { $0.view(id: "a")?.frame.width == Int32(width) }
                try suite.wait(viewer) { $0.view(id: "a")?.frame.width == Int32(width) }
            }
            return .require(
                editor.mirror.withLock { $0.stateHash } == viewer.mirror.withLock { $0.stateHash },
                "the mirrors differ")
        },
        Case("8-2", "an animation ends where its constraints say, for those that come late too") {
            suite in
            let editor = try suite.editor()
            let animation = #"""
                [{"op": "animate", "duration": 0.3, "ops":
                  [{"op": "setConstraint", "id": "w", "constant": 300}, {"op": "layoutIfNeeded", "id": "root"}]}]
                """#
            _ = try editor.apply(animation, sequence: 2)
            let late = try suite.client()
            try late.greet()
            try suite.wait(editor) { $0.view(id: "a")?.frame.width == 300 }
            try suite.wait(late) { $0.view(id: "a")?.frame.width == 300 }
            return .require(
                editor.mirror.withLock { $0.stateHash } == late.mirror.withLock { $0.stateHash },
                "the mirrors differ")
        },
        Case("6.19-1", "resync is answered with a snapshot, and too many end with 4012") { suite in
            let client = try suite.client()
            try client.greet()
            client.send(.resync(Resync()))
            try client.loadSnapshot()
            // One after another: what is under way when a connection ends may hide its code.
            for _ in 0..<20 {
                client.send(.resync(Resync()))
                while true {
                    guard let event = client.next() else { return .bad("resync was not answered") }
                    if case .closed(let code, _) = event {
                        return .require(
                            code == 4012, "closed with \(code.map(String.init) ?? "no code")")
                    }
                    if case .message(_, let bytes) = event, bytes.first == 0x42 { break }
                }
            }
            return .weak("twenty more were taken")
        },
    ]
}
