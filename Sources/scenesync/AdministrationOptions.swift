import ArgumentParser
import Essentials
import FoundationEssentials
import HTTPClient
import WebSocketTransport

/// The options of commands that may administer a running server.
struct AdministrationOptions: ParsableArguments {
    @Option(
        help:
            "A running server: http://HOST:PORT, https://HOST:PORT or http+unix:///SOCKET. A token goes to another machine over TLS alone."
    )
    var server: String?

    @OptionGroup var credentials: AdministratorCredentials

    func validate() throws {
        guard server == nil, credentials.areGiven else { return }
        throw ValidationError("--token-file and --ca-file need --server")
    }

    /// See `AdministratorCredentials`.
    func send(
        _ method: String, _ path: String, body: [UInt8] = [], to server: String
    ) throws -> [UInt8] {
        try credentials.send(method, path, body: body, to: server)
    }

    /// See `AdministratorCredentials`.
    func find(_ path: String, at server: String) throws -> [UInt8]? {
        try credentials.find(path, at: server)
    }
}

/// How an administrator proves to be one, and requests.
struct AdministratorCredentials: ParsableArguments {
    @Option(
        help:
            "A file with an administrator's token; or SCENESYNC_TOKEN in the environment. Without keys the server takes this machine's requests."
    )
    var tokenFile: String?

    @Option(help: "A PEM file of certificates to trust besides the system's.")
    var caFile: String?

    @OptionGroup var identity: IdentityOptions

    /// Whether a token or a certificate is named.
    var areGiven: Bool { tokenFile != nil || caFile != nil }

    /// Sends a request.
    ///
    /// - Returns: The body of a response that says that it was done.
    /// - Throws: The exit code; the reason is reported.
    func send(
        _ method: String, _ path: String, body: [UInt8] = [], to server: String
    ) throws -> [UInt8] {
        try self.body(of: respond(method, path, body, server), server)
    }

    /// What there is at a path; `nil` if there is nothing.
    ///
    /// - Throws: The exit code; the reason is reported.
    func find(_ path: String, at server: String) throws -> [UInt8]? {
        let response = try respond("GET", path, [], server)
        return response.status == 404 ? nil : try body(of: response, server)
    }

    private func respond(
        _ method: String, _ path: String, _ body: [UInt8], _ server: String
    ) throws -> HTTPClient.Response {
        do {
            let token =
                try tokenFile.map {
                    String(decoding: try Input.read($0), as: UTF8.self).trimmed
                } ?? ProcessInfo.processInfo.environment["SCENESYNC_TOKEN"] ?? ""
            if let caFile { _ = try Input.read(caFile) }
            let identity = try identity.identity().map {
                HTTPClient.Identity(certificate: $0.certificatePath, key: $0.privateKeyPath)
            }
            let client = try HTTPClient(server, token: token, caFile: caFile, identity: identity)
            return try client.send(method, path, body: body)
        } catch let error as HTTPClientError {
            throw Output.failure(
                Self.code(error), "\(server): \(error)", try: Advice.after(error))
        }
    }

    private func body(of response: HTTPClient.Response, _ server: String) throws -> [UInt8] {
        guard 200...299 ~= response.status else {
            let text = response.text.isEmpty ? "status \(response.status)" : response.text
            throw Output.failure(
                .failure, "\(server): \(text)", try: Advice.after(status: response.status))
        }
        return response.body
    }

    private static func code(_ error: HTTPClientError) -> ExitCode {
        switch error {
        case .badAddress: .usage
        case .wouldLeakToken, .badToken, .notTrusted: .badConfiguration
        case .cannotConnect, .interrupted: .unavailable
        case .malformed: .badData
        }
    }
}

extension Advice {
    static func after(_ error: HTTPClientError) -> String {
        switch error {
        case .badAddress: "an address is http://HOST:PORT, such as http://127.0.0.1:7070"
        case .wouldLeakToken: "give the server's https:// address"
        case .badToken: "give a file that holds the token alone"
        case .cannotConnect: "is a server running there (scenesync serve)?"
        case .notTrusted: "give the certificate, or the one that signed it, with --ca-file"
        case .interrupted: "look at the server's log, and at its rooms, before you try again"
        case .malformed: "is a SceneSync server there?"
        }
    }

    /// Returns a suggestion for a request that the server did not carry out.
    static func after(status: Int) -> String {
        switch status {
        case 401, 403: "give an administrator's token: --token-file or SCENESYNC_TOKEN"
        case 404: "GET /admin/rooms lists the rooms in memory; the server's version may be older"
        case 409: "give another name"
        case 413: "import the file while the server is stopped, with --data"
        case 422: "give a file written by scenesync export, and a name of letters, digits, - and _"
        case 504: "look at the room before you try again"
        default: "try again in a second, or look at the server's log"
        }
    }
}
