public import JSON
import SceneDocument

/// All views, or a chunk of them, in preorder.
public struct Snapshot: Sendable, Equatable {
    /// The session's epoch.
    public var epoch: UInt64 = 0
    /// The tick whose state it is.
    public var tick: UInt64 = 0
    /// Which chunk, from 0.
    public var chunkIndex: UInt32 = 0
    /// How many chunks.
    public var chunkCount: UInt32 = 1
    /// Whether the bytes of the views are deflated in the binary format.
    public var isDeflated = false
    /// The hash of the whole state.
    public var stateHash: UInt64 = 0
    /// The views; a superview comes before its subviews, subviews in their order.
    public var views: [ViewRecord] = []

    /// Makes an empty snapshot.
    public init() {}
}

extension Snapshot: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("epoch", &epoch)
        try coder.u64("tick", &tick)
        try coder.u32("chunkIndex", &chunkIndex)
        try coder.u32("chunkCount", &chunkCount)
        if chunkCount > UInt32(Limits.chunkMaximum) {
            try coder.invalid("chunkCount", "at most \(Limits.chunkMaximum)")
        }
        if chunkIndex >= chunkCount { try coder.invalid("chunkIndex", "less than chunkCount") }
        try coder.bool("deflated", &isDeflated)
        try coder.fixed64("stateHash", &stateHash)
        try coder.records("views", &views, deflated: isDeflated)
        let hasExtras = views.contains { $0.content.hasUnhashed }
        var faces = hasExtras ? TextFaces(of: views) : nil
        try coder.extra(2, "faces", &faces)
        var looks = hasExtras ? ViewLooks(of: views) : nil
        try coder.extra(4, "looks", &looks)
        var symbols = looks?.symbols
        try coder.extra(6, "symbols", &symbols)
        looks?.take(symbols)
        var charts = looks?.charts
        try coder.extra(8, "charts", &charts)
        looks?.take(charts)
        faces?.give(to: &views)
        looks?.give(to: &views)
    }
}

extension Snapshot {
    /// The snapshot as a JSON value: the message without its `type`.
    public var json: JSONValue { JSONFieldEncoder.object(self) }
}
