import Bytes
import JSON
import SceneDocument

/// Writes fields as bytes. Never fails: that a value can be sent is up to the code that makes it.
struct BinaryEncoder: FieldCoder {
    typealias Failure = Never

    private(set) var bytes: [UInt8]
    var limits: Limits { .standard }

    /// Goes on after `bytes`, in their buffer.
    init(appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// Starts empty, with room for so many bytes.
    init(byteCapacity: Int) {
        bytes = []
        bytes.reserveCapacity(byteCapacity)
    }

    func invalid(_ name: String, _ expected: String) {}

    mutating func varint(_ value: UInt64) { Varint.append(value, to: &bytes) }

    mutating func count(_ value: Int) { varint(UInt64(UInt(bitPattern: value))) }

    /// Small magnitudes of either sign become small numbers: 0, −1, 1, −2 are 0, 1, 2, 3.
    mutating func zigzag(_ value: Int32) { varint(UInt64(Self.zigzag(value))) }

    static func zigzag(_ value: Int32) -> UInt32 { UInt32(bitPattern: value << 1 ^ value >> 31) }

    @inline(__always)
    static func zigzag(_ values: SIMD4<Int32>) -> SIMD4<UInt32> {
        SIMD4(truncatingIfNeeded: values &<< 1 ^ values &>> 31)
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// Appends bits.
    ///
    /// - Parameters:
    ///   - bytesMaximum: What they take at most.
    ///   - write: Writes them and returns the writer after them: by value, so that it stays in the
    ///     processor's registers.
    @inline(__always)
    mutating func bits(
        bytesMaximum: Int, _ write: (BitWriter, inout MutableRawSpan) -> BitWriter
    ) {
        bytes.append(addingCapacity: bytesMaximum &+ BitWriter.bytesAhead) { output in
            // Unsafe only for what is read before it is written, and for elements of which not all
            // bytes are valid.
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                let memory = UnsafeMutableRawBufferPointer(buffer)
                var bytes = unsafe memory.mutableBytes
                var writer = write(BitWriter(), &bytes)
                writer.finish(to: &bytes)
                count = writer.offset
            }
        }
    }

    /// Appends whole bytes; at most `BitWord.countMaximum` bits.
    mutating func word(_ word: BitWord) {
        bits(bytesMaximum: 0) { writer, bytes in
            var writer = writer
            writer.put(word, to: &bytes)
            return writer
        }
    }

    mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func text(_ utf8: [UInt8]) {
        count(utf8.count)
        bytes.append(contentsOf: utf8)
    }

    private mutating func littleEndian(_ value: UInt64) {
        LittleEndian.append(value, to: &bytes)
    }

    mutating func u8(_ name: String, _ value: inout UInt8) { bytes.append(value) }
    mutating func u32(_ name: String, _ value: inout UInt32) { varint(UInt64(value)) }
    mutating func u64(_ name: String, _ value: inout UInt64) { varint(value) }
    mutating func fixed64(_ name: String, _ value: inout UInt64) { littleEndian(value) }
    mutating func f64(_ name: String, _ value: inout Double) { littleEndian(value.bitPattern) }
    mutating func bool(_ name: String, _ value: inout Bool) { bytes.append(value ? 1 : 0) }
    mutating func text(_ name: String, _ value: inout String, maximum: Int) { text(value) }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) {
        var index: UInt8 = 0
        for candidate in Value.allCases {
            if candidate == value { break }
            index &+= 1
        }
        bytes.append(index)
    }

    mutating func optionalNumber(_ name: String, _ value: inout ViewNumber?) {
        varint(value.map { UInt64($0.rawValue) + 1 } ?? 0)
    }

    mutating func integers(_ name: String, _ values: inout [Int32]) {
        for value in values { zigzag(value) }
    }

    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) {
        for index in values.indices { zigzag(values[index]) }
    }

    mutating func doubles(_ name: String, _ values: inout [Double]) {
        for value in values { littleEndian(value.bitPattern) }
    }

    mutating func color(_ name: String, _ value: inout Color?) {
        guard let color = value else { return bytes.append(0) }
        bytes.append(contentsOf: [1, color.r, color.g, color.b, color.a])
    }

    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) {
        count(values.count)
        for value in values { text(value) }
    }

    mutating func value<Value: WireValue>(_ name: String, _ value: inout Value) {
        value.code(&self)
    }

    mutating func optional<Value: WireValue>(_ name: String, _ value: inout Value?) {
        guard var some = value else { return bytes.append(0) }
        bytes.append(1)
        some.code(&self)
    }

    mutating func list<Value: WireValue>(_ name: String, _ values: inout [Value], maximum: Int) {
        count(values.count)
        for value in values {
            var value = value
            value.code(&self)
        }
    }

    mutating func extra(_ id: UInt32, _ name: String, _ value: inout UInt64?) {
        guard let value else { return }
        var encoder = BinaryEncoder()
        encoder.varint(value)
        append(encoder.bytes, asExtension: id)
    }

    mutating func extra<Value: WireValue>(_ id: UInt32, _ name: String, _ value: inout Value?) {
        guard var some = value else { return }
        var encoder = BinaryEncoder()
        some.code(&encoder)
        append(encoder.bytes, asExtension: id)
    }

    private mutating func append(_ content: [UInt8], asExtension id: UInt32) {
        varint(UInt64(id))
        count(content.count)
        bytes.append(contentsOf: content)
    }

    mutating func json(_ name: String, _ value: inout JSONValue) {
        var json: [UInt8] = []
        value.append(to: &json)
        count(json.count)
        bytes.append(contentsOf: json)
    }

    mutating func records(_ name: String, _ values: inout [ViewRecord], deflated: Bool) {
        guard deflated else { return SnapshotColumns.encode(values, to: &self) }
        var columns = BinaryEncoder()
        SnapshotColumns.encode(values, to: &columns)
        let packed = StoredDeflate.compress(columns.bytes)
        count(columns.bytes.count)
        count(packed.count)
        bytes.append(contentsOf: packed)
    }

    mutating func selection(_ name: String, _ value: inout Selection) {
        FrameBodyCodec.encode(value, stores: true, to: &self)
    }

    mutating func body(_ name: String, _ value: inout FrameBody) {
        FrameBodyCodec.encode(value, to: &self)
    }

    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) {
        FrameBodyCodec.encode(value, distances, to: &self)
    }

    mutating func numbers(_ name: String, _ values: inout [UInt32]) {
        count(values.count)
        var next: UInt32 = 0
        for value in values {
            zigzag(Int32(bitPattern: value &- next))
            next = value &+ 1
        }
    }
}
