public import AutoLayout
public import Logging
public import SceneClient
import SceneServer
import Synchronization

/// A room that shows a program's own window while the program runs.
///
///     let window = Window(size: Size(width: 640, height: 384))
///     let room = try await window.serve(as: "app")        // ws://127.0.0.1:7070/app
///
/// After each cycle that had something to do the window's views are compared with what the room
/// shows, and what is different is sent, at most once a tick of the room. The window is unaware of
/// it: constraints stay the program's, and the room has frames. A change that a member makes by ops
/// lasts until the next cycle that contradicts it.
public final class WindowRoom: Sendable {
    private struct State {
        var latest = Picture()
        var isEnded = false
    }

    private let scene: Scene
    private let server: SceneServer?
    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    private let logger: Logger
    /// Where it is to be seen: `ws://host:port/room`.
    public let url: String

    fileprivate init(
        _ scene: Scene, _ server: SceneServer?, _ url: String, _ first: Picture, _ logger: Logger
    ) {
        self.scene = scene
        self.server = server
        self.url = url
        self.logger = logger
        state.withLock { $0.latest = first }
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signal = signal
        Task { [weak self] in
            var shown: Picture?
            for await _ in signals {
                guard let self else { return }
                shown = await follow(shown)
                try? await Task.sleep(for: .seconds(1) / max(1, scene.tickRate))
            }
        }
        signal.yield()
    }

    deinit { close() }

    /// Takes over what the window shows now.
    fileprivate func show(_ picture: Picture) {
        state.withLock { $0.latest = picture }
        signal.yield()
    }

    /// Ends the room's connection, and the server if it was started for the room.
    public func close() {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        guard isFirst else { return }
        signal.finish()
        scene.close()
        server?.stop()
    }

    /// Brings the room to the latest picture.
    ///
    /// - Returns: What it shows; nil where that is not known.
    private func follow(_ shown: Picture?) async -> Picture? {
        let next = state.withLock { $0.latest }
        guard next != shown else { return shown }
        do {
            // Over the maximum of ops in a batch, or where another member changed the room, the
            // whole scene is sent.
            if let ops = shown?.ops(to: next), ops.count <= Limits.standard.opMaximum {
                do {
                    try await scene.apply(ops)
                    return next
                } catch SceneError.refused(let refusal) {
                    logger.info("the room is shown anew: \(refusal.message)")
                }
            }
            try await scene.show(next.document)
            return next
        } catch SceneError.refused(let refusal) {
            logger.error("the window cannot be shown: \(refusal.message)")
        } catch {
            logger.warning("the window is not shown any more: \(error)")
            signal.finish()
        }
        return nil
    }
}

extension Window {
    /// Serves the window as a room of a server of its own, on this machine.
    ///
    /// Takes `cycleObserver` for itself. The room is closed when the window or the last reference
    /// to the room goes.
    ///
    /// - Parameters:
    ///   - room: The room's name.
    ///   - port: The port; 0 takes a free one.
    ///   - style: Says how views look beyond what they draw, such as their `background`; without
    ///     one, areas are shaded by their depth.
    /// - Throws: `ServerError` or `SceneError`.
    public nonisolated(nonsending) func serve(
        as room: String, port: Int = 7070,
        logger: Logger = Logger(label: "scenesync.window"),
        style: ((View, inout ViewProperties) -> Void)? = nil
    ) async throws -> WindowRoom {
        var options = ServerOptions()
        options.port = port
        let server = try SceneServer(options: options, logger: logger)
        try server.start()
        do {
            return try await publish(
                to: "ws://127.0.0.1:\(server.port)/\(room)", server, logger, style)
        } catch {
            server.stop()
            throw error
        }
    }

    /// Shows the window as a room of a server that runs anywhere.
    ///
    /// Takes `cycleObserver` for itself.
    ///
    /// - Parameters:
    ///   - url: `ws://host:port/room` or `wss://…`.
    ///   - token: Proves the identity; an editor's.
    ///   - style: See `serve`.
    /// - Throws: `SceneError`.
    public nonisolated(nonsending) func publish(
        to url: String, token: String = "",
        logger: Logger = Logger(label: "scenesync.window"),
        style: ((View, inout ViewProperties) -> Void)? = nil
    ) async throws(SceneError) -> WindowRoom {
        try await publish(to: url, nil, logger, style, token: token)
    }

    private nonisolated(nonsending) func publish(
        to url: String, _ server: SceneServer?, _ logger: Logger,
        _ style: ((View, inout ViewProperties) -> Void)?, token: String = ""
    ) async throws(SceneError) -> WindowRoom {
        let scene = try await Scene.connect(url, token: token, logger: logger)
        let pictures = Pictures(style: style ?? Self.shade)
        let room = WindowRoom(scene, server, url, pictures.take(of: self), logger)
        cycleObserver = { [weak self, weak room] in
            guard let self, let room else { return }
            room.show(pictures.take(of: self))
        }
        return room
    }

    /// Areas are the lighter the deeper they lie, so that a hierarchy is seen that draws nothing.
    private static func shade(_ view: View, _ properties: inout ViewProperties) {
        var depth = 0
        var superview = view.superview
        while let view = superview {
            depth += 1
            superview = view.superview
        }
        let level = UInt8(24 + 12 * min(depth, 12))
        properties.background = .literal(Color(r: level, g: level, b: level + 12))
        properties.foreground = .literal(Color(r: 220, g: 224, b: 240))
    }
}
