import JSON
public import SceneCluster

private import Glibc

/// Creates a cluster's streams and says how they are. It owns a connection and waits for each
/// answer; it belongs to the thread that made it.
public final class ClusterAdministrator {
    /// The outcome for one part of a cluster.
    public struct Creation: Equatable, Sendable {
        /// The part, such as `stream ss-journal-0`.
        public var name: String
        /// Whether it was created now, or was there.
        public var isNew: Bool
    }

    let api: JetStreamAPI
    let layout: ClusterLayout

    /// Connects to the engine.
    ///
    /// - Throws: `NATSError`; `serverTooOld` where a server of the list is older than
    ///   `ReleaseVersion.leastServer`.
    public init(_ configuration: NATSConfiguration, layout: ClusterLayout) throws(NATSError) {
        // A server that is too old spoils the cluster even while another one has the connection.
        for address in configuration.addresses {
            if case .success(let greeting) = ServerProbe.ask(address) {
                try greeting.check(address)
            }
        }
        let connection = try NATSConnection(configuration)
        let answer = try connection.request(ServerIdentity.question, timeout: JetStreamAPI.timeout)
        _ = try ServerIdentity(address: connection.address, answer)
        api = JetStreamAPI(connection: connection)
        self.layout = layout
    }

    /// Creates what is missing of a cluster, in an order in which it can be done again after a
    /// failure half-way: the description comes last.
    ///
    /// - Parameters:
    ///   - replicas: On how many servers each record is kept; 1...5, odd.
    ///   - version: The version of SceneSync, for the description.
    /// - Returns: Each part, and the cluster's description.
    /// - Throws: `NATSError`; `foreignCluster` where something is there that differs.
    public func create(
        shards: ShardMap, replicas: Int, version: String
    ) throws(NATSError) -> (parts: [Creation], description: ClusterDescription) {
        var parts: [Creation] = []
        for stream in ClusterLayout.Stream.kept {
            let isNew = try create(stream, replicas: replicas)
            parts.append(Creation(name: "stream \(layout.name(of: stream))", isNew: isNew))
        }
        try spreadLeaders()
        let wanted = ClusterDescription(
            cluster: ClusterID(.random(in: 1...UInt64.max)), shards: shards, replicas: replicas,
            version: version)
        if try api.publishFirst(wanted.bytes, to: layout.clusterDescription) {
            parts.append(Creation(name: "cluster \(wanted.clusterText)", isNew: true))
            return (parts, wanted)
        }
        guard let found = try description() else {
            throw .foreignCluster("its description was there and is gone")
        }
        guard found.shards == shards, found.replicas == replicas else {
            throw .foreignCluster(
                "the cluster \(found.clusterText) has \(found.shards.count) shards and \(found.replicas) replicas, asked for were \(shards.count) and \(replicas)"
            )
        }
        parts.append(Creation(name: "cluster \(found.clusterText)", isNew: false))
        return (parts, found)
    }

    /// Creates one stream, unless it is there.
    ///
    /// - Returns: Whether it was created now.
    func create(_ stream: ClusterLayout.Stream, replicas: Int) throws(NATSError) -> Bool {
        let settings = StreamSettings(stream, of: layout, replicas: replicas)
        if let found = try api.stream(settings.name) {
            let differences = settings.differences(from: found["config"] ?? .null)
            guard differences.isEmpty else {
                throw .foreignCluster(differences.joined(separator: "; "))
            }
            return false
        }
        let begun = ContinuousClock.now
        while true {
            do throws(NATSError) {
                _ = try api.ask("STREAM.CREATE.\(settings.name)", settings.json)
                return true
            } catch {
                guard ContinuousClock.now - begun < JetStreamAPI.electionPatience else {
                    throw error
                }
                switch error {
                // A leader that loses its place meanwhile never answers. A stream that is there
                // with the same settings is made again.
                case .timedOut: break
                // A server that is slow, or has just started, is heard of again.
                case .refused(_, JetStreamAPI.ErrorCode.noSuitablePeers, _):
                    usleep(JetStreamAPI.betweenTriesMicroseconds)
                default: throw error
                }
            }
        }
    }

    /// The cluster's description; nil where there is none.
    ///
    /// - Parameter source: It is written once, so that any replica that has it has the right one;
    ///   one that lags has none.
    public func description(
        from source: EngineRequest.Source = .leader
    ) throws(NATSError) -> ClusterDescription? {
        try last(layout.clusterDescription, from: source).map { (bytes) throws(NATSError) in
            try ClusterDescription(bytes)
        }
    }

    /// The last message of a subject of the metadata.
    func last(
        _ subject: String, from source: EngineRequest.Source
    ) throws(NATSError) -> [UInt8]? {
        let stream = layout.name(of: .metadata)
        let (question, bytes) =
            switch source {
            case .leader: JetStreamQuery.last(subject: subject, stream: stream)
            case .anyReplica: JetStreamQuery.directLast(subject: subject, stream: stream)
            }
        let answer: NATSMessage
        do throws(NATSError) {
            answer = try api.connection.request(
                NATSOutgoing(subject: question, bytes: bytes),
                timeout: JetStreamAPI.leaderTimeout)
        } catch {
            // No server keeps the stream.
            if case .refused(_, NATSConnection.noResponders, _) = error { return nil }
            throw error
        }
        let reply: EngineReply?
        switch source {
        case .leader:
            switch JetStreamAnswer.get(answer, subject: subject, stream: stream) {
            case .message(let message): return message.bytes
            case .end: return nil
            case .answer(let refusal): reply = refusal
            }
        case .anyReplica:
            var batch = DirectBatch(subject: subject)
            reply = batch.take(answer)
        }
        if case .messages(let messages, _)? = reply { return messages.last?.bytes }
        if try api.stream(stream) == nil { return nil }
        throw .malformedAnswer(
            subject: question, reason: reply.map { "\($0)" } ?? "it is a part of one")
    }
}
