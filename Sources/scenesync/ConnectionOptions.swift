import ArgumentParser
import Essentials
import FoundationEssentials
import SceneClient
import SceneProtocol
import WebSocketTransport

/// The options of every command that connects to a server.
struct ConnectionOptions: ParsableArguments {
    @Argument(
        help:
            "The room's address: ws://HOST:PORT/ROOM, or wss://…; with #token=TOKEN behind it, as open prints it."
    )
    var address: String

    /// The address without the token.
    var url: String { address.split(separator: "#", maxSplits: 1).first.map(String.init) ?? "" }

    @Option(
        name: .customLong("url"),
        help:
            "Another address of the room, tried where the one before does not answer; may be given more than once. Addresses that the server names come after these."
    )
    var furtherURLs: [String] = []

    @Flag(help: "Accept any certificate, for development.")
    var insecure = false

    @Option(help: "A PEM file of certificates to trust.")
    var caFile: String?

    @Option(help: "A file with the token to join with; or SCENESYNC_TOKEN in the environment.")
    var tokenFile: String?

    func clientOptions(role: Role) throws -> SceneClient.Options {
        var options = SceneClient.Options(urls: [url] + furtherURLs)
        options.token = try token()
        options.role = role
        options.trustsAnyCertificate = insecure
        if let caFile { _ = try Input.read(caFile) }
        options.caFile = caFile
        return options
    }

    /// The token is not an argument, since every user of the machine can read arguments.
    private func token() throws -> String {
        if let fragment = address.split(separator: "#", maxSplits: 1).dropFirst().first {
            guard fragment.hasPrefix("token=") else {
                throw ValidationError("what follows # in an address has to be token=TOKEN")
            }
            return String(fragment.dropFirst("token=".count))
        }
        guard let tokenFile else {
            return ProcessInfo.processInfo.environment["SCENESYNC_TOKEN"] ?? ""
        }
        return String(decoding: try Input.read(tokenFile), as: UTF8.self)
            .trimmed
    }

    /// Reports the reason for the end of the connection.
    ///
    /// - Returns: The error to throw.
    func failure(
        _ code: UInt16?, _ text: String, _ error: TransportError?, _ reason: String?
    ) -> ExitCode {
        let what =
            error?.description ?? reason ?? (text.isEmpty ? "closed with \(code ?? 1006)" : text)
        let advice = error.map { Advice.after($0) } ?? Advice.after(closeCode: code)
        return Output.failure(
            error == nil ? .failure : .unavailable, "\(place): \(what)", try: advice)
    }

    /// The addresses, for messages.
    var place: String { ([url] + furtherURLs).joined(separator: ", ") }
}
