import Deflate

/// Records in few bytes, for an owner that has to keep them and rarely reads them.
public struct PackedRecords: Sendable {
    private let bytes: [UInt8]
    /// Where each record ends before deflating.
    private let ends: [Int]

    /// Packs records.
    ///
    /// - Complexity: O(bytes); some 5 ns a byte, for what is packed at a quiet moment is still
    ///   packed beside live rooms.
    public init(_ records: [JournalRecord]) {
        var plain: [UInt8] = []
        var ends: [Int] = []
        plain.reserveCapacity(records.reduce(0) { $0 + $1.payload.count + 64 })
        ends.reserveCapacity(records.count)
        for record in records {
            record.append(to: &plain)
            ends.append(plain.count)
        }
        self.ends = ends
        // What it is made in is as long as it might have become.
        let deflated = StoredDeflate.compress(plain, level: 1)
        var exact: [UInt8] = []
        exact.reserveCapacity(deflated.count)
        exact.append(contentsOf: deflated)
        bytes = exact
    }

    /// Bytes that the records take.
    public var byteCount: Int { bytes.count }

    /// The records.
    ///
    /// - Throws: `DecodeError` if the bytes are not those that were packed.
    public func records() throws(DecodeError) -> [JournalRecord] {
        let plain: [UInt8]
        do {
            plain = try Deflate.inflate(bytes[...], count: ends.last ?? 0)
        } catch {
            throw .invalidValue(offset: 0)
        }
        var records: [JournalRecord] = []
        records.reserveCapacity(ends.count)
        var start = 0
        for end in ends {
            records.append(try JournalRecord.decode(Array(plain[start..<end])))
            start = end
        }
        return records
    }
}
