import JSON
public import SceneCluster

/// How a cluster's engine is.
public struct ClusterStatus: Equatable, Sendable {
    /// A server of the list of addresses.
    public struct Server: Equatable, Sendable {
        /// Where it was looked for.
        public var address: NATSAddress
        /// Its answer; a reason if there is none.
        public var greeting: Result<ServerGreeting, ServerProbe.Failure>
    }

    /// A server that keeps a stream beside its leader.
    public struct Replica: Equatable, Sendable {
        /// The server's name.
        public var name: String
        /// Whether it has all that the leader has, but for what is on the way.
        public var isCurrent: Bool
        /// Whether the leader has lost it.
        public var isOffline: Bool
        /// How many operations it is behind.
        public var lag: UInt64
    }

    /// A stream of the cluster.
    public struct Stream: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// On how many servers it is kept.
        public var replicasWanted: Int
        /// The server that leads it; nil while there is none.
        public var leader: String?
        /// The others.
        public var replicas: [Replica]
        /// How many messages it keeps; nil while no leader says so.
        public var messages: UInt64?
        /// The size of these in bytes; nil without a leader's answer.
        public var bytes: UInt64?
        /// How it differs from what this version creates, in words.
        public var differences: [String]
    }

    /// The servers, in the order of the addresses.
    public var servers: [Server]
    /// The streams that are there.
    public var streams: [Stream]
    /// The names of those that are missing.
    public var missing: [String]
    /// The cluster's description; nil where it was not created.
    public var description: ClusterDescription?
    /// Whether the stream of the description has a leader: without one, a description that is not
    /// found may be there.
    public var isDescriptionCertain: Bool
    /// The nodes that have registered, by their numbers.
    public var nodes: [NodeID: String]
}

extension ClusterAdministrator {
    /// How the cluster is now.
    ///
    /// - Parameter addresses: The servers to look at one by one.
    /// - Throws: `NATSError`.
    public func status(of addresses: [NATSAddress]) throws(NATSError) -> ClusterStatus {
        // While the leader does not answer, replicas do, which may lag.
        var source = EngineRequest.Source.leader
        var description: ClusterDescription?
        do throws(NATSError) {
            description = try self.description()
        } catch {
            guard case .timedOut = error else { throw error }
            source = .anyReplica
            description = try self.description(from: source)
        }
        var status = ClusterStatus(
            servers: addresses.map {
                ClusterStatus.Server(address: $0, greeting: ServerProbe.ask($0))
            }, streams: [], missing: [], description: description,
            isDescriptionCertain: source == .leader,
            nodes: description == nil ? [:] : try nodes(from: source))
        for stream in ClusterLayout.Stream.kept {
            let name = layout.name(of: stream)
            let found: JSONValue?
            do throws(NATSError) {
                found = try api.stream(name, patience: .zero)
            } catch {
                // The leader would have answered.
                guard case .timedOut = error else { throw error }
                status.streams.append(.leaderless(name))
                continue
            }
            guard let found else {
                status.missing.append(name)
                continue
            }
            let settings = StreamSettings(
                stream, of: layout,
                replicas: description?.replicas
                    ?? Int(clamping: found["config"]?["num_replicas"]?.count ?? 0))
            status.streams.append(ClusterStatus.Stream(name, found, settings))
        }
        return status
    }
}

extension ClusterStatus.Stream {
    /// A stream that is there and has no leader who would say more.
    static func leaderless(_ name: String) -> ClusterStatus.Stream {
        ClusterStatus.Stream(
            name: name, replicasWanted: 0, leader: nil, replicas: [], messages: nil, bytes: nil,
            differences: [])
    }

    /// Reads what the server says of a stream.
    init(_ name: String, _ found: JSONValue, _ settings: StreamSettings) {
        let cluster = found["cluster"]
        let leader = cluster?["leader"]?.string
        self.init(
            name: name,
            replicasWanted: Int(clamping: found["config"]?["num_replicas"]?.count ?? 0),
            leader: leader == "" ? nil : leader,
            replicas: (cluster?["replicas"]?.array ?? []).map { replica in
                ClusterStatus.Replica(
                    name: replica["name"]?.string ?? "",
                    isCurrent: replica["current"]?.bool ?? false,
                    isOffline: replica["offline"]?.bool ?? false, lag: replica["lag"]?.count ?? 0)
            },
            messages: found["state"]?["messages"]?.count,
            bytes: found["state"]?["bytes"]?.count,
            differences: settings.differences(from: found["config"] ?? .null))
    }
}
