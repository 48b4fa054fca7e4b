import SceneDocument
import SceneModel
import SceneWire

/// Groups the animations that begin in one tick by equal timing, and returns the remaining frames.
struct AnimationGroups {
    struct Start {
        var delayTicks: UInt32
        var durationTicks: UInt32
        var curve: AnimationCurve
        var changes: [FrameChange]
    }

    private(set) var starts: [Start] = []
    private(set) var frames: [FrameChange]

    init(_ animations: [SceneAnimation], _ frames: [FrameChange]) {
        self.frames = frames
        guard !animations.isEmpty else { return }
        var places: [ViewNumber: Int] = [:]
        for (place, change) in frames.enumerated() { places[change.number] = place }
        var counts: [ViewNumber: Int] = [:]
        for animation in animations { counts[animation.number, default: 0] += 1 }
        for animation in animations {
            // A view whose moves cancel out has no animation.
            guard let place = places[animation.number] else { continue }
            let change = self.frames[place]
            var end = change.old.moved(by: animation.delta)
            // Rounding to pixels may leave a unit; a single animation takes it.
            if counts[animation.number] == 1, end.isNear(change.new) { end = change.new }
            add(animation, FrameChange(number: change.number, old: change.old, new: end))
            self.frames[place].old = end
        }
        for index in starts.indices {
            // Animations that cancel each other out move nothing.
            starts[index].changes.removeAll { $0.old == $0.new }
            starts[index].changes.sort { $0.number < $1.number }
        }
        starts.removeAll { $0.changes.isEmpty }
        self.frames.removeAll { $0.old == $0.new }
    }

    private mutating func add(_ animation: SceneAnimation, _ change: FrameChange) {
        guard change.old != change.new else { return }
        let index =
            starts.firstIndex {
                $0.delayTicks == animation.delayTicks && $0.curve == animation.curve
                    && $0.durationTicks == animation.durationTicks
            } ?? starts.count
        if index == starts.count {
            starts.append(
                Start(
                    delayTicks: animation.delayTicks, durationTicks: animation.durationTicks,
                    curve: animation.curve, changes: []))
        }
        if let place = starts[index].changes.firstIndex(where: { $0.number == change.number }) {
            // By the distance, not the destination: an animation of another timing may come
            // between.
            let distance = change.new.distance(from: change.old)
            let end = starts[index].changes[place].new.moved(by: distance)
            starts[index].changes[place].new = end
        } else {
            starts[index].changes.append(change)
        }
    }
}

extension QuantisedFrame {
    fileprivate func moved(by delta: QuantisedFrame) -> QuantisedFrame {
        QuantisedFrame(
            x: x &+ delta.x, y: y &+ delta.y, width: width &+ delta.width,
            height: height &+ delta.height)
    }

    fileprivate func distance(from other: QuantisedFrame) -> QuantisedFrame {
        QuantisedFrame(
            x: x &- other.x, y: y &- other.y, width: width &- other.width,
            height: height &- other.height)
    }

    fileprivate func isNear(_ other: QuantisedFrame) -> Bool {
        [(x, other.x), (y, other.y), (width, other.width), (height, other.height)].allSatisfy {
            ($0.0 &- $0.1).magnitude <= 1
        }
    }
}
