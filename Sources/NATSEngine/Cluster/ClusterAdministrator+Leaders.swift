import JSON

private import Glibc

extension ClusterAdministrator {
    /// Has the streams of records led by different servers, so that the loss of one stops a third
    /// of the shards for the seconds that an election takes, and no more.
    ///
    /// - Throws: `NATSError`; `timedOut` where a stream has no leader for longer than an election
    ///   takes.
    func spreadLeaders() throws(NATSError) {
        for (index, stream) in ClusterLayout.Stream.journals.enumerated() {
            let name = layout.name(of: stream)
            let (leader, peers) = try leadership(of: name)
            let wanted = peers[index % peers.count]
            guard leader != wanted else { continue }
            _ = try api.ask(
                "STREAM.LEADER.STEPDOWN.\(name)",
                .object([
                    JSONMember(
                        "placement", .object([JSONMember("preferred", .string(wanted))]))
                ]))
        }
        // The next publish must find a leader.
        for stream in ClusterLayout.Stream.journals {
            _ = try leadership(of: layout.name(of: stream))
        }
    }

    /// The server that leads a stream, and all that keep it in the order of their names; waits for
    /// a leader.
    private func leadership(of name: String) throws(NATSError) -> (leader: String, peers: [String])
    {
        let begun = ContinuousClock.now
        while true {
            let cluster = try api.stream(name)?["cluster"]
            // A server that stands alone leads, and says nothing of it.
            guard let cluster else { return ("", [""]) }
            if let leader = cluster["leader"]?.string, !leader.isEmpty {
                let others = (cluster["replicas"]?.array ?? []).compactMap { $0["name"]?.string }
                return (leader, ([leader] + others).sorted())
            }
            guard ContinuousClock.now - begun < JetStreamAPI.electionPatience else {
                throw .timedOut(
                    subject: "the election of \(name)",
                    milliseconds: Int(JetStreamAPI.electionPatience.milliseconds))
            }
            usleep(JetStreamAPI.betweenTriesMicroseconds)
        }
    }
}
