import CEpoll
import Dispatch
import FoundationEssentials
import Glibc
import SceneProtocol
import WebSocketTransport

/// Runs a plan: one thread, one `epoll`, any number of members.
public final class LoadRun {
    private let plan: LoadPlan
    private let url: URLParts
    private let address: sockaddr_in
    private let poll: Int32
    private var members: [Int32: LoadConnection] = [:]
    private var editors: [LoadConnection] = []
    private var statistics: LoadStatistics
    private var report = LoadReport()
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var ready = [epoll_event](repeating: epoll_event(), count: 1024)
    private var nextIndex = 0
    private var isMeasuring = false
    /// Rooms whose scene is there, so that others may come.
    private var readyRooms: Set<Int> = []
    private var loaded = 0
    private var random: UInt64 = 1
    private var nextSettle: UInt64 = 0

    /// Looks the server up.
    ///
    /// - Throws: `LoadError` for a plan that cannot be.
    public init(_ plan: LoadPlan) throws(LoadError) {
        guard let url = URLParts(plan.url), !url.isSecure else {
            throw LoadError(description: "\(plan.url) is no ws:// address")
        }
        guard (1...10_000).contains(plan.rooms), (0...100_000).contains(plan.viewers),
            (plan.rooms...100_000).contains(plan.editors), (1...256).contains(plan.devices)
        else {
            throw LoadError(description: "each room needs an editor, and there are limits")
        }
        self.plan = plan
        self.url = url
        address = try Self.resolve(url.host, url.port)
        poll = epoll_create1(0)
        statistics = LoadStatistics(rooms: plan.rooms)
    }

    deinit { close(poll) }

    private static func resolve(_ host: String, _ port: Int) throws(LoadError) -> sockaddr_in {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let found = list else {
            throw LoadError(description: "\(host) is not known")
        }
        defer { freeaddrinfo(list) }
        return found.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee
        }
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
        for member in members.values { member.isLeaving = true }
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
        let bytesBefore = members.values.reduce(0) { $0 + $1.bytesReceived }
        let interval = 1e9 / max(plan.rate, 0.001)
        // Each edit comes at any time of its interval: at equal distances, they would meet all ticks at the same moment.
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
            settle(all: false)
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
        settle(all: true)
        report.bytes = max(0, members.values.reduce(0) { $0 + $1.bytesReceived } - bytesBefore)
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
    private func settle(all: Bool) {
        guard all || now >= nextSettle else { return }
        nextSettle = now + 500_000_000
        for room in 0..<plan.rooms {
            let present = members.values.filter { $0.room == room && $0.stage == .joined }
            let newest = present.map(\.lastTick).max() ?? 0
            let count = plan.churnPerSecond > 0 ? 0 : present.count
            statistics.settle(
                room: room, before: all ? .max : newest > 90 ? newest - 90 : 0, members: count)
        }
    }

    // MARK: Members

    private func open(room: Int, isEditor: Bool) {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            report.failed += 1
            return
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            close(descriptor)
            report.failed += 1
            return
        }
        nextIndex += 1
        let member = LoadConnection(
            index: nextIndex, room: room, isEditor: isEditor, descriptor: descriptor)
        members[descriptor] = member
        if isEditor { editors.append(member) }
        watch(member, EPOLL_CTL_ADD, writes: true)
    }

    private func watch(_ member: LoadConnection, _ operation: Int32, writes: Bool) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writes ? EPOLLOUT.rawValue : 0)
        event.data.fd = member.descriptor
        epoll_ctl(poll, operation, member.descriptor, &event)
    }

    /// Handles whatever is ready.
    private func pump(milliseconds: Int32) {
        let count = epoll_wait(poll, &ready, Int32(ready.count), milliseconds)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = ready[index]
            guard let member = members[event.data.fd] else { continue }
            if member.stage == .connecting, event.events & EPOLLOUT.rawValue != 0 {
                member.shakeHands(host: "\(url.host):\(url.port)", room: Self.name(member.room))
                watch(member, EPOLL_CTL_MOD, writes: member.hasOutgoing)
            } else if event.events & EPOLLOUT.rawValue != 0 {
                member.flush()
                if !member.hasOutgoing { watch(member, EPOLL_CTL_MOD, writes: false) }
            }
            if event.events & ~EPOLLOUT.rawValue != 0 {
                member.receive(&buffer) { arrived($0, member) }
                if member.hasOutgoing { watch(member, EPOLL_CTL_MOD, writes: true) }
            }
            if member.stage == .ended { members[member.descriptor] = nil }
        }
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
        if member.hasOutgoing { watch(member, EPOLL_CTL_MOD, writes: true) }
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

    /// Lets one viewer go, without a word, and another come.
    private func churn() {
        let viewers = members.values.filter { !$0.isEditor && $0.stage == .joined }
        guard !viewers.isEmpty else { return }
        let chosen = viewers[min(Int(nextShare() * Double(viewers.count)), viewers.count - 1)]
        chosen.isLeaving = true
        chosen.stage = .ended
        members[chosen.descriptor] = nil
        open(room: chosen.room, isEditor: false)
    }
}

/// The scene of a load.
enum LoadScene {
    /// A device besides the main one, each narrower than the one before.
    static func device(_ number: Int) -> DeviceRequest {
        var request = DeviceRequest()
        request.viewport = .object([JSONMember("width", .number(Double(640 - number)))])
        return request
    }

    /// A divider, and rows on both sides of it.
    static func document(views: Int) -> JSONValue {
        var list = ["left", "right"].map { JSONValue.object([JSONMember("id", .string($0))]) }
        var rules = [
            "left.leading == root.leading", "right.leading == left.trailing",
            "right.trailing == root.trailing", "V:|[left]|", "V:|[right]|",
        ].map { JSONValue.string($0) }
        rules.append(
            .object([
                JSONMember("id", .string("divider")),
                JSONMember("rule", .string("left.width == 200 @750")),
            ]))
        for number in 0..<max(0, views - 2) {
            let side = number % 2 == 0 ? "left" : "right"
            list.append(
                .object([
                    JSONMember("id", .string("row\(number)")), JSONMember("parent", .string(side)),
                ]))
            rules.append(.string("H:|-[row\(number)]-|"))
            rules.append(.string("row\(number).top == \(side).top + \(number / 2 * 12)"))
            rules.append(.string("row\(number).height == 10"))
        }
        return .object([
            JSONMember("op", .string("setScene")), JSONMember("scene", .number(1)),
            JSONMember(
                "viewport",
                .object([JSONMember("width", .number(640)), JSONMember("height", .number(400))])),
            JSONMember("views", .array(list)), JSONMember("constraints", .array(rules)),
        ])
    }
}
