/// What a column holds, or a parameter is given. SQLite's five storage classes.
public enum Value: Equatable, Sendable {
    /// No value.
    case null
    /// A number without a fraction.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// Text in UTF-8. A column that claims to be text and is no UTF-8 comes as `blob`.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// The number; `nil` for anything else.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The text; `nil` for anything else.
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The bytes of a blob; `nil` for anything else.
    public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Makes a number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a text.
    public init(stringLiteral value: String) { self = .text(value) }
}
