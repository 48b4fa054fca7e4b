public import SceneDocument

/// Puts the parts of answers together.
public struct InspectionReader: Sendable {
    private var parts: [Inspection] = []

    /// Waits for the first part.
    public init() {}

    /// Takes the next part.
    ///
    /// - Returns: The number of the question and its answer, once all parts are there.
    /// - Throws: `DocumentError` for a part that is not the next one, and for a text that is no
    ///   inspection; what came before is forgotten then.
    public mutating func take(
        _ part: Inspection
    ) throws(DocumentError) -> (request: UInt32, inspection: SceneInspection)? {
        let isNext =
            parts.first.map {
                $0.request == part.request && $0.chunkCount == part.chunkCount
                    && part.chunkIndex == parts.count
            } ?? (part.chunkIndex == 0)
        guard isNext else {
            parts.removeAll()
            throw DocumentError(
                code: .badValue, message: "part \(part.chunkIndex) of an inspection out of order")
        }
        parts.append(part)
        guard parts.count == part.chunkCount else { return nil }
        defer { parts.removeAll() }
        return (part.request, try .parse(parts.flatMap { Array($0.text.utf8) }))
    }
}
