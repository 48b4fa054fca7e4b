import Bytes
import Deflate
import JSON
import LayoutValues
import SceneDocument

/// Reads fields from bytes that may be wrong in any way. Every count is held against the bytes that
/// are left and against the limits before memory is taken.
struct BinaryDecoder: FieldCoder {
    typealias Failure = DecodeError

    private let bytes: [UInt8]
    private(set) var offset = 0
    let limits: Limits

    init(_ bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    var remaining: Int { bytes.count - offset }

    func invalid(_ name: String, _ expected: String) throws(DecodeError) {
        throw .invalidValue(offset: offset)
    }

    private func need(_ count: Int) throws(DecodeError) {
        guard count <= remaining else { throw .truncated(offset: offset, neededBytes: count) }
    }

    mutating func byte() throws(DecodeError) -> UInt8 {
        try need(1)
        defer { offset += 1 }
        return bytes[offset]
    }

    /// At most `bits` of value, in the shortest form.
    mutating func varint(bits: Int = 64) throws(DecodeError) -> UInt64 {
        let start = offset
        var result: UInt64 = 0
        var shift = 0
        while true {
            let byte = try byte()
            let low = UInt64(byte & 0x7F)
            // The last byte may hold only the bits that are left, and must hold one unless it is
            // the only byte.
            guard shift < bits, shift + 7 <= bits || low >> UInt64(bits - shift) == 0,
                byte != 0 || shift == 0
            else { throw .malformedVarint(offset: start) }
            result |= low << UInt64(shift)
            if byte < 0x80 { return result }
            shift += 7
        }
    }

    @inline(__always)
    mutating func varint32() throws(DecodeError) -> UInt32 {
        // Most are of one byte.
        if offset < bytes.count, bytes[offset] < 0x80 {
            defer { offset &+= 1 }
            return UInt32(bytes[offset])
        }
        return UInt32(truncatingIfNeeded: try varint(bits: 32))
    }

    mutating func zigzag() throws(DecodeError) -> Int32 {
        Self.signed(try varint32())
    }

    static func signed(_ zigzag: UInt32) -> Int32 {
        Int32(bitPattern: zigzag >> 1) ^ -Int32(bitPattern: zigzag & 1)
    }

    /// A count of things that take at least `bytesEach` bytes.
    mutating func count(maximum: Int, bytesEach: Int = 1) throws(DecodeError) -> Int {
        let start = offset
        let count = Int(clamping: try varint32())
        guard count <= maximum else {
            throw .tooMany(offset: start, count: count, maximum: maximum)
        }
        let neededBytes = count.saturatingMultiply(by: bytesEach)
        guard neededBytes <= remaining else {
            throw .truncated(offset: offset, neededBytes: neededBytes)
        }
        return count
    }

    mutating func take(_ count: Int) throws(DecodeError) -> ArraySlice<UInt8> {
        try need(count)
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func text(maximum: Int) throws(DecodeError) -> String {
        let count = try count(maximum: maximum)
        let start = offset
        guard let text = String(validating: try take(count), as: UTF8.self) else {
            throw .invalidUTF8(offset: start)
        }
        return text
    }

    private mutating func littleEndian() throws(DecodeError) -> UInt64 {
        LittleEndian.number(try take(8))
    }

    private mutating func double() throws(DecodeError) -> Double {
        let start = offset
        let value = Double(bitPattern: try littleEndian())
        guard value.isFinite else { throw .invalidValue(offset: start) }
        return value
    }

    private mutating func flag() throws(DecodeError) -> Bool {
        let start = offset
        let byte = try byte()
        guard byte < 2 else { throw .invalidValue(offset: start) }
        return byte == 1
    }

    mutating func u8(_ name: String, _ value: inout UInt8) throws(DecodeError) {
        value = try byte()
    }
    mutating func u32(_ name: String, _ value: inout UInt32) throws(DecodeError) {
        value = try varint32()
    }
    mutating func u64(_ name: String, _ value: inout UInt64) throws(DecodeError) {
        value = try varint()
    }
    mutating func fixed64(_ name: String, _ value: inout UInt64) throws(DecodeError) {
        value = try littleEndian()
    }
    mutating func f64(_ name: String, _ value: inout Double) throws(DecodeError) {
        value = try double()
    }
    mutating func bool(_ name: String, _ value: inout Bool) throws(DecodeError) {
        value = try flag()
    }
    mutating func text(
        _ name: String, _ value: inout String, maximum: Int
    ) throws(DecodeError) {
        value = try text(maximum: maximum)
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) throws(DecodeError) {
        let start = offset
        let index = Int(try byte())
        guard let match = Value.allCases.dropFirst(index).first else {
            throw .invalidValue(offset: start)
        }
        value = match
    }

    mutating func optionalNumber(
        _ name: String, _ value: inout ViewNumber?
    ) throws(DecodeError) {
        let start = offset
        let raw = try varint32()
        guard raw <= UInt32(Limits.viewNumberMaximum) else { throw .invalidValue(offset: start) }
        value = raw == 0 ? nil : ViewNumber(raw - 1)
    }

    mutating func integers(_ name: String, _ values: inout [Int32]) throws(DecodeError) {
        for index in values.indices { values[index] = try zigzag() }
    }

    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) throws(DecodeError) {
        for index in values.indices { values[index] = try zigzag() }
    }

    mutating func doubles(_ name: String, _ values: inout [Double]) throws(DecodeError) {
        for index in values.indices { values[index] = try double() }
    }

    mutating func color(_ name: String, _ value: inout Color?) throws(DecodeError) {
        guard try flag() else { return value = nil }
        let channels = try take(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        value = Color(rgba: channels)
    }

    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) throws(DecodeError) {
        values = []
        for _ in 0..<(try count(maximum: maximum)) {
            values.append(try text(maximum: textMaximum))
        }
    }

    mutating func value<Value: WireValue>(
        _ name: String, _ value: inout Value
    ) throws(DecodeError) {
        try value.code(&self)
    }

    mutating func optional<Value: WireValue>(
        _ name: String, _ value: inout Value?
    ) throws(DecodeError) {
        guard try flag() else { return value = nil }
        var some = Value()
        try some.code(&self)
        value = some
    }

    mutating func list<Value: WireValue>(
        _ name: String, _ values: inout [Value], maximum: Int
    ) throws(DecodeError) {
        values = []
        for _ in 0..<(try count(maximum: maximum)) {
            var value = Value()
            try value.code(&self)
            values.append(value)
        }
    }

    mutating func json(_ name: String, _ value: inout JSONValue) throws(DecodeError) {
        let count = try count(maximum: limits.messageBytesMaximum)
        let text = Array(try take(count))
        do throws(JSONError) { value = try JSONReader.read(text) } catch { throw .json(error) }
    }

    mutating func records(
        _ name: String, _ values: inout [ViewRecord], deflated: Bool
    ) throws(DecodeError) {
        guard deflated else { return values = try SnapshotColumns.decode(&self) }
        let start = offset
        let count = Int(clamping: try varint32())
        guard count <= limits.inflatedBytesMaximum else {
            throw .tooMany(offset: start, count: count, maximum: limits.inflatedBytesMaximum)
        }
        let packed = try take(try self.count(maximum: limits.messageBytesMaximum))
        let columns: [UInt8]
        do throws(DeflateError) {
            columns = try Deflate.inflate(packed, count: count)
        } catch { throw .malformedDeflate(offset: start) }
        var inner = BinaryDecoder(columns, limits: limits)
        values = try SnapshotColumns.decode(&inner)
        guard inner.remaining == 0 else { throw .malformedDeflate(offset: start) }
    }

    mutating func selection(_ name: String, _ value: inout Selection) throws(DecodeError) {
        value = try FrameBodyCodec.decodeSelection(&self)
    }

    mutating func body(_ name: String, _ value: inout FrameBody) throws(DecodeError) {
        var none: FrameBodyCodec.Distances?
        value = try FrameBodyCodec.decode(&none, &self)
    }

    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) throws(DecodeError) {
        var read: FrameBodyCodec.Distances? = FrameBodyCodec.Distances()
        value = try FrameBodyCodec.decode(&read, &self)
        distances = read ?? distances
    }

