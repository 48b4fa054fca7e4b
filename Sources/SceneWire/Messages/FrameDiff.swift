/// Changed frames from one tick to another.
public struct FrameDiff: Sendable, Equatable {
    /// The low eight bits of the tick after it, by which a receiver notices that it is elsewhere.
    ///
    /// A receiver knows the rest: it is at the tick that the frame builds on.
    public var tickLow: UInt8 = 0
    /// How many ticks it moves a mirror on.
    public var baseDistance: UInt64 = 0
    /// How many ticks before the one after it the last one lies whose ops are on disk.
    public var durableDistance: UInt64 = 0
    /// The changes.
    public var body = FrameBody()

    /// Makes a frame that changes nothing and moves on by no tick.
    public init() {}

    /// Makes a frame from ticks.
    ///
    /// - Parameters:
    ///   - tick: The tick after it.
    ///   - baseTick: The tick it builds on; at most `tick`.
    ///   - durableTick: The last tick whose ops are on disk; at most `tick`.
    public init(tick: UInt64, baseTick: UInt64, durableTick: UInt64, body: FrameBody = FrameBody())
    {
        setTicks(tick: tick, baseTick: baseTick, durableTick: durableTick)
        self.body = body
    }

    /// Says the ticks of a frame whose body is used again; as in the initialiser.
    public mutating func setTicks(tick: UInt64, baseTick: UInt64, durableTick: UInt64) {
        tickLow = UInt8(truncatingIfNeeded: tick)
        baseDistance = tick &- baseTick
        durableDistance = tick &- durableTick
    }

    /// The tick after it on a mirror at `tick`; nil if the frame was made for another one.
    public func tick(after tick: UInt64) -> UInt64? {
        let (next, overflows) = tick.addingReportingOverflow(baseDistance)
        let fits =
            !overflows && UInt8(truncatingIfNeeded: next) == tickLow && durableDistance <= next
        return fits ? next : nil
    }
}

extension FrameDiff: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var distances = FrameBodyCodec.Distances(base: baseDistance, durable: durableDistance)
        try coder.u8("tick", &tickLow)
        try coder.frameBody(&body, &distances)
        baseDistance = distances.base
        durableDistance = distances.durable
    }
}
