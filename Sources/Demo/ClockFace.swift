import Glibc
import SceneClient

/// The room `clock`: hands that move continuously while the room has viewers. Each second sends
/// where they are a second later, and the renderers animate them to there.
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
            let ops = shown.text("time", Words.time(time)) + shown.text("date", Words.date(time))
            try await scene.apply(ops, atomic: false)
            try await scene.animate(1, curve: .linear) { Self.hands(at: time) }
        }
    }

    /// The ops that bring the hands where they are a second after a time.
    static func hands(at time: tm) -> [Op] {
        let seconds = Double(time.tm_sec) + 1
        let minutes = Double(time.tm_min) + seconds / 60
        let hours = Double(time.tm_hour % 12) + minutes / 60
        return hand("second", radius: 120, turn: seconds / 60)
            + hand("minute", radius: 96, turn: minutes / 60)
            + hand("hour", radius: 64, turn: hours / 12)
    }

    private static func hand(_ id: String, radius: Double, turn: Double) -> [Op] {
        let angle = 2 * Double.pi * turn
        return [
            .setConstraint(id: "\(id)-x", constant: (radius * sin(angle)).rounded()),
            .setConstraint(id: "\(id)-y", constant: (-radius * cos(angle)).rounded()),
        ]
    }
}
