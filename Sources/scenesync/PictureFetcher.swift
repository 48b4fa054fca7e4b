import Dispatch
import HTTPClient
import SceneClient
import TerminalViewer
import WebSocketAddress
import WebSocketTransport

/// Fetches the pictures of a room from its server: `GET blobs/HASH`, beside the room's address.
///
/// Used from any thread; it blocks its caller.
struct PictureFetcher: Sendable {
    /// Bytes of a file, more than a server takes in.
    private static let byteMaximum = 64 << 20
    /// Seconds that a server may be silent.
    private static let patienceSeconds = 15

    private let urls: [String]
    private let token: String
    private let tokenSource: (@Sendable () -> String?)?
    private let caFile: String?
    private let identity: HTTPClient.Identity?
    private let trustsAnyCertificate: Bool

    /// - Parameter options: Those by which the room is joined.
    init(_ options: SceneClient.Options) {
        urls = options.urls
        token = options.token
        tokenSource = options.tokenSource
        caFile = options.caFile
        identity = options.identity.map {
            HTTPClient.Identity(certificate: $0.certificatePath, key: $0.privateKeyPath)
        }
        trustsAnyCertificate = options.trustsAnyCertificate
    }

    /// Fetches and decodes a picture, from the first address that has it.
    func picture(_ hash: String) -> Result<ScenePicture, PictureFailure> {
        // It becomes a part of a request.
        guard hash.utf8.count == 64, hash.utf8.allSatisfy({ Self.isDigit($0) }) else {
            return .failure(PictureFailure("its hash is none", isFinal: true))
        }
        var failure = PictureFailure("there is no address", isFinal: true)
        for url in urls {
            switch file(hash, url) {
            case .success(let file):
                do throws(PictureFailure) {
                    return .success(try Self.decode(hash, file))
                } catch {
                    return .failure(error)
                }
            case .failure(let reason): failure = reason
            }
        }
        return .failure(failure)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func decode(
        _ hash: String, _ file: [UInt8]
    ) throws(PictureFailure) -> ScenePicture {
        do {
            return try ScenePicture(hash: hash, file: file)
        } catch {
            throw PictureFailure("\(error)", isFinal: true)
        }
    }

    private func file(_ hash: String, _ url: String) -> Result<[UInt8], PictureFailure> {
        guard let path = Self.path(hash, url) else {
            return .failure(PictureFailure("\(url) is no address", isFinal: true))
        }
        do throws(HTTPClientError) {
            let client = try HTTPClient(
                url, token: tokenSource?() ?? token, caFile: caFile, identity: identity,
                trustsAnyCertificate: trustsAnyCertificate,
                patienceSeconds: Self.patienceSeconds, bodyMaximum: Self.byteMaximum)
            let response = try client.send("GET", path)
            guard response.status == 200 else {
                let text = response.text.isEmpty ? "no picture" : response.text
                return .failure(PictureFailure("\(response.status), \(text)", isFinal: false))
            }
            return .success(response.body)
        } catch {
            return .failure(PictureFailure(error.description, isFinal: false))
        }
    }

    /// The path of a picture, of whose room the address is; nil for no address.
    static func path(_ hash: String, _ url: String) -> String? {
        guard let parts = URLParts(url) else { return nil }
        let room = parts.path.prefix { $0 != "?" }
        let folder = room.lastIndex(of: "/").map { room[...$0] } ?? "/"
        return "\(folder)blobs/\(hash)"
    }
}
