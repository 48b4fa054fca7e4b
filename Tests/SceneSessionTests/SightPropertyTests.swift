import Foundation
import JSON
import SceneDocument
import SceneModel
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

/// Random scenes, rights and ops: no byte that a member receives has a name, a text or a value of a
/// view that it does not see. What it sees is decided here once more, from the document alone.
@Suite("What members do not see, at random")
struct SightPropertyTests {
    /// A room whose names and texts occur nowhere else.
    private struct World {
        var random: SplitMix64
        let room: TestRoom
        let editor = MemberID(1)
        /// The members who see a part, and what.
        var members: [(id: MemberID, patterns: [String])] = []
        private var names: [String] = ["root"]
        private var nextWord = 0
        /// What each view has shown: words that only it has.
        private var words: [String: Set<String>] = [:]
        private var constraints: [String: [String]] = [:]
        private var threads: [String: String] = [:]

        init(seed: UInt64) throws {
            random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 77)
            var options = SessionOptions()
            options.deviceMaximum = 3
            room = try TestRoom(
                #"{"scene": 1, "viewport": {"width": 400, "height": 300}}"#, options: options)
            try room.join(1, capabilities: Capability.annotations | Capability.events)
            for _ in 0..<6 { try room.apply("[\(addView())]", from: editor) }
            for number in 0..<3 {
                let patterns = self.patterns()
                var rights = MemberRights()
                rights.see = ViewPatterns(patterns)
                let id = MemberID(UInt64(10 + number))
                members.append((id, patterns))
                var capabilities = SceneSession.capabilities
                if random.below(2) == 0 { capabilities &= ~Capability.animations }
                try room.join(
                    id.rawValue, role: random.below(2) == 0 ? .editor : .viewer, rights: rights,
                    format: .json, capabilities: capabilities
                ) { hello in
                    if number == 2 {
                        var device = DeviceRequest()
                        device.viewport = .object([JSONMember("width", .number(200))])
                        hello.device = device
                    }
                }
            }
        }

        private mutating func word(_ kind: String) -> String {
            nextWord += 1
            return "\(kind)q\(nextWord)z"
        }

        private mutating func name() -> String { random.pick(names) }

        private mutating func view() -> String {
            names.count > 1 ? names[1 + random.below(names.count - 1)] : "root"
        }

        private mutating func patterns() -> [String] {
            (0...random.below(3)).map { _ in
                let name = view()
                return random.pick([name, "\(name)/*", "!\(name)", "*", name, "!\(name)"])
            }
        }

        private mutating func addView() -> String {
            let id = word("view")
            let parent = name()
            let text = word("text")
            words[id] = [id, text]
            names.append(id)
            let kind = random.pick([
                #""kind":"label","text":"\#(text)""#,
                #""kind":"textField","value":"\#(text)""#,
                #""kind":"view","accessibilityLabel":"\#(text)""#,
                #""kind":"scroll""#,
            ])
            return
                #"{"op":"addView","id":"\#(id)","parent":"\#(parent)",\#(kind),"frame":[\#(random.below(50)),\#(random.below(50)),\#(20 + random.below(90)),\#(20 + random.below(60))]}"#
        }

        /// One op about the views there are.
        private mutating func op() -> String {
            let id = view()
            switch random.below(14) {
            case 0, 1: return addView()
            case 2:
                return #"{"op":"moveView","id":"\#(id)","parent":"\#(name())"}"#
            case 3:
                let text = word("text")
                words[id, default: [id]].insert(text)
                return #"{"op":"setView","id":"\#(id)","text":"\#(text)"}"#
            case 4: return #"{"op":"setView","id":"\#(id)","hidden":\#(random.below(2) == 0)}"#
            case 5:
                return
                    #"{"op":"setView","id":"\#(id)","frame":[\#(random.below(99)),\#(random.below(99)),\#(random.below(99)),40]}"#
            case 6, 7:
                let (constraint, other) = (word("rule"), view())
                constraints[constraint] = [id, other]
                return
                    #"{"op":"addConstraint","id":"\#(constraint)","rule":"\#(id).width == \#(random.pick(["", "0.5 * "]))\#(other).height + \#(random.below(90)) \#(random.pick(["", "@600"]))"}"#
            case 8 where random.below(3) == 0: return #"{"op":"removeView","id":"\#(id)"}"#
            case 9:
                return
                    #"{"op":"animate","duration":0.1,"ops":[{"op":"setView","id":"\#(id)","frame":[\#(random.below(99)),1,30,30]},{"op":"layoutIfNeeded"}]}"#
            case 10: return #"{"op":"setView","id":"\#(id)","contentInset":[1,2,3,4]}"#
            case 11: return #"{"op":"setNeedsDisplay","id":"\#(id)"}"#
            case 12: return #"{"op":"layoutIfNeeded"}"#
            default:
                return
                    ##"{"op":"setView","id":"\##(id)","enabled":\##(random.below(2) == 0),"background":"#12\##(10 + random.below(80))34"}"##
            }
        }

