import SceneSession
import SceneWire
import SeededRandom

/// What a simulated room may do and spend, and when it is frozen, all by its seed.
///
/// Freezing and prices have random numbers of their own: the same seed without them is otherwise
/// the same run.
struct RoomConditions {
    var options: SessionOptions
    private var freezing: SplitMix64
    /// In how many ticks the room is frozen once, if it is at rest.
    private let freezeOdds: Int
    private var pricing: SplitMix64
    /// In how many ticks a slice is set for once.
    private let sliceOdds: Int

    /// - Parameter random: The run's own numbers, of which some are taken.
    init(seed: UInt64, _ random: inout SplitMix64) {
        var options = SessionOptions()
        options.snapshotBytes = 500 + random.below(8000)
        options.deviceMaximum = 3
        options.snapshotGrowth = random.below(3)
        options.historyCostMaximum = random.pick([10, 200, 16_384])
        options.keyframeSeconds = random.below(3)
        options.undoMaximum = 1 + random.below(8)
        options.replayBudget = 16 + random.below(256)
        options.clientMaximum = 64
        var leaving = SplitMix64(seed: seed ^ 0x7151)
        options.visitorSeconds = leaving.pick([0, 1, 60])
        var exchanging = SplitMix64(seed: seed ^ 0xE7E28)
        options.events.absenceSeconds = exchanging.pick([0, 1, 5])
        options.events.unansweredMaximum = exchanging.pick([256, 256, 4])
        options.events.deliveredMaximum = exchanging.pick([1024, 2])
        pricing = SplitMix64(seed: seed ^ 0x9A1D)
        if pricing.chance(1, of: 2) {
            let message = UInt64(pricing.pick([1_000, 3_000, 10_000, 100_000]))
            options.work = WorkBudget(
                op: pricing.pick([message, message / 2]), message: message,
                tick: message * UInt64(1 + pricing.below(3)),
                second: message * UInt64(pricing.pick([60, 600])))
        }
        sliceOdds = pricing.pick([2, 20, 1000])
        self.options = options
        freezing = SplitMix64(seed: seed ^ 0xF2EE)
        freezeOdds = freezing.pick([1, 4, 20, 1000])
    }

    /// The slice that the room gets for its next ticks, if it gets another one now.
    mutating func nextSlice() -> UInt64? {
        pricing.chance(1, of: sliceOdds) ? UInt64(pricing.below(20_000)) : nil
    }

    /// Whether the room is frozen in this tick.
    mutating func freezesNow() -> Bool { freezing.chance(1, of: freezeOdds) }

    /// Whether the scene is compared before and after; otherwise the room stays frozen until
    /// something happens.
    mutating func comparesFrozen() -> Bool { freezing.below(2) == 0 }
}
