import Foundation
import JSON
import Logging
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import Threads

@testable import SceneServer

/// A home thread, the slow lane, and a journal in memory; notes the results that members are sent.
final class LaneWorld: MemberConnections, RoomJournal {
    struct Notes {
        var results: [MemberID: [OpsResult]] = [:]
        var records: [RoomRecord] = []
        var closed: [MemberID: String] = [:]
        var welcomed: Set<MemberID> = []
        var loads = 0
        /// Applicants whose proofs are held back; `nil` to hold none.
        var unproved: [RoomMail]?
    }

    let notes = Mutex(Notes())
    let metrics = ServerMetrics()
    let rooms = RoomDirectory(threads: 1, tickRate: 60)
    private let threads: Mutex<[SceneThread]> = Mutex([])

    /// - Parameters:
    ///   - slice: Units of work that a tick may take at home.
    ///   - message: Units of work that a message may take anywhere.
    ///   - proves: Whether the rooms may be another process's.
    ///   - lightTicks: After so many light ticks a room comes back.
    ///   - stepClock: The processor time of threads; steps take none by default, however slow the
    ///     machine is.
    func start(
        slice: UInt64, message: UInt64 = 400_000_000, proves: Bool = false,
        lightTicks: UInt64 = 5, stepClock: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        var limits = ServerLimits()
        limits.workPerMessage = Int(message)
        var configuration = SceneLoop.Configuration(
            connections: self, journal: self,
            settings: ServerSettings(limits, nil), metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        configuration.slice = slice
        configuration.stepClock = stepClock
        configuration.lightTicks = lightTicks
        configuration.session.work.message = message
        configuration.session.provesAnswers = proves
        configuration.lane = .home(slow: rooms.slowMailboxes[0])
        let home = SceneThread(rooms.mailboxes[0], configuration)
        configuration.lane = .slow(homes: rooms)
        let slow = SceneThread(rooms.slowMailboxes[0], configuration)
        for thread in [home, slow] { thread.start() }
        threads.withLock { $0 = [home, slow] }
    }

    func stop() { for thread in threads.withLock({ $0 }) { thread.stop() } }

    func join(
        _ member: MemberID, _ room: String, resuming session: String? = nil,
        role: Role = .editor
    ) {
        var hello = Hello()
        if let session {
            var resume = Resume()
            resume.session = session
            hello.resume = resume
        }
        rooms.post(
            .member(
                .join(
                    member, Applicant(role: role, makesRooms: true, format: .binary, hello: hello))
            ), to: room)
    }

    /// Joins, and waits for the welcome.
    func enter(_ member: MemberID, _ room: String) {
        join(member, room)
        wait { notes.withLock { $0.welcomed.contains(member) } }
    }

    func apply(_ ops: String, _ sequence: UInt64, from member: MemberID, in room: String) {
        var message = Ops()
        message.clientSequence = sequence
        message.ops = (try? JSONReader.read(Array(ops.utf8))) ?? .null
        rooms.post(.member(.message(member, .ops(message))), to: room)
    }

    func results(of member: MemberID) -> [OpsResult] {
        notes.withLock { $0.results[member] ?? [] }
    }

    func wait(_ condition: () -> Bool) { while !condition() { sched_yield() } }

    func send(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        for message in payloads.map({ try? ServerMessage.decode($0) }) {
            notes.withLock { notes in
                switch message {
                case .welcome: notes.welcomed.formUnion(members)
                case .result(let result):
                    for member in members { notes.results[member, default: []].append(result) }
                default: break
                }
            }
        }
    }

    func close(_ member: MemberID, _ code: CloseCode, reason: String) {
        notes.withLock { $0.closed[member] = reason }
    }

    func append(_ entries: [RoomRecord]) {
        guard let last = entries.last else { return }
        notes.withLock { $0.records += entries }
        rooms.post(
            .store(.durable(room: last.room, through: last.record.sequence)), to: last.room)
    }

    func prove(_ room: String, then mail: RoomMail) {
        let isHeld = notes.withLock { notes in
            guard case .member(.join) = mail, notes.unproved != nil else { return false }
            notes.unproved?.append(mail)
            return true
        }
        if !isHeld { rooms.post(mail, to: room) }
    }

    func load(_ room: String, from tick: UInt64?) {
        let records = notes.withLock { notes in
            notes.loads += 1
            return notes.records.filter { $0.room == room }.map(\.record)
        }
        let start = records.lastIndex { $0.kind == .snapshot && $0.tick <= tick ?? .max } ?? 0
        rooms.post(.loaded(.success(Array(records[start...]))), to: room)
    }

    func loadHistory(of room: String, for member: MemberID, tick: UInt64) {}

    func rename(
        _ room: String, to name: String, then mail: @escaping @Sendable (RoomReply) -> RoomMail
    ) {
        notes.withLock { notes in
            for index in notes.records.indices where notes.records[index].room == room {
                notes.records[index].room = name
            }
        }
        rooms.post(mail(.done), to: room)
    }

    func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
        notes.withLock { $0.records.removeAll { $0.room == room } }
        done(nil)
    }
}
