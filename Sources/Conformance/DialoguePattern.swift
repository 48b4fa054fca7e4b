import JSON

/// The values that a dialogue keeps, and the patterns that it holds messages against.
///
/// In a pattern a member that is not named may be anything. `{"$any": true}` matches all values,
/// `{"$from": 1, "$to": 9}` numbers, `{"$with": 128}` and `{"$without": 128}` numbers that have
/// these bits, or none of them, `{"$save": "x"}` all values, which it keeps; `"$x"` is the value
/// that was kept. In a message `{"$repeat": "x", "count": 9}` is a long text.
struct DialogueValues {
    private var values: [String: JSONValue] = [:]

    /// Keeps a value.
    subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// A message with the kept values in place of their names.
    func filled(_ value: JSONValue) -> JSONValue {
        switch value.kind {
        case .string(let text):
            text.hasPrefix("$") ? values[String(text.dropFirst())] ?? value : value
        case .array(let elements): .array(elements.map(filled))
        case .object(let members):
            if let text = value["$repeat"]?.string, let count = value["count"]?.number {
                .string(String(repeating: text, count: Int(count)))
            } else {
                .object(members.map { JSONMember($0.key, filled($0.value)) })
            }
        case .null, .bool, .number: value
        }
    }

    /// Holds a value against a pattern.
    ///
    /// - Returns: Where they differ, in words; `nil` where they do not.
    mutating func difference(
        _ value: JSONValue, _ pattern: JSONValue, _ path: String = "message"
    ) -> String? {
        switch pattern.kind {
        case .object(let members):
            if pattern["$any"] != nil { return nil }
            if let name = pattern["$save"]?.string {
                values[name] = value
                return nil
            }
            if let from = pattern["$from"]?.number, let to = pattern["$to"]?.number {
                guard let number = value.number ?? value.string.flatMap(Double.init),
                    from...to ~= number
                else { return "\(path) is \(value.text()), not \(from) to \(to)" }
                return nil
            }
            for (key, isSet) in [("$with", true), ("$without", false)] {
                guard let bits = pattern[key]?.number else { continue }
                let found = UInt64(value.number ?? value.string.flatMap(Double.init) ?? 0)
                let holds = isSet ? found & UInt64(bits) == UInt64(bits) : found & UInt64(bits) == 0
                return holds ? nil : "\(path) is \(found)"
            }
            for member in members {
                guard let inner = value[member.key] else {
                    return "\(path).\(member.key) is missing"
                }
                if let found = difference(inner, member.value, "\(path).\(member.key)") {
                    return found
                }
            }
            return nil
        case .array(let patterns):
            guard let elements = value.array, elements.count == patterns.count else {
                return "\(path) is \(value.text()), not \(pattern.text())"
            }
            for (index, pair) in zip(elements, patterns).enumerated() {
                if let found = difference(pair.0, pair.1, "\(path)[\(index)]") { return found }
            }
            return nil
        case .string, .number, .bool, .null:
            let wanted = filled(pattern)
            return value == wanted ? nil : "\(path) is \(value.text()), not \(wanted.text())"
        }
    }
}
