import FoundationEssentials

/// Base64 with padding, as bytes. Source: RFC 4648, section 4.
enum Base64 {
    /// - Complexity: O(bytes).
    static func encode(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedData()) }
}
