import Deflate
import JSON
public import SceneDocument

extension SceneVersion {
    /// The scene as bytes; compressed unless that makes it no shorter.
    struct Packed: Sendable, Equatable {
        /// The bytes that are kept.
        let bytes: [UInt8]
        /// Those of the JSON text.
        let count: Int

        init(bytes: [UInt8], count: Int) {
            self.bytes = bytes
            self.count = count
        }

        init(_ document: SceneDocument) {
            var text: [UInt8] = []
            document.json.append(to: &text)
            count = text.count
            let deflated = try? Deflate.compress(text)
            bytes = deflated.flatMap { $0.count < text.count ? $0 : nil } ?? text
        }

        /// The JSON text; `nil` where the bytes are damaged.
        var text: [UInt8]? {
            bytes.count == count ? bytes : try? Deflate.inflate(bytes[...], count: count)
        }
    }

    /// The scene.
    ///
    /// - Throws: `DocumentError` where it cannot be read.
    /// - Complexity: O(size of the scene).
    public func document() throws(DocumentError) -> SceneDocument {
        guard let text = scene.text else {
            throw DocumentError(code: .badValue, message: "version \"\(name)\" is damaged")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(text, depthMaximum: JSONReader.journalDepthMaximum)
        } catch {
            throw DocumentError(error)
        }
        return try SceneDocument.parse(value)
    }
}
