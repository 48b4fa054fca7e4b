import SceneCluster
import SceneProtocol

/// What beats and metrics tell of a cluster, as the lines of a screen: nodes with their rates, shards without an owner, and what happened
/// last. Without I/O: beats, pages and moments go in.
struct ClusterWatch {
    /// A page of a node, or why there is none.
    typealias Page = Result<MetricsPage, PageFailure>

    /// Why a node's metrics are not known, in words.
    struct PageFailure: Error, Equatable {
        var reason: String
    }

    private struct Node {
        var beat: Beat
        var heardAt: MonotonicInstant
        var page: (at: MonotonicInstant, Page)?
        var before: (at: MonotonicInstant, MetricsPage)?
    }

    /// So many takeovers are remembered.
    private static let eventMaximum = 200
    /// A node without a beat for so long is left out.
    private static let forgetAfter = Duration.seconds(60)

    private let map: ShardMap
    private let names: [NodeID: String]
    private var nodes: [NodeID: Node] = [:]
    private var owners: [ShardID: (node: NodeID, epoch: UInt64)] = [:]
    private var events: [String] = []
    private var takeovers = 0

    init(_ map: ShardMap, names: [NodeID: String]) {
        self.map = map
        self.names = names
    }

    /// Where the metrics of nodes are, by the addresses that they give to clients.
    var addresses: [NodeID: String] { nodes.mapValues(\.beat.address) }

    /// A beat came.
    mutating func hear(_ beat: Beat, at now: MonotonicInstant, clock: String) {
        let id = beat.sender.node
        // A node that is started again begins to count anew.
        let isSame = nodes[id]?.beat.sender == beat.sender
        nodes[id] = Node(
            beat: beat, heardAt: now, page: isSame ? nodes[id]?.page : nil,
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

    private static let columns: [(title: String, width: Int)] = [
        ("node", 12), ("zone", 8), ("state", 9), ("shards", 6), ("members", 8), ("relayed", 8),
        ("rooms", 7), ("ticks/s", 8), ("late/s", 7), ("commits/s", 9), ("commit 99", 9),
        ("lag 99", 9), ("out kB/s", 9), ("memory", 8), ("takeovers", 9),
    ]

    /// The screen's lines.
    ///
    /// - Complexity: O(claims of all nodes).
    mutating func lines(at now: MonotonicInstant) -> [Line] {
        nodes = nodes.filter { now.elapsed(since: $0.value.heardAt) < Self.forgetAfter }
        let silent = nodes.filter { isSilent($0.value, now) }.count
        let owned = Dictionary(
            grouping: nodes.values.filter { !isSilent($0, now) }.flatMap(\.beat.claims), by: \.shard)
        let vacant = map.shards.filter { owned[$0] == nil }
        var lines = [
            Line(
                text:
                    "\(nodes.count) nodes, \(silent) silent; \(map.count) shards, \(map.count - vacant.count) owned; \(takeovers) takeovers seen",
                kind: .heading),
            Line(text: "", kind: .plain),
            Line(text: Self.row(Self.columns.map(\.title)), kind: .heading),
        ]
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) { lines.append(row(id, node, now)) }
        if nodes.isEmpty { lines.append(Line(text: "no node beats", kind: .alarm)) }
        if !vacant.isEmpty {
            let list = vacant.prefix(32).map { String($0.rawValue) }.joined(separator: " ")
            lines.append(Line(text: "", kind: .plain))
            lines.append(
                Line(
                    text: "\(vacant.count) shards without an owner: \(list)\(vacant.count > 32 ? " …" : "")",
                    kind: .alarm))
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

    private func row(_ id: NodeID, _ node: Node, _ now: MonotonicInstant) -> Line {
        let isSilent = isSilent(node, now)
        var cells = [
            name(id), node.beat.zone.isEmpty ? "-" : node.beat.zone,
            isSilent ? "silent" : node.beat.isDraining ? "drains" : "up",
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
        return Line(
            text: Self.row(cells), kind: isSilent ? .alarm : node.beat.isDraining ? .dim : .plain)
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

    private static func row(_ cells: [String]) -> String {
        zip(cells, columns).enumerated().map { index, pair in
            let (cell, column) = pair
            // The last of a short row is a text, which may be long.
            if index == cells.count - 1, cells.count < columns.count { return cell }
            let space = String(repeating: " ", count: max(0, column.width - cell.count))
            return index < 3 ? cell + space : space + cell
        }.joined(separator: " ")
    }
}
