import Foundation
import JSON
import SceneClient
import SceneDocument
import SceneWire
import Testing

@Suite("Suggestions over the network", .serialized)
struct SuggestionTests {
    private static let capabilities =
        Capability.annotations | Capability.suggestions | Capability.undo

    private func editor(_ url: String, _ room: String) throws -> Peer {
        try Peer(url + "/" + room, role: .editor, capabilities: Self.capabilities)
    }

    private func send(_ ops: String, _ peer: Peer) throws -> Refusal? {
        switch peer.result(try peer.send(ops)) {
        case .committed(let commit)?: return commit.refusals.first
        case .refused(let refusal)?: return refusal
        case nil: throw Timeout(ops: ops)
        }
    }

    private struct Timeout: Error {
        var ops: String
    }

    private func width(_ value: Int) -> String {
        #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(value)}]"#
    }

    private let accept = #"[{"op":"acceptSuggestion","id":"wide"}]"#
    private let suggest = #"[{"op":"suggest","id":"wide","name":"<b>Wide</b>"}]"#
    private let update = #"[{"op":"updateSuggestion"}]"#

    @Test("two editors change a branch, the room accepts it, and one undo takes that back")
    func accepted() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let ann: Peer
        let server = try ServerProcess(["--data", data, "--scene", scene])
        do {
            ann = try editor(server.url, "demo")
            #expect(try send(suggest, ann) == nil)
            #expect(try send(suggest, ann)?.code == .duplicateID)
            #expect(ann.annotation(.suggestion, "wide")?["name"] == .string("<b>Wide</b>"))
            // The first member finds the room's scene; a viewer may look, and decides nothing.
            let viewer = try Peer(
                server.url + "/demo~wide", role: .viewer, capabilities: Self.capabilities)
            #expect(viewer.mirror(where: "sidebar", isWide: 240) != nil)
            #expect(try send(width(1), viewer)?.code == .forbidden)
            let (one, two) = (
                try editor(server.url, "demo~wide"), try editor(server.url, "demo~wide")
            )
            #expect(try send(width(300), one) == nil)
            #expect(try send(#"[{"op":"addView","id":"more"}]"#, two) == nil)
            #expect(viewer.mirror(where: "sidebar", isWide: 300) != nil)
            #expect(try send(suggest, one)?.code == .badOp)
            let none = try editor(server.url, "demo~none")
            #expect(none.endCode == CloseCode.noSuchSession.rawValue)
            let nested = try editor(server.url, "demo~wide~wide")
            #expect(nested.endCode == CloseCode.noSuchSession.rawValue)
            #expect(nested.failureText == "a branch has no branches; suggest in its room")
            let watcher = try Peer(
                server.url + "/demo", role: .viewer, capabilities: Self.capabilities)
            #expect(watcher.firstMirror != nil)
            #expect(try send(accept, watcher)?.code == .forbidden)
        }
        server.kill()

