import LayoutValues

/// The motion of a mass on a damped spring, from 0 towards 1.
///
/// Two ways lead to it: by mass, stiffness and damping, when it lasts until it has settled; or by a
/// damping ratio and a duration, when it is as stiff as it takes to settle in that time. "Settled"
/// means within 0.001 of the end.
///
/// - Source: the damped harmonic oscillator; Apple, `UISpringTimingParameters`.
public struct SpringTiming: Hashable, Sendable {
    /// Seconds until the spring has settled, which is how long the animation takes.
    public let duration: Double
    /// Below 1 the spring overshoots, at 1 it comes to rest soonest without, above it creeps.
    public let dampingRatio: Double
    /// Radians a second of the same spring without damping.
    public let naturalFrequency: Double
    /// Speed at the start; 1 would cover the whole way in one second.
    public let initialVelocity: Double

    /// The distance from the end at which a spring counts as settled.
    public static let settledDistance = 0.001
    /// Springs that would take longer are cut here, in seconds.
    public static let durationMaximum: Double = 3600

    /// A spring by its physics.
    ///
    /// - Parameters:
    ///   - mass: Of what moves; positive.
    ///   - stiffness: Force for each unit of distance; positive.
    ///   - damping: Force for each unit of speed; positive.
    ///   - initialVelocity: Speed at the start; 1 would cover the whole way in one second.
    /// - Throws: `LayoutError.badValue` when a number is not finite, or not positive where it has
    ///   to be.
    public init(
        mass: Double, stiffness: Double, damping: Double, initialVelocity: Double = 0
    ) throws(LayoutError) {
        for (name, value) in [("mass", mass), ("stiffness", stiffness), ("damping", damping)] {
            guard value.isFinite, value > 0 else {
                throw .badValue("\(name) of a spring: \(value) is not a positive number")
            }
        }
        guard initialVelocity.isFinite else {
            throw .badValue("velocity of a spring: \(initialVelocity) is not finite")
        }
        let frequency = (stiffness / mass).squareRoot()
        let ratio = damping / (2 * (stiffness * mass).squareRoot())
        guard frequency.isFinite, frequency > 0, ratio.isFinite, ratio > 0 else {
            throw .badValue("a spring of stiffness \(stiffness) and mass \(mass) is out of range")
        }
        self.init(
            ratio: ratio, frequency: frequency, velocity: initialVelocity,
            duration: Self.settlingTime(ratio, frequency, initialVelocity))
    }

    /// A spring by how much it swings and how long it takes. Apple's `usingSpringWithDamping`.
    ///
    /// - Parameters:
    ///   - dampingRatio: Within 0.01...1; 1 does not swing. Numbers beyond count as the nearer end.
    ///   - duration: Seconds, positive.
    ///   - initialVelocity: Shares of the whole way a second, positive towards its end.
    /// - Throws: `LayoutError.badValue` when the duration is not positive or a number is not
    ///   finite.
    public init(
        dampingRatio: Double, duration: Double, initialVelocity: Double = 0
    ) throws(LayoutError) {
        guard duration.isFinite, duration > 0 else {
            throw .badValue("duration of a spring: \(duration) is not a positive number")
        }
        guard dampingRatio.isFinite, initialVelocity.isFinite else {
            throw .badValue("a number of a spring is not finite")
        }
        let ratio = min(max(dampingRatio, 0.01), 1)
        let frequency = Self.settlingTime(ratio, 1, 0) / duration
        guard frequency.isFinite, frequency > 0 else {
            throw .badValue("duration of a spring: \(duration) is out of range")
        }
        self.init(
            ratio: ratio, frequency: frequency, velocity: initialVelocity, duration: duration)
    }

    private init(ratio: Double, frequency: Double, velocity: Double, duration: Double) {
        dampingRatio = ratio
        naturalFrequency = frequency
        initialVelocity = velocity
        self.duration = duration
    }

    /// The place at a fraction of the duration: 0 at 0, exactly 1 from 1 on, beyond 1 where it
    /// overshoots.
    public func progress(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        return 1 - distance(afterSeconds: fraction * duration)
    }

    private func distance(afterSeconds t: Double) -> Double {
        let decay = dampingRatio * naturalFrequency
        if dampingRatio < 1 {
            let frequency = naturalFrequency * (1 - dampingRatio * dampingRatio).squareRoot()
            let (sine, cosine) = DeterministicMath.sineAndCosine(frequency * t)
            return DeterministicMath.exp(-decay * t)
                * (cosine + (decay - initialVelocity) / frequency * sine)
        }
        if dampingRatio == 1 {
            return DeterministicMath.exp(-decay * t) * (1 + (decay - initialVelocity) * t)
        }
        let spread = naturalFrequency * (dampingRatio * dampingRatio - 1).squareRoot()
        let (slow, fast) = (decay - spread, decay + spread)
        let share = (fast - initialVelocity) / (fast - slow)
        return share * DeterministicMath.exp(-slow * t)
            + (1 - share) * DeterministicMath.exp(-fast * t)
    }

    /// The time from which on a bound of the distance stays within `settledDistance`.
    private static func settlingTime(
        _ ratio: Double, _ frequency: Double, _ velocity: Double
    ) -> Double {
        let decay = ratio * frequency
        let bound: (Double) -> Double
        if ratio <= 1 {
            // |cos x + (a/b) sin x| is at most √(1 + (a/b)²), and at most 1 + |a|t as |sin x| ≤ x.
            let slope = abs(decay - velocity)
            let damped = frequency * (1 - ratio * ratio).squareRoot()
            let amplitude =
                damped > 0 ? (1 + slope * slope / (damped * damped)).squareRoot() : Double.infinity
            bound = { DeterministicMath.exp(-decay * $0) * min(amplitude, 1 + slope * $0) }
        } else {
            let spread = frequency * (ratio * ratio - 1).squareRoot()
            let (slow, fast) = (decay - spread, decay + spread)
            let share = (fast - velocity) / (fast - slow)
            bound = {
                abs(share) * DeterministicMath.exp(-slow * $0)
                    + abs(1 - share) * DeterministicMath.exp(-fast * $0)
            }
        }
        var low = 0.0
        var high = durationMaximum
        guard bound(high) <= settledDistance else { return durationMaximum }
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if bound(middle) > settledDistance { low = middle } else { high = middle }
        }
        return high
    }
}
