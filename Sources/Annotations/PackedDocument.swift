import Bytes
import Deflate
package import JSON
public import SceneDocument

/// A document as bytes, compressed unless that makes it no shorter.
public struct PackedDocument: Sendable, Equatable {
    /// The bytes that are kept.
    let bytes: [UInt8]
    /// The number of bytes of the JSON text.
    public let textByteCount: Int

    /// The approximate memory in bytes.
    public var byteCount: Int { 100 + bytes.count }

    /// Packs a document.
    ///
    /// - Complexity: O(size of the document).
    public init(_ document: SceneDocument) {
        var text: [UInt8] = []
        document.json.append(to: &text)
        textByteCount = text.count
        let deflated = try? Deflate.compress(text)
        bytes = deflated.flatMap { $0.count < text.count ? $0 : nil } ?? text
    }

    /// The document.
    ///
    /// - Throws: `DocumentError` if the bytes are damaged.
    /// - Complexity: O(size of the document).
    public func document() throws(DocumentError) -> SceneDocument {
        let text =
            bytes.count == textByteCount
            ? bytes : try? Deflate.inflate(bytes[...], count: textByteCount)
        guard let text else {
            throw DocumentError(code: .badValue, message: "the kept document is damaged")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(text, depthMaximum: JSONReader.journalDepthMaximum)
        } catch {
            throw DocumentError(error)
        }
        return try SceneDocument.parse(value)
    }

    // MARK: The journal

    /// The members of a JSON object that hold the document.
    package var members: [JSONMember] {
        [
            JSONMember("bytes", .number(Double(textByteCount))),
            JSONMember("scene", .string(Base64URL.text(bytes))),
        ]
    }

    /// Parses the result of `members`.
    ///
    /// - Throws: `DocumentError` for anything else; whether the bytes are a document is not
    ///   checked.
    package init(_ cursor: JSONCursor) throws(DocumentError) {
        let node = try cursor.require("scene")
        let text = try node.text(byteMaximum: .max)
        guard let bytes = Base64URL.bytes(text[...].utf8) else {
            throw node.error(.badValue, "no base64url")
        }
        self.bytes = bytes
        textByteCount = try cursor.require("bytes").wholeNumber()
    }
}
