import LayoutValues

/// What a mirror's views still are away from their frames, because animations are under way.
///
/// As with UIKit's additive animations, a view moved by several shows the sum of their offsets. An
/// animation of the delta d that began at tick s and takes n ticks shows at tick t the frame less
/// `d × (1 − curve((t − s) / n))`, rounded to whole units, halves up.
public struct RunningAnimations: Sendable {
    fileprivate struct Running: Sendable {
        var id: UInt32
        var start: UInt64
        var duration: UInt32
        var curve: AnimationCurve
        var deltas: [ViewNumber: SIMD4<Int32>]
    }

    private var running: [Running] = []

    /// Whether nothing moves.
    public var isEmpty: Bool { running.isEmpty }
    /// The first tick at which nothing moves any more; nil if nothing does.
    public var endTick: UInt64? { running.map { $0.start &+ UInt64($0.duration) }.max() }
    /// The numbers of those under way, oldest first.
    public var ids: [UInt32] { running.map { $0.id } }

    mutating func start(_ start: AnimationStart, tick: UInt64, deltas: [ViewNumber: SIMD4<Int32>]) {
        running.removeAll { $0.id == start.id }
        running.append(
            Running(
                id: start.id, start: tick &+ UInt64(start.delayTicks),
                duration: start.durationTicks, curve: start.curve, deltas: deltas))
    }

    mutating func cancel(_ id: UInt32) { running.removeAll { $0.id == id } }

    mutating func forget(_ number: ViewNumber) {
        for index in running.indices { running[index].deltas[number] = nil }
    }

    mutating func removeAll() { running.removeAll() }

    /// Drops those that are over at a tick.
    mutating func advance(to tick: UInt64) {
        running.removeAll { tick >= $0.start && tick - $0.start >= UInt64($0.duration) }
    }

    mutating func renumber(_ places: [ViewNumber: ViewNumber]) {
        for index in running.indices {
            var deltas: [ViewNumber: SIMD4<Int32>] = [:]
            for (number, delta) in running[index].deltas {
                if let place = places[number] { deltas[place] = delta }
            }
            running[index].deltas = deltas
        }
    }

    var count: Int { running.count }

    /// What a view with that frame shows at a tick.
    ///
    /// - Complexity: O(animations under way).
    public func shown(
        _ frame: QuantisedFrame, of number: ViewNumber, at tick: UInt64
    ) -> QuantisedFrame {
        moment(at: tick).shown(frame, of: number)
    }

    /// How far all animations are at a tick, for callers that ask about many views.
    ///
    /// - Complexity: O(animations under way).
    public func moment(at tick: UInt64) -> Moment {
        Moment(
            running: running,
            shares: running.map { animation in
                let elapsed = tick > animation.start ? tick - animation.start : 0
                return 1
                    - animation.curve.progress(at: Double(elapsed) / Double(animation.duration))
            })
    }

    /// How far animations are at a tick.
    public struct Moment: Sendable {
        fileprivate let running: [Running]
        /// What is still to go of each, from 0 to 1.
        fileprivate let shares: [Double]

        /// What a view with that frame shows.
        ///
        /// - Complexity: O(animations under way).
        public func shown(_ frame: QuantisedFrame, of number: ViewNumber) -> QuantisedFrame {
            var offset = SIMD4<Double>.zero
            for (animation, share) in zip(running, shares) {
                guard let delta = animation.deltas[number] else { continue }
                offset += SIMD4<Double>(delta) * share
            }
            func moved(_ value: Int32, _ offset: Double) -> Int32 {
                Int32(nearest: (Double(value) - offset + 0.5).rounded(.down))
            }
            return QuantisedFrame(
                x: moved(frame.x, offset[0]), y: moved(frame.y, offset[1]),
                width: moved(frame.width, offset[2]), height: moved(frame.height, offset[3]))
        }
    }
}
