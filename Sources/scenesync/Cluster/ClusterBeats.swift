import ArgumentParser
import NATSEngine
import SceneCluster
import Threads
import WebSocketAddress

/// What the nodes of a cluster say of themselves, and the way to tell them something.
final class ClusterBeats: Sendable {
    let description: ClusterDescription
    /// The names of all nodes that ever were.
    let names: [NodeID: String]
    private let beats: Monitor<[NodeID: Beat]>
    private let engine: any ClusterEngine
    private let configuration: NATSConfiguration
    private let layout: ClusterLayout
    private let subjects: ClusterSubjects

    /// Connects, and begins to listen.
    ///
    /// - Throws: `NATSError`.
    init(_ options: EngineOptions) throws(NATSError) {
        configuration = try options.configuration()
        layout = try options.layout()
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        guard let description = try administrator.description() else {
            throw .noCluster(prefix: options.prefix)
        }
        self.description = description
        names = try administrator.nodes()
        subjects = ClusterSubjects(prefix: options.prefix)
        let beats = Monitor<[NodeID: Beat]>([:])
        self.beats = beats
        engine = try NATSEngine.connect(configuration, layout: layout) { news in
            guard case .heard(_, let bytes) = news,
                let beat = try? Beat.decode(bytes, cluster: description.cluster)
            else { return }
            beats.withLock { $0[beat.sender.node] = beat }
            beats.wakeAll()
        }
        engine.hear(subjects.beat)
    }

    /// The same, for commands.
    ///
    /// - Throws: `ExitCode` for an engine that cannot be used, after that was reported.
    static func open(_ options: EngineOptions) throws -> ClusterBeats {
        do throws(NATSError) { return try ClusterBeats(options) } catch {
            throw Output.failure(error)
        }
    }

    /// The number of the node of a name.
    ///
    /// - Throws: `ExitCode` for a name that none has, after that was reported.
    func require(_ name: String) throws -> NodeID {
        if let node = names.first(where: { $0.value == name })?.key { return node }
        throw Output.failure(
            .badConfiguration, "no node is called \(name)",
            try: "the nodes are \(names.values.sorted().joined(separator: ", "))")
    }

    /// A node's name.
    func name(of node: NodeID) -> String { names[node] ?? "node \(node.rawValue)" }

    func send(_ order: ClusterOrder) {
        engine.send(order.encoded(cluster: description.cluster), to: subjects.order)
    }

    /// Waits for what beats show.
    ///
    /// - Parameter look: Looks at the last beat of each node that was heard; `nil` to go on
    ///   waiting.
    /// - Returns: `nil` once the time is over.
    func wait<Found>(seconds: UInt64, for look: ([NodeID: Beat]) -> Found?) -> Found? {
        let end = ContinuousClock.now.advanced(by: .seconds(Int64(seconds)))
        return beats.wait { beats, _ -> Monitor<[NodeID: Beat]>.Step<Found?> in
            if let found = look(beats) { return .finish(found) }
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return .finish(nil) }
            // Beats come often; the rest bounds the wait where none does.
            return .waitAtMost(nanoseconds: min(100_000_000, UInt64(rest / .nanoseconds(1))))
        }
    }

    /// Where clients reach the registered nodes that are heard, as the cluster's metadata has it;
    /// takes a second.
    ///
    /// - Parameter isSecret: Whether a token will be sent there, which leaves this machine over TLS
    ///   alone.
    /// - Throws: `ExitCode` where no node says so, after it was reported.
    func addresses(forSecrets isSecret: Bool) throws -> [String] {
        // All have beaten by then.
        _ = wait(seconds: 1) { _ in Never?.none }
        let heard =
            wait(seconds: 0) { [names] beats in
                beats.filter { names[$0.key] != nil && !$0.value.isDraining }.keys.sorted()
            } ?? []
        let known = try registeredAddresses(of: heard)
        let addresses = known.filter { !isSecret || URLParts($0)?.isPrivate == true }
        if addresses.isEmpty, !known.isEmpty {
            throw Output.failure(
                .badConfiguration,
                "the nodes give clients addresses without TLS, to which no token is sent: "
                    + known.joined(separator: ", "),
                try: "serve the nodes with TLS, or run this on a node's machine")
        }
        guard !addresses.isEmpty else {
            throw Output.failure(
                .unavailable, "no node is heard that has registered where clients reach it",
                try: "start the nodes; scenesync cluster top shows them")
        }
        return addresses
    }

    private func registeredAddresses(of nodes: [NodeID]) throws -> [String] {
        do throws(NATSError) {
            let administrator = try ClusterAdministrator(configuration, layout: layout)
            var addresses: [String] = []
            for node in nodes {
                if let address = try administrator.address(of: node), !address.isEmpty {
                    addresses.append(address)
                }
            }
            return addresses.sorted()
        } catch {
            throw Output.failure(error)
        }
    }

    func close() { engine.close() }
}
