import Deflate
import FoundationEssentials

/// A file that the program carries, so that one binary serves its own page and brings its examples
/// and faces wherever it is copied.
///
/// The lists are generated when the program is built: the plugin runs `embed`, which compresses the
/// files.
public struct EmbeddedFile: Sendable {
    /// What the file is asked for by: of the page the path of the request, of an example or a face
    /// its name.
    public let name: String
    /// The bytes as they are in the checkout.
    public let plain: [UInt8]
    /// The same compressed by gzip.
    public let compressed: [UInt8]

    /// Decodes a file that `embed` wrote.
    ///
    /// - Parameters:
    ///   - base64: The gzip stream, without a name in its header.
    ///   - count: The number of its bytes when it is not compressed.
    init(_ name: String, count: Int, base64: String) {
        // A gzip stream without a name is a deflate stream between 10 bytes and 8. Source: RFC
        // 1952, section 2.3.
        guard let data = Data(base64Encoded: base64), data.count > 18,
            let plain = try? Deflate.inflate(Array(data).dropFirst(10).dropLast(8), count: count)
        else {
            preconditionFailure("the embedded file \(name) is damaged; build the program again")
        }
        self.name = name
        self.plain = plain
        compressed = Array(data)
    }
}
