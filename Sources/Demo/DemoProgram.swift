import EmbeddedFiles
import Logging
import SceneClient

/// A program behind one room of the demo, written with nothing but what `SceneClient` offers to
/// all.
protocol DemoProgram: Sendable {
    /// The room, and the example that it shows.
    static var room: String { get }
    static var example: String { get }

    /// Sets handlers and follows what is shown until the scene ends or the task is cancelled.
    func run(_ scene: Scene) async throws
}

extension DemoProgram {
    /// Connects, replaces another scene of the room by the example, and runs until the task is
    /// cancelled. Reconnects after a connection has ended for good. Calls `shown` once, when the
    /// room shows the example for the first time.
    func stay(at site: Site, shown: () -> Void) async {
        var isShown = false
        while !Task.isCancelled {
            do {
                let scene = try await site.connect(to: Self.room)
                defer { scene.close() }
                let document = try Self.document
                if document.views.contains(where: { scene[$0.id].record == nil }) {
                    try await scene.show(document)
                }
                if !isShown { shown() }
                isShown = true
                try await run(scene)
            } catch is CancellationError {
                return
            } catch SceneError.cancelled {
                return
            } catch {
                site.logger.warning("the program behind \(Self.room) begins anew: \(error)")
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The example as a document.
    static var document: SceneDocument {
        get throws {
            guard let file = EmbeddedFile.examples.first(where: { $0.name == example }) else {
                preconditionFailure("there is no example \(example)")
            }
            return try SceneDocument.parse(file.plain)
        }
    }
}
