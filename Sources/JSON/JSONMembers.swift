/// Members of an object that is being written; what is nil is left out.
package struct JSONMembers {
    package var members: [JSONMember] = []

    /// Starts without members.
    package init() {}

    /// Adds a member unless its value is `nil`.
    package mutating func add(_ key: String, _ value: JSONValue?) {
        if let value { members.append(JSONMember(key, value)) }
    }

    package mutating func add(_ key: String, _ text: String?) { add(key, text.map { .string($0) }) }
    package mutating func add(_ key: String, _ number: Double?) {
        add(key, number.map { .number($0) })
    }
    package mutating func add(_ key: String, _ number: Int?) {
        add(key, number.map { .number(Double($0)) })
    }
    package mutating func add(_ key: String, _ value: Bool?) { add(key, value.map { .bool($0) }) }

    /// The object.
    package var json: JSONValue { .object(members) }
}

extension JSONValue {
    /// A list of numbers.
    package static func numbers(_ values: Double...) -> JSONValue {
        .array(values.map { .number($0) })
    }

    /// A list of texts.
    package static func strings(_ values: [String]) -> JSONValue {
        .array(values.map { .string($0) })
    }
}
