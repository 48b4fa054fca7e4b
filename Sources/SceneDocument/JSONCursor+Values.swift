import Bytes
import ConstraintLanguage
package import JSON
package import LayoutValues

/// Typed values at a place of a JSON text, each of which may be refused.
extension JSONCursor {
    /// The same for a key that has to be there.
    package func require(_ key: String) throws(DocumentError) -> JSONCursor {
        guard let result = member(key) else { throw missing(key) }
        return result
    }

    /// The error for a key that has to be there and is not.
    package func missing(_ key: String) -> DocumentError {
        error(.badOp, "the key \"\(key)\" is missing")
    }

    /// An error at this place.
    package func error(
        _ code: RefusalCode, _ message: String, expected: String? = nil
    ) -> DocumentError {
        DocumentError(
            code: code, message: message, path: path, id: id,
            line: value.line > 0 ? value.line : nil, column: value.column > 0 ? value.column : nil,
            expected: expected)
    }

    private func wrongType(_ expected: String) -> DocumentError {
        error(.badOp, "found \(value.kindName)", expected: expected)
    }

    package func bool() throws(DocumentError) -> Bool {
        guard case .bool(let result) = value.kind else { throw wrongType("true or false") }
        return result
    }

    /// - Parameter byteMaximum: The most bytes of UTF-8.
    package func text(
        byteMaximum: Int = Limits.standard.textBytesMaximum
    ) throws(DocumentError) -> String {
        guard case .string(let result) = value.kind else { throw wrongType("a text") }
        guard result.utf8.count <= byteMaximum else {
            throw error(
                .limit,
                "a text of \(result.utf8.count) bytes, the longest may have \(byteMaximum)")
        }
        return result
    }

    func number(
        in range: ClosedRange<Double> = -Limits.numberMaximum...Limits.numberMaximum
    ) throws(DocumentError) -> Double {
        guard case .number(let result) = value.kind else { throw wrongType("a number") }
        guard range.contains(result) else {
            throw error(
                .badValue, "\(NumberText.of(result)) is out of range",
                expected:
                    "\(NumberText.of(range.lowerBound))...\(NumberText.of(range.upperBound))")
        }
        return result
    }

    package func integer<Whole: FixedWidthInteger>(
        in range: ClosedRange<Whole>
    ) throws(DocumentError) -> Whole {
        let result = try number(in: Double(range.lowerBound)...Double(range.upperBound))
        guard let integer = Whole(exactly: result) else {
            throw error(.badValue, "\(result) has a fraction", expected: "an integer")
        }
        return integer
    }

    /// A whole number of any size: those beyond what a double holds exactly are written as texts.
    package func wholeNumber<Number: FixedWidthInteger>() throws(DocumentError) -> Number {
        switch value.kind {
        case .number(let number): if let whole = Number(exactly: number) { return whole }
        case .string(let text): if let whole = Number(text) { return whole }
        case .null, .bool, .array, .object: break
        }
        throw error(.badOp, "found \(value.kindName)", expected: "a whole number")
    }

    package func identifier() throws(DocumentError) -> String {
        let result = try text()
        guard Identifier.isValid(result) else {
            throw error(
                .badValue, "\"\(result.prefix(80))\" is not a name",
                expected: "a letter or _, then letters, digits, _ and -, at most 64 bytes")
        }
        return result
    }

    /// The most bytes of a visual format's name.
    static let formatIDBytesMaximum = 3 * Identifier.byteMaximum
    /// The most bytes of a constraint's name: a visual format's, a dot, and the number of one of
    /// its rules.
    private static let constraintIDBytesMaximum = formatIDBytesMaximum + 8

    /// The name of a constraint, which may be one that we gave (`#3`, `compact#0`, `row.2`).
    package func constraintID() throws(DocumentError) -> String {
        let result = try text()
        let byteMaximum = Self.constraintIDBytesMaximum
        let isWellFormed =
            result.utf8.first.map { !Self.isDigit($0) && $0 != UInt8(ascii: "-") } ?? false
        guard isWellFormed, result.utf8.count <= byteMaximum,
            result.utf8.allSatisfy(Self.isPartOfConstraintID)
        else {
            throw error(
                .badValue, "\"\(result.prefix(80))\" is not the name of a constraint",
                expected: "letters, digits, _ and -, at most \(byteMaximum) bytes")
        }
        return result
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isPartOfConstraintID(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "#"), UInt8(ascii: ".")]
                .contains(byte)
    }

    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ type: Value.Type
    ) throws(DocumentError) -> Value {
        let name = try text()
        guard let result = Value(rawValue: name) else {
            let names = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
            throw error(
                .badValue, "unknown value \"\(name.prefix(80))\"", expected: "one of \(names)")
        }
        return result
    }

    package func list() throws(DocumentError) -> List {
        guard let elements else { throw wrongType("a list") }
        return elements
    }

    /// A list of exactly `count` numbers.
    package func numbers(
        _ count: Int, _ expected: String,
        in range: ClosedRange<Double> = -Limits.numberMaximum...Limits.numberMaximum
    ) throws(DocumentError) -> [Double] {
        let nodes = try list()
        guard nodes.count == count else {
            throw error(.badValue, "a list of \(nodes.count)", expected: expected)
        }
        var result: [Double] = []
        for node in nodes { result.append(try node.number(in: range)) }
        return result
    }

    package func point() throws(DocumentError) -> Point {
        let numbers = try numbers(2, "[x, y]")
        return Point(x: numbers[0], y: numbers[1])
    }

    func rect() throws(DocumentError) -> Rect {
        let numbers = try numbers(4, "[x, y, width, height]")
        return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    func insets() throws(DocumentError) -> EdgeInsets {
        let numbers = try numbers(4, "[top, leading, bottom, trailing]")
        return EdgeInsets(
            top: numbers[0], leading: numbers[1], bottom: numbers[2], trailing: numbers[3])
    }

    func priorities() throws(DocumentError) -> PriorityByAxis {
        let numbers = try numbers(2, "[horizontal, vertical]", in: 1...1000)
        return PriorityByAxis(LayoutPriority(numbers[0]), LayoutPriority(numbers[1]))
    }

    func identifiers() throws(DocumentError) -> [String] {
        var result: [String] = []
        for node in try list() { result.append(try node.identifier()) }
        return result
    }

    package func object() throws(DocumentError) -> JSONFields {
        guard let fields else { throw wrongType("an object") }
        return fields
    }

    /// The members of an object whose keys are names, in the order of the text.
    package func members() throws(DocumentError) -> [(key: String, cursor: JSONCursor)] {
        guard let membersByKey else { throw wrongType("an object") }
        return membersByKey
    }
}
