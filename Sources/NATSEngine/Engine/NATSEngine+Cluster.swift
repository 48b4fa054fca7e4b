public import SceneCluster

extension NATSEngine: ClusterEngine {
    /// Connects an engine that reports `EngineNews`. With a cluster's keys in the configuration,
    /// messages between nodes carry a proof; messages without one are refused.
    ///
    /// - Parameter tell: Takes news on the engine's thread; it must not wait.
    /// - Throws: As `init`.
    public static func connect(
        _ configuration: NATSConfiguration, layout: ClusterLayout,
        telling tell: @escaping @Sendable (EngineNews) -> Void
    ) throws(NATSError) -> any ClusterEngine {
        guard let keys = configuration.clusterKeys else {
            return try NATSEngine(configuration, layout: layout) { event in
                tell(EngineNews(event))
            }
        }
        let check = SealCheck(keys, ClusterSubjects(prefix: layout.prefix))
        let engine = try NATSEngine(configuration, layout: layout) { event in
            for news in check.open(EngineNews(event)) { tell(news) }
        }
        return SealedEngine(engine, keys)
    }

    /// The same as `perform`.
    public func ask(_ request: EngineRequest, as id: UInt64) -> Bool { perform(request, as: id) }

    /// The same as `publish`; what is not taken is lost, as it may be on its way.
    public func send(_ bytes: [UInt8], to subject: String) { publish(bytes, to: subject) }

    /// The same as `subscribe`.
    public func hear(_ subject: String) { subscribe(to: subject) }
}

extension EngineNews {
    /// An event in the words of clusters.
    init(_ event: EngineEvent) {
        self =
            switch event {
            case .replied(let id, let reply): .replied(id, reply)
            case .heard(let subject, let bytes): .heard(subject: subject, bytes: bytes)
            case .connected(let server): .connected(server: "\(server.name) at \(server.address)")
            case .disconnected(let reason): .disconnected(reason)
            case .refused(let error): .trouble(error.description)
            case .closed(let reason): .closed(reason)
            case .dropped(let count):
                .trouble("\(count) messages came faster than they were taken, and were dropped")
            }
    }
}
