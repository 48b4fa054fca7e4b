import CWebPage
import Foundation
import WebSocketTransport

/// The browser page: the files that the program carries, with the headers that keep a page safe.
///
/// Every room's address gives the same document, whose script joins the room that the address names. Names of rooms have
/// no dot and no slash, so files and rooms are never mistaken for one another.
struct WebPage: Sendable {
    private struct File: Sendable {
        var contentType: String
        var body: [UInt8]
        var tag: String
    }

    private let files: [String: File]

    /// Takes the files out of the program.
    ///
    /// - Complexity: O(bytes).
    init() {
        var files: [String: File] = [:]
        var index = 0
        while let source = ss_page_file_at(index)?.pointee, let path = source.path,
            let bytes = source.bytes
        {
            let name = String(cString: path)
            let body = PageCompaction(Array(UnsafeBufferPointer(start: bytes, count: source.count)))
                .file(name)
            files[name] = File(
                contentType: Self.contentType(of: name), body: body, tag: Self.tag(of: body))
            index += 1
        }
        self.files = files
    }

    /// The answer to a request for a file or a room's page; nil where the path is neither.
    func response(to request: HTTPRequest, isRoom: Bool) -> HTTPResponse? {
        guard let file = files[isRoom ? "/" : request.path] else { return nil }
        var headers = Self.headers
        headers.append(("etag", file.tag))
        if request.ifNoneMatch.map({ Self.matches($0, file.tag) }) ?? false {
            return HTTPResponse(
                status: 304, contentType: file.contentType, headers: headers)
        }
        return HTTPResponse(
            status: 200, contentType: file.contentType, body: file.body, headers: headers)
    }

    // MARK: Headers

    /// Nothing but the page's own files is loaded or run, nobody may frame it, and it may speak with its own server
    /// alone. Trusted types make a browser refuse every way from a text to markup.
    private static let headers: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        // A newer server's page is noticed at once; an unchanged one costs a 304.
        ("cache-control", "no-cache"),
    ]

    private static func contentType(of path: String) -> String {
        if path.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if path.hasSuffix(".svg") { return "image/svg+xml" }
        return "text/html; charset=utf-8"
    }

    /// FNV-1a of the bytes: the files come from this very program, so nobody chooses them to collide.
    private static func tag(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }

    /// Whether an `If-None-Match` names a tag. Source: RFC 9110, section 13.1.2 (weak comparison).
    private static func matches(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains {
            let each = $0.trimmingCharacters(in: .whitespaces)
            return each == "*" || each == tag || each == "W/" + tag
        }
    }
}
