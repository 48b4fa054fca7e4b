/// Members of an object that is being written; what is nil is left out.
struct JSONMembers {
    var members: [JSONMember] = []

    mutating func add(_ key: String, _ value: JSONValue?) {
        if let value { members.append(JSONMember(key, value)) }
    }

    mutating func add(_ key: String, _ text: String?) { add(key, text.map { .string($0) }) }
    mutating func add(_ key: String, _ number: Double?) { add(key, number.map { .number($0) }) }
    mutating func add(_ key: String, _ number: Int?) {
        add(key, number.map { .number(Double($0)) })
    }
    mutating func add(_ key: String, _ value: Bool?) { add(key, value.map { .bool($0) }) }

    var json: JSONValue { .object(members) }
}

extension JSONValue {
    /// A list of numbers.
    static func numbers(_ values: Double...) -> JSONValue {
        .array(values.map { .number($0) })
    }

    /// A list of texts.
    static func strings(_ values: [String]) -> JSONValue {
        .array(values.map { .string($0) })
    }

    static func of(_ point: Point) -> JSONValue { .numbers(point.x, point.y) }
    static func of(_ rect: Rect) -> JSONValue {
        .numbers(rect.minX, rect.minY, rect.width, rect.height)
    }
    static func of(_ priorities: PriorityByAxis) -> JSONValue {
        .numbers(priorities.horizontal.rawValue, priorities.vertical.rawValue)
    }
}
