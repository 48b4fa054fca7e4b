/// A byte buffer that is reused for each picture.
///
/// An array would check at every byte whether its storage is shared.
struct ByteBuffer: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1024
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    /// Removes the bytes and keeps the memory.
    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow() }
        bytes[count] = byte
        count += 1
    }

    mutating func append(contentsOf new: some Sequence<UInt8>) {
        for byte in new { append(byte) }
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { append(byte) } }
    }

    /// Appends a number in decimal digits.
    mutating func append(decimal value: UInt32) {
        // From the highest digit on; terminals' numbers have three digits, or four.
        var scale: UInt32 = 1
        while value / scale >= 10 { scale *= 10 }
        while scale > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: value / scale % 10))
            scale /= 10
        }
    }

    /// Replaces the last byte.
    mutating func replaceLast(_ byte: UInt8) {
        if count > 0 { bytes[count - 1] = byte }
    }

    /// The bytes.
    var array: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: bytes, count: count)
        bytes.deallocate()
        bytes = larger
        capacity *= 2
    }
}
