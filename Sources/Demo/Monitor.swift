import Dispatch
import SceneClient
import SceneServer

/// The room `demo`: this machine and this server, once a second.
struct Monitor: DemoProgram {
    static let room = "demo"
    static let example = "monitor"

    /// Its pages, the first of which is shown where no set of constraints says otherwise.
    enum Page: String, CaseIterable {
        case overview, server, people

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var menu: String { "menu-\(rawValue)" }
        /// The set that brings the page into view.
        var set: String? { self == .overview ? nil : "page-\(rawValue)" }
    }

    let site: Site

    func run(_ scene: Scene) async throws {
        let screen = MonitorScreen(scene, site)
        try await screen.begin()
        for page in Page.allCases {
            scene.on(.tap, page.menu) { event in try await screen.turn(to: page, by: event.sender) }
        }
        scene.on(.tap, "wave") { event in try await screen.wave(by: event.sender) }
        while true {
            try await Task.sleep(for: .seconds(1))
            // Measures only while the room has viewers.
            guard site.people(in: Self.room) > 0 else { continue }
            try await screen.refresh()
        }
    }
}

/// The monitor's content; one task at a time changes it.
actor MonitorScreen {
    private let scene: Scene
    private let site: Site
    private var page = Monitor.Page.overview
    private var shown = Shown()
    private var waves = 0
    private var lines: [String] = []
    private var machine = MachineSample.now
    private var server: ServerFigures
    private var measured = DispatchTime.now()
    /// The greatest traffic so far in bytes a second, which is the whole of the bar.
    private var trafficMaximum = 10_000.0
    private var people = 0
    /// The seconds that charts show.
    private static let span = 60
    /// The lines of what happened.
    private static let lineCount = 8

    init(_ scene: Scene, _ site: Site) {
        self.scene = scene
        self.site = site
        server = site.server.figures
    }

    /// Shows the first page and nothing of what a program before left: its counts went with it.
    func begin() async throws {
        let empty = ["waves"] + (1...Self.lineCount).map { "event-\($0)" }
        try await scene.apply(pageOps + empty.flatMap { shown.text($0, "") }, atomic: false)
        try await scene.apply(hideOps, atomic: false)
        try await refresh()
    }

    // MARK: What people do

    /// Shows a page to everybody.
    func turn(to page: Monitor.Page, by sender: UInt32) async throws {
        guard page != self.page else { return }
        self.page = page
        let line = note("\(name(sender)) turned to \(page.title)")
        // Those that slide are seen while they do; what is out of sight afterwards is hidden from
        // screen readers too.
        let unhidden = Monitor.Page.allCases.map { scene[$0.rawValue].set { $0.hidden = false } }
        try await scene.apply(unhidden + pageOps + line + figures(), atomic: false)
        // The next event does not wait for it. That the scene has ended, the program's own loop
        // notices.
        Task {
            try await Task.sleep(for: .milliseconds(400))
            if self.page == page { try await scene.apply(hideOps, atomic: false) }
        }
    }

    /// Counts a wave.
    func wave(by sender: UInt32) async throws {
        waves += 1
        let line = note("\(name(sender)) waved")
        try await scene.apply(
            line + shown.text("waves", waves == 1 ? "1 wave" : "\(waves) waves"), atomic: false)
    }

    // MARK: What is shown

    /// Measures, and shows what is different.
    func refresh() async throws {
        let ops = figures()
        guard !ops.isEmpty else { return }
        try await scene.apply(ops, atomic: false)
    }

    /// The ops of a page that comes into view.
    private var pageOps: [Op] {
        var ops: [Op] = []
        for other in Monitor.Page.allCases {
            let isShown = other == page
            let color = DynamicColor.system(isShown ? .systemBlue : .systemGray)
            ops.append(
                scene[other.menu].set {
                    $0.background =
                        isShown ? .system(.tertiarySystemFill) : DynamicColor("#00000000")
                    $0.interaction.selected = isShown
                })
            ops.append(scene["icon-\(other.rawValue)"].set { $0.look.tint = color })
            ops.append(scene["name-\(other.rawValue)"].set { $0.foreground = color })
            if let set = other.set, !isShown { ops.append(.deactivateSet(id: set)) }
        }
        if let set = page.set { ops.append(.activateSet(id: set)) }
        return [
            .animate(
                Animation(duration: 0.35, curve: .easeInOut, flushesUpdates: true, ops: ops))
        ] + shown.text("crumb", page.title)
    }

    private var hideOps: [Op] {
        Monitor.Page.allCases.map { other in
            scene[other.rawValue].set { $0.hidden = other != page }
        }
    }

    /// The ops of what is different since the last second, for the page that is shown and the lines
    /// around it.
    private func figures() -> [Op] {
        let before = (machine, server, measured)
        (machine, server, measured) = (.now, site.server.figures, .now())
        let seconds =
            max(0.001, Double(measured.uptimeNanoseconds - before.2.uptimeNanoseconds) / 1e9)
        var ops = around()
        switch page {
        case .overview: ops += overview(since: before.0, seconds)
        case .server: ops += serverPage(since: before.1, seconds)
        case .people: ops += shown.text("people-names", names)
        }
        return ops
    }

    private func around() -> [Op] {
        let now = site.people(in: Monitor.room)
        var ops: [Op] = []
        if now != people {
            ops += note(now > people ? "somebody came" : "somebody left")
            people = now
        }
        ops += shown.text("status", Words.people(now) + " here")
        return ops + shown.text("live", "\(scene.tickRate) Hz")
    }

    private func overview(since before: MachineSample, _ seconds: Double) -> [Op] {
        let load = machine.load(since: before)
        let memory = machine.memoryShare
        let traffic = Double(machine.networkBytes &- before.networkBytes) / seconds
        trafficMaximum = max(trafficMaximum, traffic)
        let moving =
            shown.multiplier("cpu-load", Self.share(load))
            + shown.multiplier("memory-load", Self.share(memory))
            + shown.multiplier("network-load", Self.share(traffic / trafficMaximum))
        var ops =
            shown.text("cpu-value", "\(Words.digits(load * 100, 0)) %")
            + shown.text("memory-value", "\(Words.digits(memory * 100, 0)) %")
            + shown.text("network-value", Words.bytes(traffic) + "/s")
            + chart("cpu-chart", Self.share(load), of: 1, .systemGreen)
            + chart("memory-chart", Self.share(memory), of: 1, .systemOrange)
            + chart("network-chart", traffic.rounded(), of: nil, .systemBlue)
        if !moving.isEmpty {
            // Flushed, so that what moves is laid out within the animation.
            ops.append(.animate(Animation(duration: 0.5, flushesUpdates: true, ops: moving)))
        }
        return ops
    }

    /// The ops that draw the last value in a chart.
    ///
    /// - Parameter maximum: The value at the top; `nil` for the greatest.
    private func chart(
        _ id: String, _ value: Double, of maximum: Double?, _ color: SystemColor
    ) -> [Op] {
        var chart = ChartSpec(values: [])
        chart.style = .area
        chart.minimum = 0
        chart.maximum = maximum
        chart.gridLines = 3
        chart.color = .system(color)
        return shown.chart(id, adding: value, maximum: Self.span, chart)
    }

    private func serverPage(since before: ServerFigures, _ seconds: Double) -> [Op] {
        let ticks = server.ticks &- before.ticks
        let nanoseconds = server.tickNanoseconds &- before.tickNanoseconds
        let each = ticks == 0 ? 0 : Double(nanoseconds) / Double(ticks) / 1000
        return shown.text("ticks-value", Words.digits(Double(ticks) / seconds, 0))
            + shown.text("tick-value", Words.digits(each, 0) + " µs")
            + shown.text(
                "sent-value", Words.bytes(Double(server.bytesSent &- before.bytesSent) / seconds))
            + shown.text("resident-value", Words.bytes(Double(server.residentBytes)))
            + shown.text("rooms-value", "\(server.rooms)")
            + shown.text("connections-value", "\(server.connections)")
    }

    /// Shares in whole hundredths: a change too small to see costs no op. Not 0, which would leave
    /// a bar without a width.
    private static func share(_ value: Double) -> Double {
        max(1, (min(1, max(0, value)) * 100).rounded()) / 100
    }

    /// The names of those who said theirs, and how many others there are.
    private var names: String {
        let named = scene.members.values.map(\.name).filter { !$0.isEmpty }.sorted()
        let others = max(0, people - named.count)
        var lines = named.prefix(12).map { String($0.prefix(40)) }
        if named.count > 12 { lines.append("and \(named.count - 12) more") }
        if others > 0 { lines.append(Words.people(others) + " without a name") }
        return lines.isEmpty ? "nobody" : lines.joined(separator: "\n")
    }

    private func name(_ sender: UInt32) -> String {
        let name = scene.members[sender]?.name ?? ""
        return name.isEmpty ? "guest \(sender)" : String(name.prefix(24))
    }

    /// Puts a line above those of before, of which the latest stay.
    private func note(_ text: String) -> [Op] {
        lines = Array(([Words.time(Words.now) + "  " + text] + lines).prefix(Self.lineCount))
        return lines.enumerated().flatMap { shown.text("event-\($0.offset + 1)", $0.element) }
    }
}
