public import SceneCluster

extension ClusterAdministrator {
    /// The largest number of a node, and so the most nodes that a cluster ever has.
    private static let nodeMaximum = UInt16.max

    /// The nodes that have registered, by their numbers. Numbers are given out in order, from 1,
    /// and never again.
    ///
    /// - Throws: `NATSError`.
    public func nodes(
        from source: EngineRequest.Source = .leader
    ) throws(NATSError) -> [NodeID: String] {
        var names: [NodeID: String] = [:]
        for number in 1...Self.nodeMaximum {
            guard let bytes = try last(layout.node(NodeID(number)), from: source) else { break }
            names[NodeID(number)] = String(decoding: bytes, as: UTF8.self)
        }
        return names
    }

    /// Where clients reach a node, as it has written there; `nil` if it never did.
    ///
    /// - Throws: `NATSError`.
    public func address(of node: NodeID) throws(NATSError) -> String? {
        try last(layout.address(of: node), from: .anyReplica).flatMap(NodeRegister.address(in:))
    }

    /// The number of the node of a name. A name that is new gets the next number; it is kept for
    /// ever.
    ///
    /// - Throws: `NATSError`; `noCluster` where none was created.
    public func register(_ name: String) throws(NATSError) -> NodeID {
        guard try description() != nil else { throw .noCluster(prefix: layout.prefix) }
        for number in 1...Self.nodeMaximum {
            let node = NodeID(number)
            if let bytes = try last(layout.node(node), from: .leader) {
                if bytes == Array(name.utf8) { return node }
                continue
            }
            if try api.publishFirst(Array(name.utf8), to: layout.node(node)) { return node }
            // Another node has taken the number at the same time: the next one, unless it has the
            // same name.
            if try last(layout.node(node), from: .leader) == Array(name.utf8) { return node }
        }
        throw .foreignCluster("all \(Self.nodeMaximum) numbers of nodes are taken")
    }
}

extension ClusterAdministrator {
    /// The cluster's description, from a replica where the stream has no leader at present.
    ///
    /// - Throws: `NATSError`.
    public func settledDescription() throws(NATSError) -> ClusterDescription? {
        // It is written once, so that any replica that has it has the right one.
        if let found = try description(from: .anyReplica) { return found }
        return try description()
    }

    /// Makes sure that the cluster's streams are there.
    ///
    /// - Throws: `NATSError.noStream` for the first that is not; another one where the engine does
    ///   not say.
    public func requireStreams() throws(NATSError) {
        for stream in ClusterLayout.Stream.kept {
            let name = layout.name(of: stream)
            do throws(NATSError) {
                if try api.stream(name, patience: .zero) == nil { throw NATSError.noStream(name) }
            } catch {
                // A stream that has no leader at present is there.
                guard case .timedOut = error else { throw error }
            }
        }
    }

    /// The number of the node of a name, which is registered where it is new.
    ///
    /// - Throws: `NATSError`; `noCluster` where none was created.
    public func number(of name: String) throws(NATSError) -> NodeID {
        // A number that was given stays given, so that any replica that has it has the right one.
        let known = try nodes(from: .anyReplica)
        if let found = known.first(where: { $0.value == name }) { return found.key }
        return try register(name)
    }
}
