import JSON

/// How a stream of a cluster is set up.
struct StreamSettings {
    let name: String
    private let members: [JSONMember]

    /// The settings of a stream.
    ///
    /// - Parameter replicas: On how many servers each message is kept.
    init(_ stream: ClusterLayout.Stream, of layout: ClusterLayout, replicas: Int) {
        name = layout.name(of: stream)
        let perSubject =
            switch stream {
            // Records are the truth: none is overwritten, and owners purge what a snapshot has made
            // superfluous.
            case .firstJournal, .secondJournal, .thirdJournal: -1
            // A pointer takes the place of the one before it.
            case .snapshots, .metadata: 1
            case .index, .selfTest: -1
            }
        members = [
            JSONMember("subjects", .array([.string(layout.subjects(of: stream))])),
            JSONMember("retention", .string("limits")),
            JSONMember("storage", .string("file")),
            JSONMember("num_replicas", .number(Double(replicas))),
            JSONMember("max_msgs_per_subject", .number(Double(perSubject))),
            JSONMember("max_msgs", .number(-1)),
            JSONMember("max_bytes", .number(-1)),
            JSONMember("max_age", .number(0)),
            JSONMember("max_msg_size", .number(-1)),
            JSONMember("discard", .string("old")),
            // Any replica answers, while the stream has no leader too.
            JSONMember("allow_direct", .bool(true)),
            JSONMember("deny_purge", .bool(false)),
            JSONMember("allow_rollup_hdrs", .bool(false)),
        ]
    }

    /// The request to create the stream.
    var json: JSONValue { .object([JSONMember("name", .string(name))] + members) }

    /// How a stream that is there differs, in words; empty where it does not.
    func differences(from found: JSONValue) -> [String] {
        // Whether single messages may be deleted is not looked at: an operator who removes what a
        // foreign program wrote has to be able to, readers notice what is missing, and streams of
        // an earlier version do not allow it.
        members.compactMap { member in
            // Settings that are off are left out of what servers say.
            let value = found[member.key] ?? .bool(false)
            guard value != member.value else { return nil }
            return
                "the stream \(name) has \(member.key) \(value.text()), expected \(member.value.text())"
        }
    }
}
