import SceneDocument
import SceneWire
import Testing

@testable import SceneModel
@testable import SceneSession

@Suite("Animations that begin in one tick")
struct AnimationGroupsTests {
    private func frame(width: Int32) -> QuantisedFrame {
        QuantisedFrame(x: 0, y: 0, width: width, height: 10)
    }

    private func animation(
        _ number: UInt32, by width: Int32, ticks: UInt32, curve: AnimationCurve = .linear
    ) -> SceneAnimation {
        SceneAnimation(
            number: ViewNumber(number), delta: QuantisedFrame(x: 0, y: 0, width: width, height: 0),
            delayTicks: 0, durationTicks: ticks, curve: curve)
    }

    /// How far the groups and what is left of the frames move each view in all.
    private func distances(_ groups: AnimationGroups) -> [ViewNumber: Int32] {
        (groups.starts.flatMap(\.changes) + groups.frames).reduce(into: [:]) { sums, change in
            sums[change.number, default: 0] += change.new.width - change.old.width
        }
    }

    /// Once, the second of two animations with equal timing took along what one between them had
    /// moved already, so that members that animate by themselves ended up elsewhere than the scene.
    @Test(
        "animations of equal timing are one, and an animation of another timing between them counts once"
    )
    func interleaved() {
        let groups = AnimationGroups(
            [
                animation(2, by: -208, ticks: 6), animation(2, by: -117, ticks: 12),
                animation(2, by: 289, ticks: 6),
            ],
            [FrameChange(number: ViewNumber(2), old: frame(width: 377), new: frame(width: 341))])
        #expect(groups.starts.map(\.durationTicks) == [6, 12])
        #expect(
            groups.starts.map { $0.changes.map { $0.new.width - $0.old.width } } == [[81], [-117]])
        #expect(groups.frames.isEmpty)
        #expect(distances(groups) == [ViewNumber(2): -36])
    }

    @Test("whatever the animations, each view ends where its frame changes to")
    func sums() {
        for seed in 0..<500 as Range<Int32> {
            let deltas = (0..<5).map { (seed &* 31 &+ $0 &* 17) % 97 - 48 }
            let animations = deltas.enumerated().map { index, delta in
                animation(
                    UInt32(1 + index % 2), by: delta, ticks: UInt32(3 + (Int(seed) + index) % 3),
                    curve: (Int(seed) + index) % 4 == 0 ? .linear : .easeInOut)
            }
            let changes = [(1, 7), (2, -30)].map { number, rest in
                FrameChange(
                    number: ViewNumber(UInt32(number)), old: frame(width: 500),
                    new: frame(width: 500 + seed % 50 + Int32(rest)))
            }
            let groups = AnimationGroups(animations, changes)
            #expect(
                distances(groups)
                    == [ViewNumber(1): seed % 50 + 7, ViewNumber(2): seed % 50 - 30],
                "seed \(seed)")
        }
    }
}
