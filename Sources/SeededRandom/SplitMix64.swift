/// A seeded random number generator for tests and simulations.
///
/// Equal seeds give equal numbers on every machine, so a failing case can be repeated from its seed
/// alone. The numbers are not fit for secrets.
///
/// - Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose numbers follow from `seed` alone.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `count` − 1. `count` must be positive.
    public mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    /// One of `choices`, which must not be empty.
    public mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[below(choices.count)]
    }

    /// Whether an event of probability `numerator`/`denominator` occurs.
    public mutating func chance(_ numerator: Int, of denominator: Int) -> Bool {
        below(denominator) < numerator
    }
}
