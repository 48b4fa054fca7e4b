import SceneCluster

/// What beats and metrics tell of a cluster, as the lines of a screen: nodes with their rates,
/// shards without an owner, and what happened last. Without I/O: beats, pages and moments go in.
struct ClusterWatch {
    /// A page of a node, or why there is none.
    typealias Page = Result<MetricsPage, PageFailure>

    /// Why a node's metrics are not known, in words.
    struct PageFailure: Error, Equatable {
        var reason: String
    }

    private struct Node {
        var beat: Beat
        /// The moment of its first beat.
        var since: MonotonicInstant
        var heardAt: MonotonicInstant
        var page: (at: MonotonicInstant, Page)?
        var before: (at: MonotonicInstant, MetricsPage)?
    }

    /// So many takeovers are remembered.
    private static let eventMaximum = 200
    /// So many unknown nodes are counted.
    private static let strangerMaximum = 1000
    /// A node without a beat for so long is left out.
    private static let forgetAfter = Duration.seconds(60)

    private let map: ShardMap
    private var names: [NodeID: String]
    /// Nodes that beat, although the cluster's metadata does not name them.
    private var strangers: Set<NodeID> = []
    private var nodes: [NodeID: Node] = [:]
    private var owners: [ShardID: (node: NodeID, epoch: UInt64)] = [:]
    private var events: [String] = []
    private var takeovers = 0

    init(_ map: ShardMap, names: [NodeID: String]) {
        self.map = map
        self.names = names
    }

    /// Whether a node beats that is not named yet.
    var hasStrangers: Bool { !strangers.isEmpty }

    /// Takes the names of the nodes that have registered, as the cluster's metadata has them.
    mutating func know(_ names: [NodeID: String]) {
        self.names = names
        strangers.subtract(names.keys)
    }

    /// Notes the nodes that beat and have not sent a page for a while, though they were asked:
    /// those of an earlier version never do.
    mutating func missPages(olderThan age: Duration, at now: MonotonicInstant) {
        for (id, node) in nodes where !isSilent(node, now) {
            guard now.elapsed(since: node.page?.at ?? node.since) > age else { continue }
            take(
                .failure(PageFailure(reason: "sends no metrics: an earlier version?")), of: id,
                at: now)
        }
    }

    /// Whether some node is heard, and of each two pages were read, or none can be.
    var hasRates: Bool {
        !nodes.isEmpty
            && nodes.values.allSatisfy { node in
                switch node.page?.1 {
                case .success: node.before != nil
                case .failure: true
                case nil: false
                }
            }
    }

    /// A beat came.
    mutating func hear(_ beat: Beat, at now: MonotonicInstant, clock: String) {
        let id = beat.sender.node
        // Anybody who may publish can beat; a node registers before it does.
        guard names[id] != nil else {
            if strangers.count < Self.strangerMaximum { strangers.insert(id) }
            return
        }
        // A node that is started again begins to count anew.
        let isSame = nodes[id]?.beat.sender == beat.sender
        nodes[id] = Node(
            beat: beat, since: isSame ? nodes[id]?.since ?? now : now, heardAt: now,
            page: isSame ? nodes[id]?.page : nil,
            before: isSame ? nodes[id]?.before : nil)
        for claim in beat.claims {
            let known = owners[claim.shard]
            guard claim.epoch > known?.epoch ?? 0 else { continue }
            owners[claim.shard] = (id, claim.epoch)
            guard let known else { continue }
            takeovers += 1
            events.append(
                "\(clock) shard \(claim.shard.rawValue): \(name(known.node)) ▸ \(name(id)), epoch \(claim.epoch)"
            )
            if events.count > Self.eventMaximum { events.removeFirst() }
        }
    }

    /// A page was read, or not.
    mutating func take(_ page: Page, of node: NodeID, at now: MonotonicInstant) {
        if let (at, last) = nodes[node]?.page, case .success(let metrics) = last {
            nodes[node]?.before = (at, metrics)
        }
        nodes[node]?.page = (now, page)
    }

    // MARK: The screen

    /// A line, and whether it is a heading or wants a look.
    struct Line: Equatable {
        enum Kind { case heading, plain, dim, alarm }
        var text: String
        var kind: Kind
    }

    /// The columns of a node's row, each with its place among those that a narrow screen has room
    /// for.
    private static let columns = [
        WatchTable.Column("node", rank: 0, isText: true),
        WatchTable.Column("zone", rank: 8, isText: true),
        WatchTable.Column("state", rank: 1, isText: true),
        WatchTable.Column("shards", rank: 2), WatchTable.Column("members", rank: 3),
        WatchTable.Column("relayed", rank: 7), WatchTable.Column("rooms", rank: 12),
        WatchTable.Column("ticks/s", rank: 10), WatchTable.Column("late/s", rank: 6),
        WatchTable.Column("commits/s", rank: 4), WatchTable.Column("commit 99", rank: 5),
        WatchTable.Column("lag 99", rank: 9), WatchTable.Column("out kB/s", rank: 13),
        WatchTable.Column("memory", rank: 11), WatchTable.Column("takeovers", rank: 14),
    ]

