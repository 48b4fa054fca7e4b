/// A rate limit that forgives bursts: a bucket that fills at a steady rate up to its brim, and from which everything
/// that is done takes something.
///
/// Source: Turner, "New directions in communications", 1986 (the leaky bucket as a meter).
struct TokenBucket: Equatable {
    private let perSecond: Double
    private let brim: Double
    private var level: Double
    private var filledAt: UInt64

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: How fast it fills; 0 makes a bucket that never runs dry.
    ///   - brim: The most that it holds.
    ///   - now: Nanoseconds of a clock that only goes forward.
    init(perSecond: Int, brim: Int, now: UInt64) {
        self.perSecond = Double(perSecond)
        self.brim = Double(max(brim, 1))
        level = self.brim
        filledAt = now
    }

    /// Takes something out.
    ///
    /// - Returns: 0 when there was enough, else the nanoseconds after which there will be; nothing was taken then.
    mutating func take(_ amount: Int = 1, now: UInt64) -> UInt64 {
        guard perSecond > 0 else { return 0 }
        if now > filledAt {
            level = min(brim, level + Double(now - filledAt) / 1e9 * perSecond)
            filledAt = now
        }
        // What is larger than the bucket passes when it is full, or it would never.
        let needed = min(Double(amount), brim)
        guard level < needed else {
            level -= needed
            return 0
        }
        return UInt64(((needed - level) / perSecond * 1e9).rounded(.up))
    }
}
