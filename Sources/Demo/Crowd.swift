import Logging
import SceneClient
import SeededRandom

/// Robots that take part in the demo as people do: they join as participants, say their names,
/// wave, turn pages and move cards.
struct Crowd: Sendable {
    let site: Site

    /// Lets one robot take part until the task is cancelled.
    func stay(_ number: Int) async {
        var random = SplitMix64(seed: UInt64(number))
        // Not all in the same moment.
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<1000, using: &random)))
        while !Task.isCancelled {
            do {
                try await takePart(number, &random)
            } catch SceneError.cancelled {
                return
            } catch is CancellationError {
                return
            } catch {
                site.logger.info("robot \(number): \(error)")
            }
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Every third one is at the board, the others watch the monitor.
    private func takePart(_ number: Int, _ random: inout SplitMix64) async throws {
        let room = number % 3 == 0 ? Board.room : Monitor.room
        let scene = try await site.connect(to: room, as: .participant)
        defer { scene.close() }
        for step in 0... {
            // Before the 30 seconds are over after which a member counts as gone.
            if step % 6 == 0 {
                var presence = Presence()
                presence.clock = UInt32(step + 1)
                presence.name = "robot-\(number)"
                scene.show(presence)
            }
            try await Task.sleep(
                for: .milliseconds(Int.random(in: 1000...4000, using: &random)))
            try await tap(Self.taps(in: room, scene, &random), scene, number)
        }
    }

    /// Taps views, one after another, until one is refused: another member was faster, and the card
    /// is gone.
    private func tap(_ views: [String], _ scene: Scene, _ number: Int) async throws(SceneError) {
        for view in views {
            var event = UserEvent()
            event.view = view
            event.tick = scene.mirror.tick
            do throws(SceneError) {
                try await scene.send(event)
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                site.logger.debug("robot \(number): \(refusal.message)")
                return
            }
        }
    }

    /// A robot's next tap: a wave in most cases, a page now and then, a card and where it goes.
    static func taps(
        in room: String, _ scene: Scene, _ random: inout SplitMix64
    ) -> [String] {
        guard room == Board.room else {
            guard Int.random(in: 0..<12, using: &random) == 0 else { return ["wave"] }
            return Monitor.Page.allCases.shuffled(using: &random).prefix(1).map(\.menu)
        }
        let cards = Board.Column.allCases.flatMap { scene[$0.cards].subviews }
        guard let card = cards.randomElement(using: &random) else { return [] }
        let columns = Board.Column.allCases.shuffled(using: &random).prefix(1)
        return [card] + columns.map { $0.rawValue + "-title" }
    }
}
