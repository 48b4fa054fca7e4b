import Bytes
import Digests

/// The name of a face: the SHA-256 of its file's bytes.
public struct FaceHash: Hashable, Sendable, CustomStringConvertible {
    private let digest: [UInt8]

    /// The hash of a file.
    public init(of file: [UInt8]) { digest = SHA256Digest.of(file) }

    /// 64 hexadecimal digits in lower case.
    public var description: String { Hexadecimal.text(digest) }
}
