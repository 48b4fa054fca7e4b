import Glibc
import SceneClient

/// The room `clock`: its hands step each second while the room has viewers, and a dot runs around
/// the dial without a pause. Each second sends where that is a second later, and the renderers
/// animate it to there. A terminal, which draws no turned hands, has letters that move so.
struct ClockFace: DemoProgram {
    static let room = "clock"
    static let example = "clock"

    let site: Site

    func run(_ scene: Scene) async throws {
        var shown = Shown()
        while true {
            // Until the next second begins.
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            try await Task.sleep(for: .nanoseconds(1_000_000_000 - now.tv_nsec))
            guard site.people(in: Self.room) > 0 else { continue }
            let time = Words.now
            let ops =
                shown.text("time", Words.time(time)) + shown.text("date", Words.date(time))
                + Self.hands(at: time)
            try await scene.apply(ops, atomic: false)
            try await scene.animate(1, curve: .linear) { Self.places(after: time) }
        }
    }

    /// The share of a turn of each hand, `offset` seconds after a time.
    private static func turns(
        at time: tm, offset: Double = 0
    ) -> (hour: Double, minute: Double, second: Double) {
        let seconds = Double(time.tm_sec) + offset
        let minutes = Double(time.tm_min) + seconds / 60
        let hours = Double(time.tm_hour % 12) + minutes / 60
        return (hours / 12, minutes / 60, seconds / 60)
    }

    /// The ops that turn the hands to a time.
    static func hands(at time: tm) -> [Op] {
        let turns = turns(at: time)
        return [("hour", turns.hour), ("minute", turns.minute), ("second", turns.second)].map {
            var transform = TransformSpec()
            transform.rotation = ($0.1 * 3600).rounded() / 10
            var properties = ViewProperties()
            properties.look.transform = transform
            return .setView(id: "\($0.0)-hand", properties)
        }
    }

    /// The ops that bring the letters of the hands, and the dot that is the second's, where they
    /// are a second after a time.
    static func places(after time: tm) -> [Op] {
        let turns = turns(at: time, offset: 1)
        return place("second", radius: 0.94, turn: turns.second)
            + place("minute", radius: 0.54, turn: turns.minute)
            + place("hour", radius: 0.36, turn: turns.hour)
    }

    /// - Parameter radius: The share of the dial's.
    private static func place(_ id: String, radius: Double, turn: Double) -> [Op] {
        let angle = 2 * Double.pi * turn
        func share(_ value: Double) -> Double { ((1 + value) * 10_000).rounded() / 10_000 }
        return [
            .setConstraint(id: "\(id)-x", multiplier: share(radius * sin(angle))),
            .setConstraint(id: "\(id)-y", multiplier: share(-radius * cos(angle))),
        ]
    }
}
