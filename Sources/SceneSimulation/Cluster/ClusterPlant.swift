/// A fault that is planted in a simulated cluster, so that it is known that the checks would find
/// it.
public enum ClusterPlant: String, CaseIterable, Sendable {
    /// The engine keeps what is published, whatever condition it has.
    case noFence = "no-fence"
    /// A new owner goes by what it read before its seal.
    case readBeforeSeal = "read-before-seal"
    /// Ops are acknowledged once the engine acknowledges their group, before it is read back.
    case acknowledgeBeforeReadBack = "acknowledge-before-read-back"
    /// A client sends an op again without its number.
    case unnumbered
    /// An observer takes frames of an owner that was replaced.
    case oldEpochs = "old-epochs"

    /// The engine acknowledges records that it does not keep.
    case forgets
    /// Another program publishes to the subjects of shards.
    case foreignRecord = "foreign-record"

    /// Whether a shard has to stop.
    public var stopsShards: Bool {
        switch self {
        case .forgets, .foreignRecord: true
        case .noFence, .readBeforeSeal, .acknowledgeBeforeReadBack, .unnumbered, .oldEpochs: false
        }
    }

    /// Within so many seeds from 0 on, the checks find the fault.
    public var seedsToFind: UInt64 {
        switch self {
        case .noFence, .readBeforeSeal, .unnumbered, .oldEpochs, .forgets, .foreignRecord: 20
        case .acknowledgeBeforeReadBack: 200
        }
    }
}
