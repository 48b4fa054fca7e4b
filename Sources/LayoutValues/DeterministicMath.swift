/// Functions that C libraries round differently, so that a replay on another machine is exact to
/// the bit.
///
/// Only + − × ÷ and √ are used, whose results IEEE 754 fixes; errors stay within a few units in the
/// last place over the ranges that animations need.
public enum DeterministicMath {
    private static let log2High = 0.693147180369123816490
    private static let log2Low = 1.90821492927058770002e-10
    private static let halfPiHigh = 1.57079632673412561417
    private static let halfPiLow = 6.07710050650619224932e-11

    /// *e* to the power of `x`; 0 below the range of normal numbers, infinity above.
    ///
    /// - Complexity: O(1).
    public static func exp(_ x: Double) -> Double {
        guard x > -708 else { return 0 }
        guard x < 709 else { return .infinity }
        let power = (x / 0.6931471805599453).rounded()
        let rest = (x - power * log2High) - power * log2Low
        // |rest| ≤ 0.35: the 14th term is below 1e-17.
        var sum = 1.0
        for divisor in stride(from: 14.0, through: 1, by: -1) { sum = 1 + sum * rest / divisor }
        return sum * Double(sign: .plus, exponent: Int(power), significand: 1)
    }

    /// Sine and cosine of an angle in radians, within ±100,000.
    ///
    /// - Complexity: O(1).
    public static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
        let quarter = (x / 1.5707963267948966).rounded()
        let rest = (x - quarter * halfPiHigh) - quarter * halfPiLow
        return sineAndCosine(
            rest, quarters: Int(quarter.truncatingRemainder(dividingBy: 4)), terms: 8)
    }

    /// Sine and cosine of an angle in degrees; exact for multiples of 90.
    ///
    /// - Complexity: O(1).
    public static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        let quarter = (turned / 90).rounded()
        return sineAndCosine(
            (turned - quarter * 90) * (Double.pi / 180), quarters: Int(quarter), terms: 10)
    }

    /// By series, after the reduction to 45 degrees.
    ///
    /// - Parameters:
    ///   - rest: What is left of the angle in radians, within ±π/4.
    ///   - quarters: The quarter turns that were taken away.
    ///   - terms: Those of each series; another number may give other bits.
    private static func sineAndCosine(
        _ rest: Double, quarters: Int, terms: Int
    ) -> (sine: Double, cosine: Double) {
        let square = rest * rest
        var sine = 1.0
        var cosine = 1.0
        for n in stride(from: Double(terms), through: 1, by: -1) {
            sine = 1 - sine * square / ((2 * n) * (2 * n + 1))
            cosine = 1 - cosine * square / ((2 * n - 1) * (2 * n))
        }
        sine *= rest
        switch quarters & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }
}
