import Foundation
import LayoutValues
import SeededRandom
import Testing

@Suite("Functions that round the same everywhere")
struct DeterministicMathTests {
    @Test("exp agrees with the C library's to a few units in the last place")
    func exponential() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<20_000 {
            let x = Double(random.below(140_000_000)) / 100_000 - 700
            let expected = Foundation.exp(x)
            #expect(abs(DeterministicMath.exp(x) - expected) <= 1e-15 * expected, "\(x)")
        }
        #expect(DeterministicMath.exp(0) == 1)
        #expect(DeterministicMath.exp(-1000) == 0)
        #expect(DeterministicMath.exp(1000) == .infinity)
    }

    @Test("sine and cosine agree with the C library's")
    func circle() {
        var random = SplitMix64(seed: 12)
        for _ in 0..<20_000 {
            let x = Double(random.below(2_000_000_000)) / 1_000_000 - 1000
            let (sine, cosine) = DeterministicMath.sineAndCosine(x)
            #expect(abs(sine - Foundation.sin(x)) <= 1e-13, "\(x)")
            #expect(abs(cosine - Foundation.cos(x)) <= 1e-13, "\(x)")
        }
        #expect(DeterministicMath.sineAndCosine(0) == (0, 1))
    }

    @Test("multiples of 90 degrees are exact, and other degrees agree with radians")
    func degrees() {
        for (turns, sine, cosine) in [
            (0, 0.0, 1.0), (1, 1, 0), (2, 0, -1), (3, -1, 0), (-1, -1, 0),
        ] {
            let found = DeterministicMath.sineAndCosine(degrees: Double(turns) * 90)
            #expect(found.sine == sine && found.cosine == cosine, "\(turns)")
        }
        for degrees in stride(from: -720.0, through: 720, by: 7.25) {
            let found = DeterministicMath.sineAndCosine(degrees: degrees)
            let radians = DeterministicMath.sineAndCosine(degrees * Double.pi / 180)
            #expect(abs(found.sine - radians.sine) <= 1e-14, "\(degrees)")
            #expect(abs(found.cosine - radians.cosine) <= 1e-14, "\(degrees)")
        }
    }
}