    /// The screen's lines.
    ///
    /// - Parameter screen: The columns of the screen; `nil` for as many as there is to tell.
    /// - Complexity: O(claims of all nodes).
    mutating func lines(at now: MonotonicInstant, columns screen: Int? = nil) -> [Line] {
        nodes = nodes.filter { now.elapsed(since: $0.value.heardAt) < Self.forgetAfter }
        let silent = nodes.filter { isSilent($0.value, now) }.count
        let owned = Dictionary(
            grouping: nodes.values.filter { !isSilent($0, now) }.flatMap(\.beat.claims), by: \.shard
        )
        let vacant = map.shards.filter { owned[$0] == nil }
        var lines = [
            Line(
                text: "\(nodes.count) nodes, \(silent) silent; "
                    + "\(map.count) shards, \(map.count - vacant.count) owned; "
                    + "\(takeovers) takeovers seen",
                kind: .heading),
            Line(text: "", kind: .plain),
        ]
        let sorted = nodes.sorted { $0.key < $1.key }
        let table = WatchTable(
            Self.columns, rows: sorted.map { cells($0.key, $0.value, now) }, within: screen)
        lines.append(Line(text: table.heading, kind: .heading))
        for ((_, node), text) in zip(sorted, table.rows) {
            let kind: Line.Kind =
                isSilent(node, now) ? .alarm : node.beat.isDraining ? .dim : .plain
            lines.append(Line(text: text, kind: kind))
        }
        if !strangers.isEmpty {
            let list = strangers.sorted().prefix(8).map { String($0.rawValue) }
            lines.append(
                Line(
                    text: "ignored: beats of nodes that never registered: "
                        + list.joined(separator: " ") + (strangers.count > 8 ? " …" : ""),
                    kind: .alarm))
        }
        if nodes.isEmpty { lines.append(Line(text: "no node beats", kind: .alarm)) }
        if !vacant.isEmpty {
            let list = vacant.prefix(32).map { String($0.rawValue) }.joined(separator: " ")
            let more = vacant.count > 32 ? " …" : ""
            lines.append(Line(text: "", kind: .plain))
            lines.append(
                Line(
                    text: "\(vacant.count) shards without an owner: \(list)\(more)", kind: .alarm))
        }
        if !events.isEmpty {
            lines.append(Line(text: "", kind: .plain))
            lines += events.suffix(20).reversed().map { Line(text: $0, kind: .dim) }
        }
        return lines
    }

    private func isSilent(_ node: Node, _ now: MonotonicInstant) -> Bool {
        now.elapsed(since: node.heardAt) > OwnerLimits.silence
    }

    private func name(_ node: NodeID) -> String { names[node] ?? "node \(node.rawValue)" }

    /// A node's cells; fewer than there are columns where its metrics are not known, and why in the
    /// last.
    private func cells(_ id: NodeID, _ node: Node, _ now: MonotonicInstant) -> [String] {
        var cells = [
            name(id), node.beat.zone.isEmpty ? "-" : node.beat.zone,
            isSilent(node, now) ? "silent" : node.beat.isDraining ? "drains" : "up",
            String(node.beat.claims.count),
        ]
        switch node.page?.1 {
        case .success(let page):
            cells += [
                page["members"], page["relayed_members"], page["rooms"],
            ].map { String(Int($0)) }
            cells += rates(page, node)
            cells.append("\(Int(page["resident_bytes"] / Double(1 << 20))) MB")
            cells.append(String(Int(page["takeover_seconds_count"])))
        case .failure(let failure): cells.append(failure.reason)
        case nil: cells.append("-")
        }
        return cells
    }

    private func rates(_ page: MetricsPage, _ node: Node) -> [String] {
        guard let (before, old) = node.before, let (now, _) = node.page else {
            return Array(repeating: "-", count: 6)
        }
        let seconds = max(0.001, now.elapsed(since: before) / .seconds(1))
        func rate(_ name: String) -> Double { max(0, page[name] - old[name]) / seconds }
        func time(_ name: String) -> String {
            guard let value = page.share(0.99, of: name, since: old) else { return "-" }
            return value.isFinite ? "\(Int((value * 1000).rounded(.up))) ms" : "long"
        }
        return [
            String(Int(rate("ticks_total"))), String(Int(rate("late_ticks_total").rounded(.up))),
            String(Int(rate("engine_commit_seconds_count"))), time("engine_commit_seconds"),
            time("client_lag_seconds"), String(Int(rate("sent_bytes_total") / 1000)),
        ]
    }
}
