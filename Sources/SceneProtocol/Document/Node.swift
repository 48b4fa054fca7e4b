import ConstraintLanguage

/// A JSON value on its way to a typed one: it knows its path, and the name of what it belongs to, for errors.
struct Node {
    let value: JSONValue
    let path: String
    var id: String?

    init(_ value: JSONValue, path: String, id: String? = nil) {
        self.value = value
        self.path = path
        self.id = id
    }

    func error(
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

    func bool() throws(DocumentError) -> Bool {
        guard case .bool(let result) = value.kind else { throw wrongType("true or false") }
        return result
    }

    func text() throws(DocumentError) -> String {
        guard case .string(let result) = value.kind else { throw wrongType("a text") }
        guard result.utf8.count <= Limits.standard.textBytesMaximum else {
            throw error(
                .limit,
                "a text of \(result.utf8.count) bytes, the longest may have \(Limits.standard.textBytesMaximum)"
            )
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

    func integer(in range: ClosedRange<Int>) throws(DocumentError) -> Int {
        let result = try number(in: Double(range.lowerBound)...Double(range.upperBound))
        guard let integer = Int(exactly: result) else {
            throw error(.badValue, "\(result) has a fraction", expected: "an integer")
        }
        return integer
    }

    func identifier() throws(DocumentError) -> String {
        let result = try text()
        guard Identifier.isValid(result) else {
            throw error(
                .badValue, "\"\(result.prefix(80))\" is not a name",
                expected: "a letter or _, then letters, digits, _ and -, at most 64 bytes")
        }
        return result
    }

    /// The name of a constraint, which may be one that we gave (`#3`, `compact#0`, `row.2`).
    func constraintID() throws(DocumentError) -> String {
        let result = try text()
        let byteMaximum = 3 * Identifier.byteMaximum
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

    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ type: Value.Type
    ) throws(DocumentError) -> Value {
        let name = try text()
        guard let result = Value(rawValue: name) else {
            let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw error(
                .badValue, "unknown value \"\(name.prefix(80))\"", expected: "one of \(names)")
        }
        return result
    }

    func color() throws(DocumentError) -> Color {
        let name = try text()
        guard let result = Color(name) else {
            throw error(
                .badValue, "\"\(name.prefix(80))\" is not a colour",
                expected: "#rrggbb or #rrggbbaa")
        }
        return result
    }

    func list() throws(DocumentError) -> [Node] {
        guard case .array(let values) = value.kind else { throw wrongType("a list") }
        return values.enumerated().map { Node($1, path: "\(path)[\($0)]", id: id) }
    }

    /// A list of exactly `count` numbers.
    func numbers(
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

    func point() throws(DocumentError) -> Point {
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

    func object() throws(DocumentError) -> Fields {
        guard case .object(let members) = value.kind else { throw wrongType("an object") }
        return Fields(node: self, members: members)
    }
}

/// The members of an object, taken one by one; what nobody takes is an error, for it is mostly a typing error.
struct Fields {
    var node: Node
    private let members: [JSONMember]
    private var isTaken: [Bool]
    private var names: [String] = []

    init(node: Node, members: [JSONMember]) {
        self.node = node
        self.members = members
        isTaken = Array(repeating: false, count: members.count)
    }

    mutating func take(_ key: String) -> Node? {
        names.append(key)
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        isTaken[index] = true
        return Node(
            members[index].value, path: node.path.isEmpty ? key : "\(node.path).\(key)", id: node.id
        )
    }

    mutating func require(_ key: String) throws(DocumentError) -> Node {
        guard let result = take(key) else {
            throw node.error(.badOp, "the key \"\(key)\" is missing")
        }
        return result
    }

    /// Takes every member that is left, for objects whose keys are names.
    mutating func takeAll() -> [(key: String, node: Node)] {
        members.indices.filter { !isTaken[$0] }.map { index in
            isTaken[index] = true
            let key = members[index].key
            return (key, Node(members[index].value, path: "\(node.path).\(key)", id: node.id))
        }
    }

    /// - Parameter allowsNotes: Whether members that nobody took may stay if they are texts, as notes for people.
    func finish(allowsNotes: Bool = false) throws(DocumentError) {
        let left = members.indices.first { index in
            guard !isTaken[index] else { return false }
            if allowsNotes, case .string = members[index].value.kind { return false }
            return true
        }
        guard let index = left else { return }
        let key = members[index].key
        let place = Node(members[index].value, path: node.path, id: node.id)
        throw place.error(
            .badOp, "unknown key \"\(key.prefix(80))\"",
            expected: "one of \(names.joined(separator: ", "))")
    }
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

/// Members of an object that is being written; what is nil is left out.
struct MemberList {
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
