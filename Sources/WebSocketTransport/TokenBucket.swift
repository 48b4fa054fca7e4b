/// A rate limit that allows bursts: a bucket that fills at a steady rate up to its brim, and from
/// which each action takes an amount.
///
/// Source: Turner, "New directions in communications", 1986 (the leaky bucket as a meter).
public struct TokenBucket: Sendable, Equatable {
    private let perSecond: Double
    private let brim: Double
    private var level: Double
    private var filledAt: UInt64

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: The amount that flows in; 0 makes a bucket that never runs dry.
    ///   - brim: The most that it holds.
    ///   - now: Nanoseconds of a clock that only goes forward.
    public init(perSecond: Int, brim: Int, now: UInt64) {
        self.perSecond = Double(perSecond)
        self.brim = Double(max(brim, 1))
        level = self.brim
        filledAt = now
    }

    /// Takes an amount.
    ///
    /// - Returns: 0 where there was enough; else nothing is taken, and the result is the
    ///   nanoseconds until there is.
    public mutating func take(_ amount: Int = 1, now: UInt64) -> UInt64 {
        guard perSecond > 0 else { return 0 }
        if now > filledAt {
            level = min(brim, level + Double(now - filledAt) / 1e9 * perSecond)
            filledAt = now
        }
        // An amount larger than the bucket passes when the bucket is full, since it would never
        // pass otherwise.
        let needed = min(Double(amount), brim)
        guard level < needed else {
            level -= needed
            return 0
        }
        return UInt64(((needed - level) / perSecond * 1e9).rounded(.up))
    }

    /// Whether it holds all that it can, and so is like a new one.
    func isFull(now: UInt64) -> Bool {
        guard perSecond > 0, level < brim else { return true }
        return now > filledAt && level + Double(now - filledAt) / 1e9 * perSecond >= brim
    }
}
