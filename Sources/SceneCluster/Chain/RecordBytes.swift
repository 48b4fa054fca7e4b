import Bytes

/// Writes the numbers and texts of records. Numbers have a fixed size and are little-endian;
/// checksums keep the order of the digest.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ value: Number) {
        LittleEndian.append(value, to: &bytes)
    }

    mutating func checksum(_ value: RecordChecksum) {
        number(value.high.byteSwapped)
        number(value.low.byteSwapped)
    }

    mutating func raw(_ other: [UInt8]) { bytes += other }

    /// A text after its length of 16 bits.
    mutating func text(_ value: String) throws(RecordError) {
        let utf8 = Array(value.utf8)
        guard let length = UInt16(exactly: utf8.count) else {
            throw .nameTooLong(bytes: utf8.count, maximum: Int(UInt16.max))
        }
        number(length)
        bytes += utf8
    }

    /// Bytes after their length of 32 bits.
    mutating func block(_ value: [UInt8]) throws(RecordError) {
        guard let length = UInt32(exactly: value.count) else {
            throw .tooLong(bytes: value.count, maximum: RecordHeader.recordBytesMaximum)
        }
        number(length)
        bytes += value
    }

    /// Adds the checksum of the bytes.
    ///
    /// - Returns: The bytes with their checksum at the end, and the checksum.
    mutating func sealed() throws(RecordError) -> (bytes: [UInt8], checksum: RecordChecksum) {
        let length = bytes.count + RecordChecksum.byteCount
        guard length <= RecordHeader.recordBytesMaximum else {
            throw .tooLong(bytes: length, maximum: RecordHeader.recordBytesMaximum)
        }
        let checksum = RecordChecksum(of: bytes)
        self.checksum(checksum)
        return (bytes, checksum)
    }
}

/// Reads what `RecordWriter` wrote from bytes that may be wrong in any way. No count is believed
/// before the bytes that it needs are there.
struct RecordReader {
    private let bytes: [UInt8]
    private let end: Int
    private(set) var offset: Int

    /// Reads the bytes of a range.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var remaining: Int { end - offset }

    mutating func take(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count <= remaining else {
            throw .truncated(offset: offset, neededBytes: count, availableBytes: remaining)
        }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(RecordError) -> Number {
        LittleEndian.number(try take(Number.bitWidth / 8))
    }

    mutating func checksum() throws(RecordError) -> RecordChecksum {
        RecordChecksum(
            high: try number(UInt64.self).byteSwapped, low: try number(UInt64.self).byteSwapped)
    }

    mutating func text() throws(RecordError) -> String {
        let length = Int(try number(UInt16.self))
        let start = offset
        guard let text = String(validating: try take(length), as: UTF8.self) else {
            throw .invalidValue(offset: start, expected: "UTF-8")
        }
        return text
    }

    /// A byte that is 0 or 1.
    mutating func flag() throws(RecordError) -> Bool {
        let start = offset
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw .invalidValue(offset: start, expected: "0 or 1")
        }
    }

    mutating func block() throws(RecordError) -> [UInt8] {
        Array(try take(Int(try number(UInt32.self))))
    }

    /// A count of things that take at least `bytesEach` bytes.
    mutating func count(bytesEach: Int) throws(RecordError) -> Int {
        let count = Int(try number(UInt32.self))
        let (needed, overflows) = count.multipliedReportingOverflow(by: bytesEach)
        guard !overflows, needed <= remaining else {
            throw .truncated(
                offset: offset, neededBytes: overflows ? .max : needed, availableBytes: remaining)
        }
        return count
    }

    func finish() throws(RecordError) {
        guard remaining == 0 else {
            throw .invalidValue(offset: offset, expected: "the end of the record")
        }
    }
}
