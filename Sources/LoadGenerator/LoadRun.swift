import Dispatch
import FoundationEssentials
import Glibc
import JSON
import SceneWire
import WebSocketAddress
import WebSocketTransport

/// Runs a plan: one thread, one `epoll`, any number of members.
public final class LoadRun {
    private let plan: LoadPlan
    private let sockets: LoadSockets
    private var members: Dictionary<Int32, LoadConnection>.Values { sockets.members.values }
    private var editors: [LoadConnection] = []
    private var statistics: LoadStatistics
    private var report = LoadReport()
    private var nextIndex = 0
    private var isMeasuring = false
    /// Rooms whose scene is there, so that others may come.
    private var readyRooms: Set<Int> = []
    private var loaded = 0
    private var random: UInt64 = 1
    private var nextCount: UInt64 = 0

    /// Looks the servers up.
    ///
    /// - Throws: `LoadError` for a plan that cannot be.
    public init(_ plan: LoadPlan) throws(LoadError) {
        var places: [LoadSockets.Place] = []
        for text in plan.urls {
            guard let url = URLParts(text), !url.isSecure, url.socketPath == nil else {
                throw LoadError(description: "\(text) is no ws:// address")
            }
            places.append(try LoadSockets.Place(host: url.host, port: url.port))
        }
        guard !places.isEmpty else { throw LoadError(description: "there is no address") }
        guard (1...10_000).contains(plan.rooms), (0...100_000).contains(plan.viewers),
            (plan.rooms...100_000).contains(plan.editors), (1...256).contains(plan.devices)
        else {
            throw LoadError(description: "each room needs an editor, and there are limits")
        }
        self.plan = plan
        sockets = LoadSockets(places)
        statistics = LoadStatistics(rooms: plan.rooms)
    }

    private var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: The course of it

    /// Runs the whole plan.
    ///
    /// - Parameter progress: Called about once a second with a line of text.
    /// - Throws: `LoadError` when the rooms cannot be made.
    public func run(progress: (String) -> Void) throws(LoadError) -> LoadReport {
        let begin = now
        for room in 0..<plan.rooms { open(room: room, isEditor: true) }
        turn(until: { self.readyRooms.count == self.plan.rooms }, seconds: 30, progress)
        guard readyRooms.count == plan.rooms else {
            throw LoadError(
                description: "\(readyRooms.count) of \(plan.rooms) rooms could be made")
        }
        for extra in 0..<(plan.editors - plan.rooms) {
            open(room: extra % plan.rooms, isEditor: true)
        }
        join(progress)
        report.joinSeconds = Double(now - begin) / 1e9
        isMeasuring = true
        measure(progress)
        for member in members { member.isLeaving = true }
        report.latency = statistics.latencyPercentiles
        report.editorLatency = statistics.editorLatencyPercentiles
        report.resultLatency = statistics.resultPercentiles
        report.frames = statistics.frames
        report.ticks = statistics.ticks
        report.missed = statistics.missed
        return report
    }

    /// Connects the viewers, and waits until all members have the scene.
    private func join(_ progress: (String) -> Void) {
        let begin = now
        var opened = 0
        while opened < plan.viewers {
            let due =
                plan.joinsPerSecond > 0
                ? min(plan.viewers, 1 + Int(Double(now - begin) / 1e9 * plan.joinsPerSecond))
                : plan.viewers
            while opened < due {
                open(room: opened % plan.rooms, isEditor: false)
                opened += 1
                if opened % 64 == 0 { pump(milliseconds: 0) }
            }
            pump(milliseconds: 1)
        }
        turn(
            until: {
                self.loaded + self.report.failed + self.report.dropped >= self.plan.viewers
                    + self.plan.editors
            },
            seconds: 60, progress)
    }

    private func measure(_ progress: (String) -> Void) {
        let begin = now
        let processor = plan.serverProcess.map(ProcessUsage.seconds)
        let bytesBefore = members.reduce(0) { $0 + $1.bytesReceived }
        let interval = 1e9 / max(plan.rate, 0.001)
        // Each edit comes at any time of its interval: at equal distances, they would meet all
        // ticks at the same moment.
        var edits = editors.map { _ in 0.0 }
        var due = editors.map { _ in nextShare() * interval }
        var churned = 0.0
        var nextLine = begin + 1_000_000_000
        while Double(now - begin) / 1e9 < plan.seconds {
            let elapsed = Double(now - begin)
            for (index, editor) in editors.enumerated() where editor.stage == .joined {
                while plan.rate > 0, due[index] <= elapsed {
                    edits[index] += 1
                    due[index] = (edits[index] + nextShare()) * interval
                    edit(editor, Int(edits[index]))
                }
            }
            while plan.churnPerSecond > 0, churned / plan.churnPerSecond * 1e9 <= elapsed {
                churned += 1
                churn()
            }
            pump(milliseconds: 1)
            countTicks(all: false)
            guard now >= nextLine else { continue }
            nextLine += 1_000_000_000
            noteMemory(elapsed / 1e9 / plan.seconds)
            progress(
                "\(Int(elapsed / 1e9)) s: \(members.count) members, \(statistics.frames) frames, \(report.committed) committed, \(report.dropped) dropped"
            )
        }
        report.seconds = Double(now - begin) / 1e9
        if let id = plan.serverProcess, let processor {
            report.serverSeconds = ProcessUsage.seconds(id) - processor
        }
        // What is still on its way: until the results are there and nothing has come for a while.
        let end = now + 3_000_000_000
        var (seen, quietSince) = (statistics.frames, now)
        while now < end,
            editors.contains(where: { !$0.sentAt.isEmpty }) || now < quietSince + 300_000_000
        {
            pump(milliseconds: 10)
            if statistics.frames != seen { (seen, quietSince) = (statistics.frames, now) }
        }
        countTicks(all: true)
        report.bytes = max(0, members.reduce(0) { $0 + $1.bytesReceived } - bytesBefore)
    }

