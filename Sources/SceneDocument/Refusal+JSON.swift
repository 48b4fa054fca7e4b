public import JSON

extension Refusal {
    /// The refusal as JSON: `code`, `op`, `message` and `conflicting`.
    public var json: JSONValue {
        .object([
            JSONMember("code", .string(code.rawValue)),
            JSONMember("op", .number(Double(opIndex))),
            JSONMember("message", .string(message)),
            JSONMember("conflicting", .array(conflicting.map { .string($0) })),
        ])
    }
}
