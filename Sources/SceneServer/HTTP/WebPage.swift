import Bytes
import EmbeddedFiles
import Essentials
import FoundationEssentials
import WebSocketTransport

/// The browser page: the embedded files and their security headers.
///
/// Every room's address returns one of two documents, whose script joins that room. Names of rooms
/// have no dot and no slash, so files and rooms cannot be confused.
struct WebPage: Sendable {
    /// One form of a file's content.
    private struct Representation: Sendable {
        var body: [UInt8]
        /// The entity tag, which differs between the forms of one file. Source: RFC 9110, section
        /// 8.8.3.
        var tag: String
    }

    private struct File: Sendable {
        var contentType: String
        /// The file as in the checkout, so that a browser's tools show readable code.
        var plain: Representation
        /// The same compressed by gzip.
        var compressed: Representation
    }

    private let files: [String: File]
    /// The files of faces, by the paths of their requests.
    private let faces: [String: [UInt8]]
    /// The symbols, by the paths of their requests.
    private let symbols: [String: EmbeddedFile]

    /// Reads the embedded files.
    ///
    /// - Complexity: O(bytes).
    init(faces: [ServedFace]) {
        self.faces = Dictionary(faces.map { ("/fonts/" + $0.hash, $0.file) }) { first, _ in first }
        // The page and the playground ask for it beside themselves.
        symbols = Dictionary(
            uniqueKeysWithValues: EmbeddedFile.symbols.flatMap { file in
                ["/", Self.play].map { ($0 + file.name, file) }
            })
        var files: [String: File] = [:]
        for file in EmbeddedFile.page {
            // No protection is needed: the files are embedded, so no client can construct a
            // collision.
            let hash = String(FNV1a.hash(file.plain), radix: 16)
            files[file.name] = File(
                contentType: Self.contentType(of: file.name),
                plain: Representation(body: file.plain, tag: "\"\(hash)\""),
                compressed: Representation(body: file.compressed, tag: "\"\(hash)-gzip\""))
        }
        self.files = files
    }

    /// The response to a request for a file or a room's page; nil where the path is neither.
    ///
    /// - Parameter origins: The origins of other servers that the page may connect to.
    func response(
        to request: HTTPRequest, isRoom: Bool, connectingTo origins: [String] = []
    ) -> HTTPResponse? {
        if let face = faces[request.path] { return Self.face(face) }
        let isCompressed = request.acceptEncoding.map(Self.acceptsGzip) ?? false
        if let file = symbols[request.path] { return Self.symbols(file, isCompressed) }
        if let answer = playground(request.path, query: request.query) { return answer }
        let name = isRoom ? Self.room(request.query) : request.path
        guard let file = files[name] else { return nil }
        let representation = isCompressed ? file.compressed : file.plain
        let policy =
            name.hasPrefix(Self.play) ? Self.playPolicy : Self.policy(connectingTo: origins)
        var headers = [("content-security-policy", policy)]
        headers += Self.headers
        headers.append(("etag", representation.tag))
        if request.ifNoneMatch.map({ Self.matches($0, representation.tag) }) ?? false {
            return HTTPResponse(
                status: 304, contentType: file.contentType, headers: headers)
        }
        if isCompressed { headers.append(("content-encoding", "gzip")) }
        return HTTPResponse(
            status: 200, contentType: file.contentType, body: representation.body,
            headers: headers)
    }

    // MARK: The playground

    /// The folder of the playground's files.
    private static let play = "/play/"

    /// What is answered in place of a file: the way to the playground, or why it is not there. The
    /// page of a room named `play` has a query, such as `/play?room`.
    func playground(_ path: String, query: String) -> HTTPResponse? {
        if path == "/play", query.isEmpty {
            // Relative, for a proxy may serve this under another path.
            var response = HTTPResponse.text(308, "the playground is at play/\n")
            response.headers.append(("location", "play/"))
            return response
        }
        guard path == Self.play, files[Self.play] == nil else { return nil }
        return .text(
            404,
            "this program was built without the engine for browsers; run ./dev wasm and build again\n"
        )
    }

    /// The playground runs WebAssembly in a worker, and talks to nobody.
    private static let playPolicy =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
        + "style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    /// A font file, which never changes: its name is its hash.
    private static func face(_ file: [UInt8]) -> HTTPResponse {
        let isCompressed = file.starts(with: Array("wOF2".utf8))
        return HTTPResponse(
            status: 200, contentType: isCompressed ? "font/woff2" : "font/otf", body: file,
            headers: immutable)
    }

    /// The outlines of the symbols, which never change: the name of the file is its hash.
    private static func symbols(_ file: EmbeddedFile, _ isCompressed: Bool) -> HTTPResponse {
        var headers = immutable
        headers.append(("vary", "accept-encoding"))
        if isCompressed { headers.append(("content-encoding", "gzip")) }
        return HTTPResponse(
            status: 200, contentType: "application/json",
            body: isCompressed ? file.compressed : file.plain, headers: headers)
    }

    /// Of a file that is named by its hash.
    private static let immutable: [(name: String, value: String)] = [
        ("cache-control", "public, max-age=31536000, immutable"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
    ]

    /// The page that shows a room: `?app` requests the scene alone, as an application's screen.
    private static func room(_ query: String) -> String {
        let asksForApp = query.split(separator: "&").contains {
            $0 == "app" || $0.hasPrefix("app=")
        }
        return asksForApp ? "/?app" : "/"
    }

    // MARK: Headers

    /// The page loads and runs only its own files, connects only to its own server and those that
    /// this one names, and cannot be framed. With trusted types, browsers refuse every conversion
    /// from text to markup, and start no worker but that of the one policy.
    static func policy(connectingTo origins: [String]) -> String {
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
            + "connect-src \((["'self'"] + origins).joined(separator: " ")); "
            + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types \(workerPolicy)"
    }

    /// The policy by which `predictor.js` makes the address of its worker.
    private static let workerPolicy = "scenesync-worker"

    private static let headers: [(name: String, value: String)] = [
        ("x-content-type-options", "nosniff"),
        // For browsers that do not know frame-ancestors.
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        // Browsers load the page of a newer server at once; an unchanged one costs a 304.
        ("cache-control", "no-cache"),
        // Caches keep the compressed and the plain form apart.
        ("vary", "accept-encoding"),
    ]

    private static func contentType(of path: String) -> String {
        if path.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if path.hasSuffix(".svg") { return "image/svg+xml" }
        if path.hasSuffix(".wasm") { return "application/wasm" }
        return "text/html; charset=utf-8"
    }

    /// Whether an `Accept-Encoding` header allows gzip: it names `gzip` or `*` with a weight other
    /// than 0.
    static func acceptsGzip(_ header: String) -> Bool {
        var acceptsAny = false
        for item in header.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmed }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0
            }
            switch parts.first {
            case "gzip", "x-gzip": return !isRefused
            case "*": acceptsAny = !isRefused
            default: break
            }
        }
        return acceptsAny
    }

    /// Whether an `If-None-Match` names a tag. Source: RFC 9110, section 13.1.2 (weak comparison).
    private static func matches(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains {
            let each = $0.trimmed
            return each == "*" || each == tag || each == "W/" + tag
        }
    }
}
