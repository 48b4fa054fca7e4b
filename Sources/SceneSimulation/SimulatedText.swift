import AutoLayout
import LayoutValues
import SceneDocument
import SceneModel
import SeededRandom
import Synchronization

/// Ops about text in faces, by random numbers of their own: a seed without them is otherwise the
/// same run.
struct SimulatedText {
    private var random: SplitMix64
    /// Whether there is any.
    let isUsed: Bool

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0x7E87)
        isUsed = random.chance(1, of: 4)
    }

    /// One op for a message, now and then.
    mutating func op() -> String? {
        guard isUsed, random.chance(1, of: 3) else { return nil }
        let name = "t\(random.below(3))"
        switch random.below(8) {
        case 0:
            let typography = random.chance(3, of: 4) ? "faces" : "grid"
            return #"{"op":"setViewport","typography":"\#(typography)"}"#
        case 1, 2:
            return
                #"{"op":"addView","id":"\#(name)","kind":"label","text":"\#(text())","lines":\#(random.below(3))}"#
        case 3, 4: return #"{"op":"setView","id":"\#(name)","text":"\#(text())"}"#
        case 5:
            let style = random.pick(["body", "headline", "caption1"])
            return #"{"op":"setView","id":"\#(name)","textStyle":"\#(style)"}"#
        case 6:
            return
                #"{"op":"addConstraint","id":"\#(name)w","rule":"\#(name).width == \#(20 + random.below(200))"}"#
        default: return #"{"op":"removeView","id":"\#(name)"}"#
        }
    }

    private mutating func text() -> String {
        (0...random.below(6)).map { _ in
            String(repeating: random.pick(["a", "no", "é", "日"]), count: 1 + random.below(4))
        }.joined(separator: " ")
    }
}

/// Faces that each life of the server measures in another way, as another release of the shaper
/// would: what was measured once must come from the journal.
final class SimulatedFaces: FaceLibrary {
    private let life = Mutex(0)

    /// The server starts once more.
    func startLife(_ number: Int) { life.withLock { $0 = number } }

    var standardFaces: [FaceSpec] {
        [FaceSpec(name: "Simulated", weight: 400, hash: String(repeating: "0", count: 64))]
    }

    func has(_ face: FaceSpec) -> Bool { true }

    func measurer(for faces: [FaceSpec]) -> any TextMeasurer {
        Measurer(life: life.withLock { $0 })
    }

    private final class Measurer: TextMeasurer {
        private let life: Int

        init(life: Int) { self.life = life }

        func advance(of word: Substring, weight: FontWeight) -> TextAdvance {
            let units = 300_000 + 70_000 * life + 100 * weight.number
            return TextAdvance(
                units: word.utf8.count * units,
                isFitted: (word.utf8.count + life).isMultiple(of: 5))
        }

        func lineMetrics(weight: FontWeight) -> LineMetrics {
            LineMetrics(
                ascender: 1_000_000 + 50_000 * life, descender: -250_000, leading: 0,
                space: 250_000 + 10_000 * life)
        }
    }
}
