/// The hash FNV-1a of 64 bits over bytes: checksums of the journal, hashes of views, tags of served
/// files. It is no protection against intent.
///
/// - Source: Fowler, Noll, Vo; RFC 9923.
public struct FNV1a {
    /// The hash of no bytes.
    @inlinable public static var basis: UInt64 { 0xCBF2_9CE4_8422_2325 }
    /// What is multiplied by at each byte.
    @inlinable public static var prime: UInt64 { 0x0000_0100_0000_01B3 }

    /// The hash of what was added so far.
    public var value: UInt64

    /// Starts with the hash of no bytes, or continues from a hash.
    @inlinable public init(_ value: UInt64 = FNV1a.basis) { self.value = value }

    /// Adds a byte.
    @inlinable @inline(__always) public mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* Self.prime
    }

    /// Adds bytes in order.
    @inlinable public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// The hash of bytes.
    @inlinable public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }
}
