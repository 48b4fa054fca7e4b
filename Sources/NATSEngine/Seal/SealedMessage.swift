import Bytes
import SceneCluster
private import Signatures

/// A message between nodes with a proof that a holder of a cluster's key sent it, to this subject.
///
///     offset  size  meaning
///     0       4     "SSCS"
///     4       1     version, 1
///     5       8     milliseconds since 1970, by the sender's clock
///     13      16    the first half of HMAC-SHA256 over the bytes 0 to 12, the length of the
///                   subject (2), the subject, and the message
///     29      …     the message
///
/// Numbers are little-endian. The time is held against the receiver's clock for orders alone:
/// beats, notices and packets have numbers of their own, by which a message that is sent again is
/// known, and nodes go on when a clock jumps.
///
/// - Source: RFC 2104, section 5, for the truncation.
enum SealedMessage {
    /// The result of opening a message.
    enum Opened: Equatable {
        /// The message, and the milliseconds since 1970 at which it was sealed; `nil` for one
        /// without proof, where that is allowed.
        case message([UInt8], sealedAt: UInt64?)
        case refused(reason: String)
    }

    private static let head: [UInt8] = Array("SSCS".utf8) + [1]
    private static let timeBytes = 8
    private static let proofBytes = 16
    private static var bodyOffset: Int { head.count + timeBytes + proofBytes }

    /// Seals a message with the first of the keys, or leaves it as it is where that is `open`.
    static func seal(
        _ message: [UInt8], to subject: String, at milliseconds: UInt64, _ keys: ClusterKeys
    ) -> [UInt8] {
        guard case .key(let key)? = keys.entries.first else { return message }
        var start = head
        LittleEndian.append(milliseconds, to: &start)
        // Without memory for a proof there is none, and receivers refuse the message.
        let none = [UInt8](repeating: 0, count: proofBytes)
        return start + (proof(start, subject, message[...], key) ?? none) + message
    }

    /// Opens a message with any of the keys.
    static func open(_ bytes: [UInt8], of subject: String, _ keys: ClusterKeys) -> Opened {
        let entries = keys.entries
        guard bytes.starts(with: head), bytes.count >= bodyOffset else {
            return keys.isOpen
                ? .message(bytes, sealedAt: nil)
                : .refused(reason: "without a proof of the cluster's key")
        }
        let start = Array(bytes.prefix(head.count + timeBytes))
        let given = Array(bytes[start.count..<bodyOffset])
        let message = bytes[bodyOffset...]
        for case .key(let key) in entries {
            guard let expected = proof(start, subject, message, key), isEqual(expected, given)
            else { continue }
            let time: UInt64 = LittleEndian.number(start[head.count...])
            return .message(Array(message), sealedAt: time)
        }
        return .refused(reason: "with a proof of another key")
    }

    /// - Returns: `nil` when OpenSSL has no memory.
    private static func proof(
        _ start: [UInt8], _ subject: String, _ message: ArraySlice<UInt8>, _ key: Secret
    ) -> [UInt8]? {
        let name = Array(subject.utf8)
        var signed = start
        signed.reserveCapacity(start.count + 2 + name.count + message.count)
        LittleEndian.append(UInt16(truncatingIfNeeded: name.count), to: &signed)
        signed += name
        signed += message
        return key.sign(signed).map { Array($0.prefix(proofBytes)) }
    }

    /// Takes the same time wherever they differ.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count
            && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
