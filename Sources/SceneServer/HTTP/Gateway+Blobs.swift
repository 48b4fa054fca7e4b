import Dispatch
import FoundationEssentials
import JSON
import Pictures
import RoomNames
import SceneStore
import SceneWire
import WebSocketTransport

/// Pictures over HTTP.
///
/// | request | does |
/// |---|---|
/// | `PUT /blobs/ROOM` | takes the body, a picture, in for a room; needs a token with which its holder may change the room |
/// | `GET /blobs/HASH` | returns a picture to holders of a token for one of the rooms that have it |
extension Gateway {
    /// The last part of a path below `/blobs/`; nil for another path.
    static func blobName(_ path: String) -> String? {
        let prefix = "/blobs/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return name.contains("/") ? nil : name
    }

    /// Bytes of a picture that may be brought to a path; nil where none may.
    func blobMaximum(method: String, path: String) -> Int? {
        guard method == "PUT", let room = Self.blobName(path), RoomName.isValid(room) else {
            return nil
        }
        return blobs.byteMaximum
    }

    /// Decides whether a picture may be brought to a room: nil where it may, or the refusal.
    func judgeBlob(
        _ request: HTTPRequest, room: String,
        _ decision: @escaping @Sendable (HTTPResponse?) -> Void
    ) {
        authorizeBlob(request, { decision($0) }) { grant in
            let mayEdit = grant.role.edits && grant.covers(room: room)
            decision(mayEdit ? nil : .text(403, "the token is not for changing this room\n"))
        }
    }

    func blobRequest(_ request: HTTPRequest, _ name: String, _ responder: HTTPResponder) {
        switch request.method {
        case "GET", "HEAD": sendBlob(name, request, responder)
        case "PUT" where RoomName.isValid(name):
            // Judged again, since a body of no bytes is not announced.
            judgeBlob(request, room: name) { [self] refusal in
                if let refusal { return responder(refusal) }
                blobQueue.async { [self] in
                    responder(takeBlob(request.body, room: RoomName.main(of: name)))
                }
            }
        default: responder(.text(405, "PUT /blobs/ROOM or GET /blobs/HASH\n"))
        }
    }

    private func takeBlob(_ bytes: [UInt8], room: String) -> HTTPResponse {
        do throws(BlobError) {
            let blob = try blobs.put(bytes, room: room)
            return .json(
                200,
                .object([
                    JSONMember("hash", .string(blob.hash)),
                    JSONMember("width", .number(Double(blob.picture.width))),
                    JSONMember("height", .number(Double(blob.picture.height))),
                    JSONMember("type", .string(blob.picture.type.mediaType)),
                ]))
        } catch {
            let status =
                switch error {
                case .picture: 415
                case .tooLong: 413
                case .roomIsFull, .disk: 507
                }
            return .text(status, error.description + "\n")
        }
    }

    private func sendBlob(_ hash: String, _ request: HTTPRequest, _ responder: HTTPResponder) {
        authorizeBlob(request, { responder($0) }) { [self] grant in
            blobQueue.async { [self] in
                // Whether there is such a picture elsewhere is not told.
                guard let room = blobs.rooms(having: hash).first(where: grant.covers),
                    let blob = blobs.blob(hash, in: room), let bytes = blobs.bytes(of: hash)
                else { return responder(.text(404, "no picture that the token is for\n")) }
                var headers = Self.blobHeaders
                headers.append(("etag", "\"\(hash)\""))
                let isKnown = request.ifNoneMatch?.contains(hash) == true
                responder(
                    HTTPResponse(
                        status: isKnown ? 304 : 200, contentType: blob.picture.type.mediaType,
                        body: isKnown ? [] : bytes, headers: headers))
            }
        }
    }

    /// A picture never changes, is no document, runs nothing, and is for pages of this server.
    private static let blobHeaders = [
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("vary", "authorization"), ("referrer-policy", "no-referrer"),
    ]

    /// Calls `body` with the rights of a request, else `refuse`.
    func authorizeBlob(
        _ request: HTTPRequest, _ refuse: @escaping @Sendable (HTTPResponse) -> Void,
        then body: @escaping @Sendable (Grant) -> Void
    ) {
        guard let authenticator = settings.current.authenticator else {
            guard isOpen(to: request) else {
                return refuse(.text(403, "only allowed from this machine\n"))
            }
            var grant = Grant()
            grant.role = .editor
            grant.rooms = ["*"]
            return body(grant)
        }
        guard let token = Self.bearerToken(request.authorization) else {
            var response = HTTPResponse.text(401, "a token is needed\n")
            response.headers.append(("www-authenticate", "Bearer"))
            return refuse(response)
        }
        Task {
            do throws(TokenError) {
                body(try authenticator.verify(token))
            } catch {
                var response = HTTPResponse.text(401, error.description + "\n")
                response.headers.append(("www-authenticate", #"Bearer error="invalid_token""#))
                refuse(response)
            }
        }
    }
}
