import Annotations
import JSON
import RoomNames
import SceneDocument
import SceneSession
import SceneWire
import SeededRandom

/// What people say about a simulated scene: comments, locks and versions; and what must have become
/// of each comment.
///
/// A thread has a name that no other ever has, so at the end each can be held against what its
/// author was told. The random numbers are its own: a seed without annotations is otherwise the
/// same run.
struct SimulatedAnnotations {
    private struct Thread {
        var client: Int
        /// The message that opens it, and the one that removes its first comment.
        var opening: UInt64
        var removal: UInt64?
    }

    /// Milliseconds since 1970 at the moment 0.
    private static let startTime: Int64 = 1_800_000_000_000

    /// Whether people say anything in this run.
    let isUsed: Bool
    private var random: SplitMix64
    private var threads: [Thread] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0xA220)
        isUsed = random.chance(1, of: 2)
    }

    /// The server's clock.
    static func wallClock(atSecond seconds: Double) -> Int64 { startTime + Int64(seconds * 1000) }

    /// What a client sends next; `nil` where it says nothing now.
    ///
    /// - Parameter send: Sends a list of ops and returns the message's sequence.
    mutating func act(_ client: Int, _ send: (String) -> UInt64) {
        guard isUsed, random.chance(1, of: 5) else { return }
        let mine = threads.indices.filter { threads[$0].client == client }
        switch random.below(8) {
        case 0, 1:
            let name = threads.count
            threads.append(
                Thread(
                    client: client,
                    opening: send(
                        #"[{"op":"addComment","id":"n\#(name)",\#(anchor()),"text":"why"}]"#))
            )
        case 2 where !mine.isEmpty:
            let index = random.pick(mine)
            guard threads[index].removal == nil else { return }
            threads[index].removal = send(
                #"[{"op":"removeComment","id":"n\#(index)","number":1}]"#)
        default: _ = send("[\((0...random.below(3)).map { _ in op() }.joined(separator: ","))]")
        }
    }

    private mutating func view() -> String { "v\(random.below(5))" }

    private mutating func anchor() -> String {
        switch random.below(4) {
        case 0: #""view":"bar","place":[0.5,0.25]"#
        case 1: #""view":"\#(view())""#
        case 2: #""constraint":"w""#
        default: #""point":[\#(random.below(400)),3.5]"#
        }
    }

    /// An op that leaves first comments alone.
    private mutating func op() -> String {
        let thread = "n\(random.below(threads.count + 1))"
        switch random.below(14) {
        case 0, 1:
            return #"{"op":"lock","view":"\#(view())","seconds":\#(random.below(4))}"#
        case 2: return #"{"op":"unlock","view":"\#(view())"}"#
        case 3: return #"{"op":"replyComment","id":"\#(thread)","text":"so"}"#
        case 4: return #"{"op":"editComment","id":"\#(thread)","number":1,"text":"or"}"#
        case 5: return #"{"op":"removeComment","id":"\#(thread)","number":2}"#
        case 6: return #"{"op":"resolveComment","id":"\#(thread)"}"#
        case 7:
            let end = random.chance(1, of: 3) ? #","remove":true"# : ""
            return
                #"{"op":"reactComment","id":"\#(thread)","number":1,"reaction":"👍"\#(end)}"#
        case 8: return #"{"op":"addVersion","name":"r\#(random.below(3))"}"#
        case 9: return #"{"op":"restoreVersion","name":"r\#(random.below(3))"}"#
        case 10: return #"{"op":"suggest","id":"s\#(random.below(3))","name":"so"}"#
        case 11: return #"{"op":"acceptSuggestion","id":"s\#(random.below(3))"}"#
        case 12:
            let op = random.pick(["refuseSuggestion", "reopenSuggestion", "removeSuggestion"])
            return #"{"op":"\#(op)","id":"s\#(random.below(3))"}"#
        default: return #"{"op":"removeVersion","name":"r\#(random.below(3))"}"#
        }
    }

    /// What is wrong with the threads that a room has at the end.
    ///
    /// - Parameter outcome: What a client was told of a message: whether it was committed; `nil`
    ///   where the outcome was left open.
    func faults(
        of annotations: Annotations, _ outcome: (_ client: Int, _ sequence: UInt64) -> Bool?
    ) -> [String] {
        threads.enumerated().compactMap { index, thread in
            let isThere =
                annotations.threads["n\(index)"]?.comments.contains { $0.number == 1 } ?? false
            let wasRemoved = thread.removal.map { outcome(thread.client, $0) } ?? false
            switch outcome(thread.client, thread.opening) {
            case true? where !isThere && wasRemoved == false:
                return "comment n\(index) of client \(thread.client) is lost"
            case true? where isThere && wasRemoved == true:
                return "comment n\(index) of client \(thread.client) was removed and is there"
            case false? where isThere:
                return "comment n\(index) of client \(thread.client) was refused and is there"
            default: return nil
            }
        }
    }
}

/// Annotations in a simulated room.
extension Simulation {
    /// Has a client say something about the scene.
    func annotate(_ actor: SimulatedClient, over id: Int) {
        guard actor.role == .editor else { return }
        annotations.act(actor.number) { text in
            let (sequence, messages) = actor.annotate(text)
            send(messages, over: id)
            return sequence
        }
    }

    /// Answers a room that asks for the scene of a branch: as it began, with another text in one
    /// of its views.
    func readBranch(_ connection: Int, _ room: String, _ life: Int) {
        guard life == self.life, let session, connections[connection].isOpen else { return }
        let id = RoomName.suggestion(of: room) ?? ""
        var scene = OtherScene.none
        if let suggestion = session.wake()?.annotations.suggestions[id],
            var document = try? suggestion.base.scene.document()
        {
            if let last = document.views.indices.last {
                document.views[last].properties.text = "\(id) \(now)"
            }
            scene = .scene(document, tick: session.tick, suggestion)
        }
        carryOut(session.handle(.sceneRead(MemberID(UInt64(connection)), scene)))
    }

    /// Holds annotations against what people were told, and against what all members have.
    func judgeAnnotations(_ session: SceneSession) {
        guard let kept = session.wake()?.annotations else { return }
        // What a damaged journal lost is judged where it is repaired.
        if harm.repairs == 0 {
            faults += annotations.faults(of: kept) { number, sequence in
                let client = clients[number]
                guard !client.lies else { return nil }
                if client.committed.contains(sequence) { return true }
                return client.refused.contains(sequence) ? false : nil
            }
        }
        let keys = kept.keys
        for client in clients
        where !client.lies && client.capabilities & Capability.annotations != 0 {
            let table = client.annotations
            let known = keys.filter { client.capabilities & $0.kind.capability != 0 }
            let isEqual =
                table.changes.count == known.count
                && known.allSatisfy { table[$0.kind, $0.id] == kept.value(of: $0) }
            if !isEqual { faults.append("client \(client.number) has other annotations") }
        }
    }
}