    mutating func numbers(_ name: String, _ values: inout [UInt32]) throws(DecodeError) {
        values = []
        var next: UInt32 = 0
        for _ in 0..<(try count(maximum: limits.viewMaximum + 1)) {
            let start = offset
            let number = next &+ UInt32(bitPattern: try zigzag())
            guard number < UInt32(Limits.viewNumberMaximum) else {
                throw .invalidValue(offset: start)
            }
            values.append(number)
            next = number + 1
        }
    }

    mutating func extra(
        _ id: UInt32, _ name: String, _ value: inout UInt64?
    ) throws(DecodeError) {
        value = nil
        guard var content = try findExtension(id) else { return }
        var some: UInt64 = 0
        try content.u64(name, &some)
        value = some
    }

    mutating func extra<Value: WireValue>(
        _ id: UInt32, _ name: String, _ value: inout Value?
    ) throws(DecodeError) {
        value = nil
        guard var content = try findExtension(id) else { return }
        var some = Value()
        try some.code(&content)
        value = some
    }

    /// Skips the extensions that may be skipped, to the end of the message.
    mutating func extensions() throws(DecodeError) { _ = try takeExtension(nil) }

    /// Looks for an extension and leaves all of them where they are, since a message may have
    /// several.
    private func findExtension(_ wanted: UInt32) throws(DecodeError) -> BinaryDecoder? {
        var ahead = self
        return try ahead.takeExtension(wanted)
    }

    /// Goes through the extensions to the end of the message.
    ///
    /// - Returns: What the wanted one holds, the last where it comes twice. A later version may
    ///   have added to its end.
    private mutating func takeExtension(_ wanted: UInt32?) throws(DecodeError) -> BinaryDecoder? {
        var content: BinaryDecoder?
        while remaining > 0 {
            let id = try varint32()
            let count = try count(maximum: limits.messageBytesMaximum)
            // Those that are defined are even, so every odd one is unknown.
            if id & 1 == 1 { throw .unknownExtension(id: id) }
            let bytes = try take(count)
            if id == wanted { content = BinaryDecoder(Array(bytes), limits: limits) }
        }
        return content
    }
}
