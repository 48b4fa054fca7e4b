import Foundation
import JSON
import SceneClient
import SceneDocument
import SceneSession
import SceneStore
import SceneTestSupport
import SeededRandom
import Synchronization
import Testing

/// Somebody who writes as fast as answers come, a few messages ahead, and remembers what was
/// acknowledged.
private final class Writer: Sendable {
    private struct State {
        var session = ""
        var acknowledged: [UInt64] = []
        var refusals: [String] = []
        var next: Int
        var firstWidth: Int32?
    }

    private static let ahead = 4

    private let state: Mutex<State>
    private let client = Mutex<SceneClient?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    /// - Parameter next: The width to write first; each further one is one more.
    init(_ url: String, next: Int) throws {
        state = Mutex(State(next: next))
        var options = SceneClient.Options(url: url)
        options.role = .editor
        options.reconnects = false
        let client = try SceneClient(options) { [weak self] in self?.note($0) }
        self.client.withLock { $0 = client }
        client.connect()
    }

    private func note(_ event: SceneClient.Event) {
        switch event {
        case .welcomed(let welcome): state.withLock { $0.session = welcome.session }
        case .updated(let mirror):
            let isFirst = state.withLock { state in
                guard state.firstWidth == nil else { return false }
                state.firstWidth = mirror.view(id: "a")?.frame.width ?? 0
                return true
            }
            guard isFirst else { return }
            send(
                #"[{"op":"addView","id":"a"},{"op":"addConstraint","id":"w","rule":"a.width == 0"}]"#
            )
            for _ in 0..<Self.ahead { write() }
            isReady.signal()
        case .result(let result):
            state.withLock { state in
                switch result.outcome {
                // Where every op was refused alone, as when the view is there already, nothing is
                // written.
                case .committed(let commit) where commit.refusals.isEmpty:
                    state.acknowledged.append(result.clientSequence)
                case .committed: break
                case .refused(let refusal): state.refusals.append(refusal.message)
                }
            }
            write()
        default: break
        }
    }

    private func write() {
        let width = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        send(#"[{"op":"setConstraint","id":"w","constant":\#(width)}]"#)
    }

    private func send(_ text: String) {
        guard let ops = try? JSONReader.read(Array(text.utf8)) else { return }
        _ = client.withLock { $0 }?.send(ops)
    }

    func waitUntilReady() -> Bool { isReady.wait(timeout: .now() + 20) == .success }

    var session: String { state.withLock { $0.session } }
    var acknowledged: [UInt64] { state.withLock { $0.acknowledged } }
    var next: Int { state.withLock { $0.next } }
    var firstWidth: Int32? { state.withLock { $0.firstWidth } }
}

/// Kills the server at random moments while twenty rooms are being written.
@Suite("A server that is killed", .serialized)
struct KillTests {
    private static let rooms = 20
    private static let runs = 10 * Soak.factor
    /// How often the server of one folder is killed. What is kept for the checks, and the journal
    /// that each of them reads, grow with it; a campaign of any length takes a new folder after so
    /// many.
    private static let runsOfFolder = 20

    @Test("nothing acknowledged is lost, nothing is doubled, nothing is torn")
    func killed() throws {
        var random = SplitMix64(seed: 6)
        for first in stride(from: 0, to: Self.runs, by: Self.runsOfFolder) {
            let runs = first..<min(first + Self.runsOfFolder, Self.runs)
            let count = try Self.kill(during: runs, &random)
            #expect(count > 100 * runs.count, "acknowledged in runs \(runs)")
        }
    }

    /// Kills the server of one folder once in each run, and checks the folder's journals after
    /// each.
    ///
    /// - Returns: How many messages were acknowledged.
    private static func kill(during runs: Range<Int>, _ random: inout SplitMix64) throws -> Int {
        let scratch = try Scratch()
        let data = scratch.path + "/data"
        var next = 1
        var acknowledged: [(room: String, session: String, sequences: [UInt64])] = []
        var lastWidths: [String: Int] = [:]
        for run in runs {
            let server = try ServerProcess(["--data", data])
            let writers = try (0..<rooms).map { room in
                try Writer("\(server.url)/room\(room)", next: next)
            }
            for (room, writer) in writers.enumerated() {
                try #require(writer.waitUntilReady())
                // The room came back as the journal has it.
                if let width = lastWidths["room\(room)"] {
                    #expect(writer.firstWidth == Int32(width), "run \(run), room \(room)")
                }
            }
            // The moment is the point; nothing is waited for.
            usleep(UInt32(random.below(150_000)))
            server.kill()
            next = (writers.map(\.next).max() ?? next) + 1
            for (room, writer) in writers.enumerated() {
                acknowledged.append(("room\(room)", writer.session, writer.acknowledged))
            }
            lastWidths = try check(data, acknowledged)
        }
        return acknowledged.reduce(0) { $0 + $1.sequences.count }
    }

    /// - Returns: The width that each room has at the end of its journal.
    private static func check(
        _ data: String, _ acknowledged: [(room: String, session: String, sequences: [UInt64])]
    ) throws -> [String: Int] {
        let store = try SQLiteStore(directory: data, isReadOnly: true)
        #expect(store.damage.isEmpty)
        var widths: [String: Int] = [:]
        for room in 0..<rooms {
            let name = "room\(room)"
            var written: [String: [UInt64]] = [:]
            for record in try store.records(of: name, from: 0) {
                guard case .batch(let batch) = try JournalPayload(record) else { continue }
                written[batch.author, default: []].append(batch.clientSequence)
                for op in try Op.parseArray(batch.ops) {
                    if case .setConstraint(_, let constant?, _, _, _) = op {
                        widths[name] = Int(constant)
                    }
                }
            }
            for (author, sequences) in written {
                #expect(sequences == Array(Set(sequences)).sorted(), "\(name), \(author)")
            }
            for entry in acknowledged where entry.room == name {
                let lost = Set(entry.sequences).subtracting(written[entry.session] ?? [])
                #expect(lost.isEmpty, "\(name) lost \(lost)")
            }
        }
        #expect(store.damage.isEmpty)
        return widths
    }
}
