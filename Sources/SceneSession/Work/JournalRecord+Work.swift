import SceneProtocol

extension JournalRecord {
    /// Units of work that it takes to read a payload of so many bytes, whatever it does to the scene.
    static func readingWork(of byteCount: Int) -> UInt64 { 6 * UInt64(byteCount) }

    /// Units of work that it takes to read its payload.
    var readingWork: UInt64 { Self.readingWork(of: payload.count) }
}
