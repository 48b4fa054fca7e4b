import SceneProtocol

extension JournalRecord {
    /// Units of work to parse a payload of so many bytes, without applying it.
    static func readingWork(of byteCount: Int) -> UInt64 { 9 * UInt64(byteCount) }

    /// Units of work to parse its payload.
    var readingWork: UInt64 { Self.readingWork(of: payload.count) }
}
