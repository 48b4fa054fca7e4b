import ArgumentParser
import Dispatch
import Foundation
import Logging
import SceneProtocol
import SceneServer
import WebSocketTransport

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve rooms over WebSocket.",
        discussion: """
            A room's address is ws://HOST:PORT/ROOM. The first editor who comes makes it; --scene
            fills the room "demo". Everything acknowledged is in the journal and comes back after a
            restart. /healthz, /readyz and /metrics answer on the same port.

            When connections are accepted, one line goes to standard output:
              listening on ws://127.0.0.1:PORT
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes a free one.")
    var port = 7070

    @Option(help: "Where the journal is kept.")
    var data = ".scenesync"

    @Flag(help: "Keep no journal: everything is lost when the server ends.")
    var inMemory = false

    @Option(help: "A scene document that fills the room \"demo\", unless that has a journal.")
    var scene: String?

    @Option(help: "Update cycles in a second, 1 to 240.")
    var tickRate = 60

    @Option(help: "The TLS certificate chain, a PEM file; serves wss.")
    var tlsCert: String?

    @Option(help: "The certificate's private key, a PEM file.")
    var tlsKey: String?

    @Flag(
        help:
            "Make a certificate for this machine in the data directory and serve wss, for development."
    )
    var tlsSelfSigned = false

    @Option(
        parsing: .upToNextOption, help: "Origins that browsers may connect from; all by default.")
    var allowOrigin: [String] = []

    @Flag(
        help: "Listen beyond this machine although nobody has to prove who they are; all may edit.")
    var insecureBind = false

    @Option(help: "What is logged: trace, debug, info, notice, warning, error.")
    var logLevel = "notice"

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("the port is \(port), expected 0 to 65535")
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key belong together")
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("there is no log level \(logLevel)")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        var options = ServerOptions()
        options.host = host
        options.port = port
        options.tickRate = tickRate
        options.allowsInsecureBind = insecureBind
        options.dataDirectory = inMemory ? nil : data
        options.origins =
            allowOrigin.isEmpty ? .sameHost : allowOrigin == ["*"] ? .any : .only(allowOrigin)
        if let scene { options.scene = try Input.document(scene) }
        options.tls = try tls()
        var logger = Logger(label: "scenesync") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        TransportLog.set { [logger] in logger.debug("libwebsockets: \($0)") }
        let server: SceneServer
        do {
            server = try SceneServer(options: options, logger: logger)
            try server.start()
        } catch {
            throw Output.failure(Self.code(error), error.description)
        }
        let stop = DispatchSemaphore(value: 0)
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { stop.signal() }
            source.activate()
            return source
        }
        Output.result(
            "listening on \(options.tls == nil ? "ws" : "wss")://\(shownHost):\(server.port)")
        stop.wait()
        for source in signals { source.cancel() }
        server.stop()
    }

    private var shownHost: String { host == "localhost" ? "127.0.0.1" : host }

    private func tls() throws -> TLSConfiguration? {
        if let tlsCert, let tlsKey {
            return TLSConfiguration(certificatePath: tlsCert, privateKeyPath: tlsKey)
        }
        guard tlsSelfSigned else { return nil }
        do {
            let made = try SelfSignedCertificate.make(directory: data + "/tls")
            Output.note("made a certificate: \(made.certificatePath)")
            return made
        } catch {
            throw Output.failure(.badConfiguration, error.description)
        }
    }

    private static func code(_ error: ServerError) -> ExitCode {
        switch error {
        case .insecureBind, .badOption, .store, .keys, .transport: .badConfiguration
        case .room: .badData
        }
    }
}
