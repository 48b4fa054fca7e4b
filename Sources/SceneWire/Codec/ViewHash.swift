import Bytes

/// The state hash: the sum, modulo 2^64, of one hash for each view.
///
/// A view's hash is FNV-1a (64 bits) over its name, its superview's name (empty for the root) and
/// its content in the binary format, then its frame as four little-endian 32-bit integers, and last
/// the finalizer of SplitMix64, so that sums of similar views do not cancel. Numbers do not enter,
/// so a new numbering changes nothing.
///
/// - Source: Fowler, Noll, Vo; RFC 9923. Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
///   Generators".
public enum ViewHash {
    /// The part that a change of the frame leaves alone.
    ///
    /// - Complexity: O(bytes of the content).
    public static func prefix(id: String, parentID: String, content: ViewContent) -> UInt64 {
        var encoder = BinaryEncoder(byteCapacity: 48 + id.utf8.count + parentID.utf8.count)
        encoder.text(id)
        encoder.text(parentID)
        var content = content
        content.code(&encoder)
        return FNV1a.hash(encoder.bytes)
    }

    /// The view's hash with that frame. Complexity: O(1).
    public static func hash(prefix: UInt64, frame: QuantisedFrame) -> UInt64 {
        var bytes = FNV1a(prefix)
        func add(_ value: Int32) {
            let bits = UInt32(bitPattern: value)
            for shift in [0, 8, 16, 24] as [UInt32] {
                bytes.add(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        add(frame.x)
        add(frame.y)
        add(frame.width)
        add(frame.height)
        var hash = bytes.value
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    /// A hash as people see it: 16 hexadecimal digits in lower case.
    public static func text(_ hash: UInt64) -> String {
        Hexadecimal.text(hash)
    }
}
