import JSON

extension JournalPayload {
    /// Units of work to parse a payload, without applying it, by what it turned out to contain: a
    /// long text takes far less than as many bytes of short values.
    static func readingWork(of value: JSONValue) -> UInt64 {
        let weight = JSONWeight(of: value)
        return Self.value * UInt64(weight.values) + textByte * UInt64(weight.textBytes)
            + JSONWeight.languageByte * UInt64(weight.languageBytes)
    }

    private static let value: UInt64 = 80
    private static let textByte: UInt64 = 3
}
