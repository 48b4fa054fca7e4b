public import JSON

/// Why something was refused; the raw values are the codes on the wire. More may be added, none
/// renamed.
public enum RefusalCode: String, CaseIterable, Sendable, Error {
    /// Required constraints would conflict.
    case unsatisfiable
    /// A view or guide of that name does not exist.
    case unknownView = "unknown-view"
    /// A constraint of that name does not exist.
    case unknownConstraint = "unknown-constraint"
    /// A constraint set of that name does not exist.
    case unknownSet = "unknown-set"
    /// The name is taken.
    case duplicateID = "duplicate-id"
    /// A rule, visual format or condition that is none.
    case badRule = "bad-rule"
    /// The right type, but an impossible value.
    case badValue = "bad-value"
    /// An unknown op, or a key that is missing, unknown or of the wrong type.
    case badOp = "bad-op"
    /// A view would be its own ancestor.
    case cycle
    /// The member's role does not allow it.
    case forbidden
    /// More than the limits allow.
    case limit
    /// What is named cannot be edited.
    case notEditable = "not-editable"
    /// Another member's change came first.
    case conflict
    /// It costs more work than its sender or the room may take.
    case tooExpensive = "too-expensive"
    /// Another member has locked it.
    case locked
    /// A thread or comment of that name does not exist.
    case unknownComment = "unknown-comment"
    /// A version of that name does not exist.
    case unknownVersion = "unknown-version"
    /// A suggestion of that name does not exist.
    case unknownSuggestion = "unknown-suggestion"
    /// The journal could not be written.
    case storeFailed = "store-failed"
    /// A code of a later version, which this one does not know.
    case other
}

/// Why an op was kept out.
public struct Refusal: Error, Equatable, Sendable {
    /// The reason for programs.
    public var code: RefusalCode
    /// The reason for people.
    public var message: String
    /// The op's index in its list, from 0.
    public var opIndex: Int
    /// The names of the constraints that conflict, for `unsatisfiable`.
    public var conflicting: [String]

    /// Makes a refusal.
    public init(code: RefusalCode, message: String, opIndex: Int = 0, conflicting: [String] = []) {
        self.code = code
        self.message = message
        self.opIndex = opIndex
        self.conflicting = conflicting
    }

    /// The refusal that a fault in an op's text amounts to.
    public init(_ error: DocumentError, opIndex: Int) {
        self.init(code: error.code, message: error.description, opIndex: opIndex)
    }
}

/// What is wrong with a document, an op or a scenario, and where.
public struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason for programs.
    public var code: RefusalCode
    /// The reason for people, without its place.
    public var message: String
    /// The place in the tree, such as `views[3].hugging`; empty for the whole text.
    public var path: String
    /// The name of the view, guide, constraint or set that the place belongs to.
    public var id: String?
    /// The line in the text, from 1.
    public var line: Int?
    /// The column in Unicode scalars, from 1.
    public var column: Int?
    /// What should have stood there.
    public var expected: String?

    /// Makes an error.
    public init(
        code: RefusalCode, message: String, path: String = "", id: String? = nil, line: Int? = nil,
        column: Int? = nil, expected: String? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.id = id
        self.line = line
        self.column = column
        self.expected = expected
    }

    /// The error for a text that is not JSON.
    public init(_ error: JSONError) {
        self.init(
            code: .badOp, message: error.message, line: error.line, column: error.column,
            expected: "JSON")
    }

    /// The place, the message and what was expected: `line 12, views[3] "title": …, expected …`.
    public var description: String {
        var place = line.map { ["line \($0)"] } ?? []
        let name = id.map { "\"\($0)\"" }
        let subject = [path.isEmpty ? nil : path, name].compactMap { $0 }.joined(separator: " ")
        if !subject.isEmpty { place.append(subject) }
        let head = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
        return head + message + (expected.map { ", expected \($0)" } ?? "")
    }
}
