import JSON
public import SceneCluster

/// The description of a cluster, written at its creation and never changed: where rooms are looked
/// for depends on it.
public struct ClusterDescription: Equatable, Sendable {
    /// The cluster's number, drawn at random.
    public var cluster: ClusterID
    /// The shards, and the hash that assigns rooms to them.
    public var shards: ShardMap
    /// On how many servers each record is kept.
    public var replicas: Int
    /// The version of SceneSync that created it.
    public var version: String

    /// The format of the description.
    static let format: UInt64 = 1
    private static let hexadecimalDigits = 16

    /// Makes a description.
    public init(cluster: ClusterID, shards: ShardMap, replicas: Int, version: String) {
        self.cluster = cluster
        self.shards = shards
        self.replicas = replicas
        self.version = version
    }

    /// The cluster's number as the description has it: 16 hexadecimal digits.
    public var clusterText: String {
        let digits = String(cluster.rawValue, radix: 16)
        return String(repeating: "0", count: Self.hexadecimalDigits - digits.count) + digits
    }

    /// The description as JSON in UTF-8.
    var bytes: [UInt8] {
        var output: [UInt8] = []
        JSONValue.object([
            JSONMember("format", .number(Double(Self.format))),
            JSONMember("cluster", .string(clusterText)),
            JSONMember("shards", .number(Double(shards.count))),
            JSONMember("hash", .string(ShardMap.hashName)),
            JSONMember("replicas", .number(Double(replicas))),
            JSONMember("version", .string(version)),
        ]).append(to: &output)
        return output
    }

    /// Reads a description.
    ///
    /// - Throws: `NATSError.foreignCluster`.
    init(_ bytes: [UInt8]) throws(NATSError) {
        let value: JSONValue
        do { value = try JSONReader.read(bytes) } catch {
            throw .foreignCluster("its description is no JSON: \(error)")
        }
        guard let format = value["format"]?.count else {
            throw .foreignCluster("its description has no format")
        }
        guard format == Self.format else {
            throw .foreignCluster("its description has format \(format), expected \(Self.format)")
        }
        guard let digits = value["cluster"]?.string, digits.utf8.count == Self.hexadecimalDigits,
            let number = UInt64(digits, radix: 16)
        else { throw .foreignCluster("its description has no number of 16 hexadecimal digits") }
        guard let count = value["shards"]?.count, let hash = value["hash"]?.string,
            let replicas = value["replicas"]?.count, let version = value["version"]?.string
        else { throw .foreignCluster("its description lacks shards, hash, replicas or version") }
        do {
            shards = try ShardMap(count: Int(clamping: count), hash: hash)
        } catch {
            throw .foreignCluster(error.description)
        }
        cluster = ClusterID(number)
        self.replicas = Int(clamping: replicas)
        self.version = version
    }
}