        private mutating func annotation() -> String {
            let id = view()
            guard random.below(3) > 0 else { return #"{"op":"lock","view":"\#(id)","seconds":1}"# }
            let (thread, text) = (word("note"), word("text"))
            if random.below(2) == 0, let constraint = constraints.keys.sorted().first {
                threads[thread] = constraint
                return
                    #"{"op":"addComment","id":"\#(thread)","constraint":"\#(constraint)","text":"\#(text)"}"#
            }
            threads[thread] = id
            words[id, default: [id]].formUnion([thread, text])
            return #"{"op":"addComment","id":"\#(thread)","view":"\#(id)","text":"\#(text)"}"#
        }

        /// Does something, and checks what everybody was told.
        mutating func step() throws {
            room.sends.removeAll()
            let before = unseen()
            var own: (MemberID, String)?
            switch random.below(10) {
            case 0: try room.apply("[\(annotation())]", from: editor)
            case 1:
                let member = random.pick(members)
                let op = op()
                own = (member.id, op)
                try room.apply("[\(op)]", from: member.id, atomic: random.below(2) == 0)
            case 2:
                var presence = Presence()
                presence.clock = UInt32(nextWord)
                presence.selection = [view(), view()]
                presence.place = PresencePlace(view: view(), fraction: Point(x: 0.5, y: 0.5))
                try room.handle(.received(editor, .presence(presence)))
            case 3: try room.undo(editor)
            case 4: try room.handle(.freeze)
            case 5:
                let member = random.pick(members)
                var subscribe = Subscribe()
                subscribe.roots = random.below(2) == 0 ? [] : [view()]
                try room.handle(.received(member.id, .subscribe(subscribe)))
            default:
                let ops = (0...random.below(3)).map { _ in op() }.joined(separator: ",")
                try room.apply("[\(ops)]", from: editor, atomic: random.below(3) == 0)
            }
            try room.runTicks(random.below(20) == 0 ? 61 : 1 + random.below(3))
            check(before, own)
        }

        /// For each member the words of what it does not see.
        private func unseen() -> [MemberID: Set<String>] {
            guard let document = room.session.wake()?.model.document() else { return [:] }
            var parents: [String: String] = [:]
            for view in document.views { parents[view.id] = view.parent }
            var unseen: [MemberID: Set<String>] = [:]
            for (id, patterns) in members {
                var hidden: Set<String> = []
                for view in parents.keys where !Self.sees(view, patterns, parents) {
                    hidden.formUnion(words[view] ?? [view])
                }
                let rest = hidden
                for (constraint, items) in constraints
                where items.contains(where: { rest.contains($0) }) {
                    hidden.insert(constraint)
                }
                for (thread, subject) in threads where hidden.contains(subject) {
                    hidden.insert(thread)
                }
                unseen[id] = hidden
            }
            return unseen
        }

        /// The last pattern that names a view, or something above it, decides.
        private static func sees(
            _ view: String, _ patterns: [String], _ parents: [String: String]
        ) -> Bool {
            var above: [String] = []
            var next = parents[view]
            while let id = next {
                above.append(id)
                next = parents[id]
            }
            for pattern in patterns.reversed() {
                if pattern == "*" || pattern == view { return true }
                if pattern.hasSuffix("/*"), above.contains(String(pattern.dropLast(2))) {
                    return true
                }
                let name = String(pattern.dropFirst())
                if pattern.hasPrefix("!"), name == view || above.contains(name) { return false }
            }
            return patterns[0].hasPrefix("!")
        }

        private func check(_ before: [MemberID: Set<String>], _ own: (id: MemberID, op: String)?) {
            let after = unseen()
            for (id, _) in members {
                // What it sees before or after may have been told on the way.
                let hidden = (before[id] ?? []).intersection(after[id] ?? [])
                for (payloads, receivers) in room.sends where receivers.contains(id) {
                    for payload in payloads {
                        let text = String(decoding: payload, as: UTF8.self)
                        for word in hidden where text.contains(word) {
                            if let own, own.id == id, own.op.contains(word) { continue }
                            Issue.record("\(word) is told to \(id.rawValue): \(text)")
                        }
                    }
                }
            }
        }

        /// At the end each member has what it sees, where it is.
        func checkMirrors() throws {
            let full = try #require(room.mirrors[editor])
            for (id, _) in members where room.closed[id] == nil {
                guard let mirror = room.mirrors[id], id != members[2].id else { continue }
                for record in mirror.records where !record.id.hasPrefix("_") {
                    let same = try #require(full.view(id: record.id))
                    #expect(record.frame == same.frame || mirror.animations.ids.isEmpty == false)
                    if record.id != "root" {
                        #expect(record.content.lines == same.content.lines)
                    }
                }
            }
            #expect(room.closed.isEmpty)
        }
    }

    private static let scenes =
        UInt64(ProcessInfo.processInfo.environment["SCENESYNC_SIGHTS"] ?? "") ?? 300

    @Test("nobody is told of a view that it does not see")
    func secrecy() throws {
        for seed in 0..<Self.scenes {
            var world = try World(seed: seed)
            for _ in 0..<25 { try world.step() }
            try world.room.runTicks(90)
            try world.checkMirrors()
        }
    }

    @Test("the search finds a member that is told everything")
    func finding() throws {
        // The same check of a member with all rights has to fail.
        let room = try TestRoom(SightPropertyTests.example)
        try room.join(1, format: .json)
        let texts = room.sends.flatMap(\.payloads).map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.contains { $0.contains("textq1z") })
    }

    private static let example = """
        {"scene": 1, "viewport": {"width": 400, "height": 300},
         "views": [{"id": "viewq1z", "kind": "label", "text": "textq1z"}]}
        """
}
