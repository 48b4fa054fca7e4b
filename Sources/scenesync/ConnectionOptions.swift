import ArgumentParser
import Essentials
import FoundationEssentials
import Glibc
import SceneClient
import SceneWire
import WebSocketTransport

/// The options of every command that connects to a server.
struct ConnectionOptions: ParsableArguments {
    @Argument(
        help:
            "The room's address: ws://HOST:PORT/ROOM, wss://…, or ws+unix:///SOCKET:/ROOM; with #token=TOKEN behind it, as open prints it."
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

    @OptionGroup var identity: IdentityOptions

    @Option(
        help:
            "A file with the token to join with, read again before the token ends; or SCENESYNC_TOKEN in the environment."
    )
    var tokenFile: String?

    @Option(
        help:
            "A command for the shell that prints the token to join with, run again before the token ends."
    )
    var tokenCommand: String?

    func validate() throws {
        guard tokenFile == nil || tokenCommand == nil else {
            throw ValidationError("give --token-file or --token-command, not both")
        }
    }

    func clientOptions(role: Role) throws -> SceneClient.Options {
        var options = SceneClient.Options(urls: [url] + furtherURLs)
        options.token = try token()
        options.tokenSource = tokenSource
        options.role = role
        options.trustsAnyCertificate = insecure
        if let caFile { _ = try Input.read(caFile) }
        options.caFile = caFile
        options.identity = try identity.identity()
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
        if let tokenCommand {
            guard let token = TokenCommand.run(tokenCommand) else {
                throw Output.failure(
                    .badConfiguration, "the command of --token-command failed or printed nothing",
                    try: "run it in a shell: \(tokenCommand)")
            }
            return token
        }
        guard let tokenFile else {
            return ProcessInfo.processInfo.environment["SCENESYNC_TOKEN"] ?? ""
        }
        return String(decoding: try Input.read(tokenFile), as: UTF8.self)
            .trimmed
    }

    /// What returns the present token again; `nil` for one that stays.
    private var tokenSource: (@Sendable () -> String?)? {
        if address.contains("#") { return nil }
        if let tokenCommand { return { TokenCommand.run(tokenCommand) } }
        guard let tokenFile, tokenFile != "-" else { return nil }
        // A file that is missing for a moment, while another replaces it, is read later.
        return { (try? Input.bytes(tokenFile)).map { String(decoding: $0, as: UTF8.self).trimmed } }
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

/// The certificate by which a command shows a server who it is.
struct IdentityOptions: ParsableArguments {
    @Option(help: "A PEM file with the certificate to show the server, where it asks for one.")
    var clientCert: String?

    @Option(help: "The PEM file of that certificate's private key.")
    var clientKey: String?

    func validate() throws {
        guard (clientCert == nil) == (clientKey == nil) else {
            throw ValidationError("--client-cert and --client-key belong together")
        }
    }

    /// The files, which can be read.
    func identity() throws -> TLSConfiguration? {
        guard let clientCert, let clientKey else { return nil }
        for path in [clientCert, clientKey] { _ = try Input.read(path) }
        return TLSConfiguration(certificatePath: clientCert, privateKeyPath: clientKey)
    }
}

/// A program that prints tokens.
enum TokenCommand {
    /// Bytes that a token and the space around it may have.
    private static let outputMaximum = 64 << 10

    /// Runs a command in the shell.
    ///
    /// - Returns: What it printed, without the space around it; `nil` if it failed or printed
    ///   nothing.
    static func run(_ command: String) -> String? {
        // "e": other programs that this one starts do not get the pipe.
        guard let pipe = popen(command, "re") else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < outputMaximum, case let count = fread(&piece, 1, piece.count, pipe),
            count > 0
        {
            bytes += piece[..<count]
        }
        guard pclose(pipe) == 0 else { return nil }
        let token = String(decoding: bytes, as: UTF8.self).trimmed
        return token.isEmpty ? nil : token
    }
}