        // The branch and the suggestion are on the disk.
        let again = try ServerProcess(["--data", data])
        let bob = try editor(again.url, "demo")
        #expect(bob.mirror(where: "sidebar", isWide: 240) != nil)
        #expect(bob.annotation(.suggestion, "wide")?["state"] == .string("open"))
        // Nobody has joined the branch since, so it is read from its journal.
        #expect(try send(accept, bob) == nil)
        let mirror = try #require(bob.mirror(where: "sidebar", isWide: 300))
        #expect(mirror.view(id: "more") != nil)
        let branch = try editor(again.url, "demo~wide")
        #expect(branch.mirror(where: "sidebar", isWide: 300) != nil)
        #expect(try send(width(320), branch)?.code == .conflict)
        bob.undo()
        #expect(bob.mirror(where: "sidebar", isWide: 240)?.view(id: "more") == nil)
        // Reopened, it goes on.
        #expect(try send(#"[{"op":"reopenSuggestion","id":"wide"}]"#, bob) == nil)
        #expect(branch.annotation(.suggestion, "wide", state: "open") != nil)
        #expect(try send(width(320), branch) == nil)
        #expect(try send(accept, bob) == nil)
        #expect(bob.mirror(where: "sidebar", isWide: 320) != nil)
        again.kill()
    }

    @Test("a conflict is named and changes nothing; an update settles it; parts are taken")
    func conflicting() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let ann = try editor(server.url, "demo")
        #expect(try send(suggest, ann) == nil)
        let branch = try editor(server.url, "demo~wide")
        #expect(try send(width(300), branch) == nil)
        #expect(try send(#"[{"op":"setView","id":"title","text":"Books"}]"#, branch) == nil)
        #expect(try send(width(260), ann) == nil)
        let refusal = try #require(try send(accept, ann))
        #expect(refusal.code == .conflict)
        #expect(
            refusal.message.contains(
                #"constant of constraint "sidebar-width" was 240 and is 260 here and 300 there"#),
            "\(refusal.message)")
        #expect(ann.presentMirror?.view(id: "sidebar")?.frame.width == 260)
        #expect(
            try send(
                #"[{"op":"acceptSuggestion","id":"wide","only":["title"]}]"#, ann) == nil)
        #expect(ann.mirror { $0.view(id: "title")?.content.lines.first?.text == "Books" } != nil)
        #expect(try send(update, branch) == nil)
        let own = branch.annotation(.suggestion, "wide") { $0["conflicts"] != nil }
        #expect(own?["conflicts"]?.array?.count == 1)
        #expect(try send(accept, ann) == nil)
        #expect(ann.mirror(where: "sidebar", isWide: 300) != nil)
        // Removed, it takes its branch along; its name is free for another.
        #expect(try send(#"[{"op":"removeSuggestion","id":"wide"}]"#, ann) == nil)
        #expect(branch.endCode == CloseCode.noSuchSession.rawValue)
        #expect(try send(suggest, ann) == nil)
        let another = try editor(server.url, "demo~wide")
        #expect(another.mirror(where: "sidebar", isWide: 300) != nil)
        #expect(another.annotation(.suggestion, "wide")?["conflicts"] == nil)
        server.kill()
    }

    @Test("a token for a room is one for its branches, with the same role; for others it is none")
    func tokens() throws {
        let scratch = try Scratch()
        let secret = try scratch.write("0123456789abcdef0123456789abcdef", as: "secret")
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(
            ["--auth-secret-file", secret, "--data", scratch.path + "/data", "--scene", scene])
        func token(_ room: String, _ role: String) throws -> String {
            let made = try Program.run(
                ["token", "--room", room, "--role", role, "--secret-file", secret])
            #expect(made.status == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let ann = try Peer(
            server.url + "/demo", role: .editor, token: token("demo", "editor"),
            capabilities: Self.capabilities)
        #expect(try send(suggest, ann) == nil)
        let branch = try Peer(
            server.url + "/demo~wide", role: .editor, token: token("demo", "editor"))
        #expect(try send(width(300), branch) == nil)
        let viewer = try Peer(
            server.url + "/demo~wide", role: .editor, token: token("demo", "viewer"))
        #expect(try send(width(310), viewer)?.code == .forbidden)
        let other = try Peer(
            server.url + "/demo~wide", role: .editor, token: token("other", "editor"))
        #expect(other.endCode == CloseCode.unauthenticated.rawValue)
        server.kill()
    }

    @Test("the command opens, lists, shows, updates, accepts, refuses and removes suggestions")
    func command() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let (room, branch) = (server.url + "/demo", server.url + "/demo~wide")
        let place = ["--server", server.url.replacing("ws://", with: "http://")]
        func run(_ arguments: [String]) throws -> Program.Outcome {
            try Program.run(["suggest"] + arguments)
        }
        let opened = try run(["open", room, "wide", "A wider sidebar", "--note", "as asked"])
        #expect(opened.status == 0, "\(opened.errors)")
        let untouched = try run(["show", "demo", "wide"] + place)
        #expect(untouched.status == 0 && untouched.output.isEmpty, "\(untouched)")
        let ops = try scratch.write(width(300), as: "ops.json")
        #expect(try Program.run(["apply", branch, ops]).status == 0)
        let shown = try run(["show", "demo", "wide"] + place)
        #expect(shown.output.contains("240 → 300"), "\(shown)")
        let page = try run(["show", "demo", "wide", "--format", "html"] + place)
        #expect(page.output.hasPrefix("<!doctype html>"), "\(page)")
        let listed = try run(["list", room])
        #expect(listed.output.contains("wide: A wider sidebar"), "\(listed)")
        #expect(listed.output.contains("open, as asked"), "\(listed)")
        let narrow = try scratch.write(width(260), as: "narrow.json")
        #expect(try Program.run(["apply", room, narrow]).status == 0)
        let refused = try run(["accept", room, "wide"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("is 260 here and 300 there"), "\(refused)")
        let json = try run(["show", "demo", "wide", "--format", "json"] + place)
        #expect(json.output.contains(#""behind": true"#), "\(json)")
        let updated = try run(["update", branch])
        #expect(updated.status == 1)
        #expect(updated.output.contains("is 300 here and 260 there"), "\(updated)")
        let accepted = try run(["accept", room, "wide", "--only", "sidebar-width"])
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(try run(["refuse", room, "wide", "--reason", "enough"]).status == 0)
        let decided = try run(["list", room, "--format", "json"])
        #expect(decided.output.contains(#""reason":"enough""#), "\(decided)")
        #expect(try run(["reopen", room, "wide"]).status == 0)
        let foreign = try run(["remove", room, "wide"])
        // Without keys each connection is somebody else.
        #expect(foreign.status == 1)
        #expect(foreign.errors.contains("only who opened"), "\(foreign)")
        server.kill()
    }
}
