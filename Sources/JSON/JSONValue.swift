/// A JSON text as a tree that keeps the order of keys and where each value stood.
///
/// Foundation's reader gives neither, and both matter here: order decides the order of views and
/// sets, and the line is what a person needs to find a fault. Two values are equal when they say
/// the same, wherever they stood.
public struct JSONValue: Sendable, Equatable {
    /// What a value is.
    public enum Kind: Sendable, Equatable {
        /// `null`
        case null
        /// `true` or `false`
        case bool(Bool)
        /// Always finite.
        case number(Double)
        /// A text.
        case string(String)
        /// Values in order.
        case array([JSONValue])
        /// Members in the order of the text; no key twice.
        case object([JSONMember])
    }

    /// What the value is.
    public var kind: Kind
    /// The line of its first character, from 1; 0 for a value that was not read from a text.
    public var line: Int
    /// The column of its first character in Unicode scalars, from 1; 0 for a value that was not
    /// read.
    public var column: Int

    /// Makes a value.
    public init(_ kind: Kind, line: Int = 0, column: Int = 0) {
        self.kind = kind
        self.line = line
        self.column = column
    }

    /// Whether both say the same, wherever they stood.
    public static func == (left: JSONValue, right: JSONValue) -> Bool { left.kind == right.kind }

    /// What the value is, in words.
    public var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The member of that key; nil for other kinds too.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = kind else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text; nil for other kinds.
    public var string: String? { if case .string(let text) = kind { text } else { nil } }
    // Inlined into some functions of other modules, it ends the optimiser of Swift 6.3.1 ("Found
    // ownership error" in CopyPropagation).
    /// The number; nil for other kinds.
    @inline(never)
    public var number: Double? { if case .number(let number) = kind { number } else { nil } }
    /// The truth value; nil for other kinds.
    public var bool: Bool? { if case .bool(let flag) = kind { flag } else { nil } }
    /// The values of a list; nil for other kinds.
    public var array: [JSONValue]? { if case .array(let list) = kind { list } else { nil } }
    /// The members of an object; nil for other kinds.
    public var members: [JSONMember]? { if case .object(let all) = kind { all } else { nil } }

    /// Makes a text.
    public static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
    /// Makes a number, which must be finite.
    public static func number(_ number: Double) -> JSONValue { JSONValue(.number(number)) }
    /// Makes a truth value.
    public static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }
    /// Makes a list.
    public static func array(_ values: [JSONValue]) -> JSONValue { JSONValue(.array(values)) }
    /// Makes an object of members that are in order.
    public static func object(_ members: [JSONMember]) -> JSONValue { JSONValue(.object(members)) }
    /// `null`
    public static var null: JSONValue { JSONValue(.null) }
}

/// A key and its value.
public struct JSONMember: Sendable, Equatable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

/// Why bytes are not a JSON text that we take, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public var message: String
    /// From 1.
    public var line: Int
    /// In Unicode scalars, from 1.
    public var column: Int

    /// Makes an error.
    public init(message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    /// The place and the message.
    public var description: String { "line \(line), column \(column): \(message)" }
}
