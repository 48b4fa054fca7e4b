import ArgumentParser
import Dispatch
import SceneClient
import SceneDocument
import SceneWire
import TerminalViewer

/// `view --once`: one picture.
extension View {
    func printOnce() throws {
        ReaderWatch.begin()
        let format = format?.picture ?? .text
        let queue = EventQueue()
        var options = try connection.clientOptions(role: .viewer)
        options.reconnects = false
        if format == .json { options.capabilities = Diagnostics.capability }
        options.device = deviceWithoutTerminal
        let client = try makeClient(options) { queue.add($0) }
        client.connect()
        var welcome: Welcome?
        var mirror: SceneMirror?
        var diagnostics: Diagnostics?
        var reason: String?
        var hasState = false
        let deadline = DispatchTime.now() + timeout
        while let event = queue.next(until: deadline) {
            switch event {
            case .welcomed(let value):
                welcome = value
                try requireDevices(value)
            case .device(let grant): try require(grant)
            case .updated(let value):
                hasState = true
                if mirror == nil, isAwaited(value) { mirror = value }
            case .diagnostics(let value): diagnostics = value
            case .failure(let error): reason = error.text
            case .ended(let code, let text, let error):
                throw connection.failure(code, text, error, reason)
            case .result, .presence, .inspection, .reconnecting, .trace, .pong, .interactions,
                .annotations, .records, .event, .eventResult:
                break
            }
            if let welcome, let mirror, format != .json || diagnostics != nil {
                let shelf = format == .ansi ? fetchPictures(of: mirror, options) : PictureShelf()
                try printPicture(mirror, welcome, diagnostics ?? Diagnostics(), format, shelf)
                client.close()
                return
            }
        }
        throw timeoutFailure(hasState: hasState)
    }

    /// A server without devices shows the main one.
    private func requireDevices(_ welcome: Welcome) throws {
        guard let request = deviceWithoutTerminal,
            welcome.capabilities & Capability.devices == 0
        else { return }
        guard request.name.isEmpty else {
            throw Output.failure(
                .badData, "\(connection.place): the server does not support devices",
                try: "omit --device")
        }
        Output.note(
            "\(connection.place): the server does not support devices; the picture is scaled")
    }

    /// Fetches all pictures of a scene, each once. A view says so if its picture cannot be had.
    private func fetchPictures(
        of mirror: SceneMirror, _ options: SceneClient.Options
    ) -> PictureShelf {
        guard pictures != .none else { return PictureShelf() }
        let fetcher = PictureFetcher(options)
        return PictureShelf(
            colors: color.depth, encoding: Output.encoding,
            hashes: mirror.records.compactMap { $0.content.look?.image?.hash }
        ) { hash in
            let result = fetcher.picture(hash)
            if case .failure(let failure) = result {
                Output.note("\(connection.place): picture \(hash): \(failure.text)")
            }
            return result
        }
    }

    private func printPicture(
        _ mirror: SceneMirror, _ welcome: Welcome, _ diagnostics: Diagnostics,
        _ format: PictureFormat, _ pictures: PictureShelf
    ) throws {
        guard format == .json else {
            Output.drawing(
                Picture.drawing(
                    mirror, format, try metrics(welcome), size: size, colors: color.depth,
                    pictures: pictures))
            return
        }
        let unit = welcome.unitsPerPoint
        let frames = mirror.records.map { record in
            NamedRect(
                id: record.id,
                rect: Rect(
                    x: Double(record.frame.x) / unit, y: Double(record.frame.y) / unit,
                    width: Double(record.frame.width) / unit,
                    height: Double(record.frame.height) / unit))
        }
        Output.result(
            Picture.json(
                frames: frames, ambiguous: diagnostics.ambiguous, broken: diagnostics.broken,
                tick: mirror.tick, hash: mirror.stateHash))
    }
}