    /// The least of a while says more than any moment: what is only passing through is not in it.
    private func noteMemory(_ fraction: Double) {
        guard let id = plan.serverProcess else { return }
        let bytes = ProcessUsage.residentBytes(id)
        report.serverBytes = max(report.serverBytes ?? 0, bytes)
        if (0.2..<0.4).contains(fraction) {
            report.serverBytesEarly = min(report.serverBytesEarly ?? bytes, bytes)
        }
        if fraction >= 0.8 { report.serverBytesLate = min(report.serverBytesLate ?? bytes, bytes) }
    }

    private func turn(until done: () -> Bool, seconds: Double, _ progress: (String) -> Void) {
        let end = now + UInt64(seconds * 1e9)
        var nextLine = now + 1_000_000_000
        while !done(), now < end {
            pump(milliseconds: 10)
            if now >= nextLine {
                nextLine += 1_000_000_000
                progress("\(loaded) of \(plan.viewers + plan.editors) are there")
            }
        }
    }

    /// Counts the ticks that all members had a second to receive.
    private func countTicks(all: Bool) {
        guard all || now >= nextCount else { return }
        nextCount = now + 500_000_000
        for room in 0..<plan.rooms {
            let present = members.filter { $0.room == room && $0.stage == .joined }
            let newest = present.map(\.lastTick).max() ?? 0
            let count = plan.churnPerSecond > 0 ? 0 : present.count
            statistics.countTicks(
                room: room, before: all ? .max : newest > 90 ? newest - 90 : 0, members: count)
        }
    }

    // MARK: Members

    private func open(room: Int, isEditor: Bool) {
        nextIndex += 1
        guard let member = sockets.open(index: nextIndex, room: room, isEditor: isEditor) else {
            report.failed += 1
            return
        }
        if isEditor { editors.append(member) }
    }

    /// Handles whatever is ready.
    private func pump(milliseconds: Int32) {
        sockets.pump(
            milliseconds: milliseconds,
            greet: { $0.shakeHands(room: Self.name($0.room)) },
            arrived: arrived)
    }

    private static func name(_ room: Int) -> String { "load-\(room + 1)" }

    private func arrived(_ arrival: LoadConnection.Arrival, _ member: LoadConnection) {
        switch arrival {
        case .welcome:
            report.joined += 1
            var hello = Hello()
            hello.role = member.isEditor ? .editor : .viewer
            hello.token = plan.token
            let number = member.index % plan.devices
            if !member.isEditor, number > 0 {
                hello.capabilities = Capability.devices
                hello.device = LoadScene.device(number)
            }
            member.send(.hello(hello))
        case .snapshot:
            if member.isEditor, readyRooms.insert(member.room).inserted {
                send(LoadScene.document(views: plan.views), from: member)
            }
            if !member.hasScene { loaded += 1 }
            member.hasScene = true
        case .frame(let tick):
            if isMeasuring {
                statistics.frame(
                    tick, room: member.room, member: member.index, isEditor: member.isEditor,
                    at: now)
            }
        case .result(let result):
            guard let sent = member.sentAt.removeValue(forKey: result.clientSequence) else {
                return
            }
            if case .committed = result.outcome {
                report.committed += 1
            } else {
                report.refused += 1
            }
            if isMeasuring {
                statistics.result(
                    result, room: member.room, author: member.index, sent: sent, at: now)
            }
        case .ended(let code):
            guard !member.isLeaving else { return }
            report.dropped += 1
            report.closeCodes[code, default: 0] += 1
        }
    }

    private func send(_ ops: JSONValue, from member: LoadConnection) {
        var message = Ops()
        message.clientSequence = member.nextSequence
        message.baseTick = member.lastTick
        message.ops = .array([ops])
        member.sentAt[member.nextSequence] = now
        member.nextSequence += 1
        report.sent += 1
        member.send(.ops(message))
        sockets.noteOutgoing(of: member)
    }

    /// Moves the divider, so that about half of the views move with it.
    private func edit(_ member: LoadConnection, _ count: Int) {
        send(
            .object([
                JSONMember("op", .string("setConstraint")), JSONMember("id", .string("divider")),
                JSONMember("constant", .number(Double(100 + count * 7 % 200))),
            ]), from: member)
    }

    /// A number from 0 to 1, the same ones in each run.
    private func nextShare() -> Double {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(random >> 11) / 0x1p53
    }

    /// Disconnects one viewer without a closing handshake and connects another.
    private func churn() {
        let viewers = members.filter { !$0.isEditor && $0.stage == .joined }
        guard !viewers.isEmpty else { return }
        let chosen = viewers[min(Int(nextShare() * Double(viewers.count)), viewers.count - 1)]
        chosen.isLeaving = true
        sockets.drop(chosen)
        open(room: chosen.room, isEditor: false)
    }
}
