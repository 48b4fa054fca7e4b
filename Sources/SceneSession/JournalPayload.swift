public import SceneModel
public import SceneProtocol

/// What is in the payloads of a room's journal records.
public enum JournalPayload: Sendable, Equatable {
    /// A whole scene; the author and its sequence where a client's op brought it about.
    case snapshot(SceneSnapshot, tickRate: Int, author: String, clientSequence: UInt64)
    /// Ops as they were applied.
    case batch(author: String, clientSequence: UInt64, atomic: Bool, ops: [Op])

    /// The bytes of the payload.
    public var bytes: [UInt8] {
        let value: JSONValue
        switch self {
        case .snapshot(let snapshot, let tickRate, let author, let sequence):
            value = .object([
                JSONMember("author", .string(author)),
                JSONMember("clientSequence", .string(String(sequence))),
                JSONMember("tickRate", .number(Double(tickRate))),
                JSONMember("snapshot", snapshot.json),
            ])
        case .batch(let author, let sequence, let atomic, let ops):
            value = .object([
                JSONMember("author", .string(author)),
                JSONMember("clientSequence", .string(String(sequence))),
                JSONMember("atomic", .bool(atomic)),
                JSONMember("ops", .array(ops.map(\.json))),
            ])
        }
        var output: [UInt8] = []
        value.append(to: &output)
        return output
    }

    /// Reads the payload of a record.
    ///
    /// - Throws: `DocumentError` for a payload that this version did not write.
    public init(_ record: JournalRecord) throws(DocumentError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(record.payload) } catch {
            throw DocumentError(error)
        }
        guard case .string(let author) = value["author"]?.kind,
            case .string(let text) = value["clientSequence"]?.kind, let sequence = UInt64(text)
        else {
            throw DocumentError(code: .badOp, message: "the record names no author")
        }
        switch record.kind {
        case .snapshot:
            guard let snapshot = value["snapshot"] else {
                throw DocumentError(code: .badOp, message: "the record has no snapshot")
            }
            var rate = 60
            if case .number(let number) = value["tickRate"]?.kind, let whole = Int(exactly: number)
            {
                rate = whole
            }
            self = .snapshot(
                try SceneSnapshot.parse(snapshot), tickRate: rate, author: author,
                clientSequence: sequence)
        case .batch:
            guard let ops = value["ops"], case .bool(let atomic) = value["atomic"]?.kind else {
                throw DocumentError(code: .badOp, message: "the record has no ops")
            }
            self = .batch(
                author: author, clientSequence: sequence, atomic: atomic,
                ops: try Op.parseArray(ops, path: "ops"))
        }
    }
}
