import Bytes
public import ConstraintLanguage
import JSON

/// A constraint of a document: one rule, or a visual format that stands for several.
public struct ConstraintSpec: Sendable, Equatable {
    /// What the constraint says.
    public enum Body: Sendable, Equatable {
        /// One rule, in memory that copies have in common.
        indirect case rule(Rule)
        /// A visual format (with its text) and the options that it is read with.
        case visualFormat(VisualFormat, VisualFormat.Options)
    }

    /// Its name, if it was given one.
    public var id: String?
    /// What it says.
    public var body: Body
    /// Whether it is in force.
    public var active: Bool
    /// A note for people who debug; never looked up.
    public var identifier: String?
    /// What is different in a rule under some traits.
    public var variations: [ConstraintVariation] = []
    /// Whether it holds the place of another one while people edit, and is never in force.
    /// Interface Builder's "Remove at build time".
    public var placeholder = false
    /// Whether it was written as bare text and not as an object.
    public var wasBareText: Bool

    /// Makes a constraint.
    public init(
        id: String? = nil, body: Body, active: Bool = true, identifier: String? = nil,
        wasBareText: Bool = false
    ) {
        self.id = id
        self.body = body
        self.active = active
        self.identifier = identifier
        self.wasBareText = wasBareText
    }

    /// The name it goes by: its own, or `#i`, or `S#i` in the set `S`.
    ///
    /// - Parameter index: Its place in its list, from 0.
    public func resolvedID(index: Int, set: String? = nil) -> String {
        id ?? "\(set ?? "")#\(index)"
    }

    /// The name of the k-th rule (from 0) of a visual format whose own name is `id`.
    public static func ruleID(_ id: String, _ k: Int) -> String { "\(id).\(k)" }

    /// How many rules it stands for.
    public var ruleCount: Int {
        switch body {
        case .rule: 1
        case .visualFormat(let format, let options): format.ruleCount(options: options)
        }
    }

}

extension ConstraintSpec {
    init(_ node: JSONCursor) throws(DocumentError) {
        if case .string = node.value.kind {
            self.init(body: try Self.body(node), wasBareText: true)
            return
        }
        guard case .object = node.value.kind else {
            throw node.error(
                .badOp, "found \(node.value.kindName)", expected: "a rule as a text or an object")
        }
        var fields = try node.object()
        try self.init(&fields)
        try fields.finish()
    }

    init(_ fields: inout JSONFields) throws(DocumentError) {
        let id = try fields.take("id")?.constraintID()
        fields.node.id = id
        let rule = fields.take("rule")
        let format = fields.take("vfl")
        let options = fields.take("options")
        let active = try fields.take("active")?.bool() ?? true
        let identifier = try fields.take("identifier")?.text()
        let body: Body
        switch (rule, format) {
        case (let rule?, nil):
            body = try Self.body(rule, options: options, asFormat: false)
            if case .visualFormat = body { try Self.checkLength(id, fields.node) }
        case (nil, let format?):
            body = try Self.body(format, options: options, asFormat: true)
            try Self.checkLength(id, fields.node)
        case (nil, nil): throw fields.node.error(.badOp, "the key \"rule\" or \"vfl\" is missing")
        case (.some, .some):
            throw fields.node.error(.badOp, "both \"rule\" and \"vfl\"", expected: "one of them")
        }
        self.init(id: id, body: body, active: active, identifier: identifier)
        placeholder = try fields.take("placeholder")?.bool() ?? false
        guard let varied = fields.take("variations") else { return }
        guard case .rule = body else {
            throw varied.error(.badOp, "only a rule has variations", expected: "a rule")
        }
        variations = try ConstraintVariation.list(varied)
    }

    /// The name of a visual format leaves room for the numbers of its rules.
    private static func checkLength(_ id: String?, _ node: JSONCursor) throws(DocumentError) {
        guard let id, id.utf8.count > JSONCursor.formatIDBytesMaximum else { return }
        throw node.error(
            .badValue, "\"\(id.prefix(80))\" is too long for the name of a visual format",
            expected: "at most \(JSONCursor.formatIDBytesMaximum) bytes")
    }

    /// - Parameter asFormat: Whether the text stood under `vfl`, so that a prefix is not needed.
    private static func body(
        _ node: JSONCursor, options: JSONCursor? = nil, asFormat: Bool = false
    ) throws(DocumentError) -> Body {
        let text = try node.text()
        guard asFormat || VisualFormat.isVisualFormat(text) else {
            if let options { throw options.error(.badOp, "only a visual format has options") }
            let rule: Rule
            do throws(LanguageError) { rule = try Rule.parse(text) } catch {
                throw Self.error(error, in: text, node)
            }
            try check(rule.constant, node)
            try check(rule.multiplier, node)
            return .rule(rule)
        }
        var set: VisualFormat.Options = []
        for name in try options?.list() ?? .empty {
            guard let option = VisualFormat.Options(name: try name.text()) else {
                throw name.error(
                    .badValue, "unknown option",
                    expected: "one of " + VisualFormat.Options.allNames.joined(separator: ", "))
            }
            set.formUnion(option)
        }
        let format: VisualFormat
        do throws(LanguageError) {
            format = try VisualFormat.parse(text)
            try format.check(set)
        } catch {
            throw Self.error(error, in: text, node)
        }
        for constant in format.constants { try check(constant, node) }
        return .visualFormat(format, set)
    }

    private static func check(_ number: Double, _ node: JSONCursor) throws(DocumentError) {
        guard number.magnitude <= Limits.numberMaximum else {
            throw node.error(
                .badValue, "\(NumberText.of(number)) is out of range",
                expected: "-1000000...1000000")
        }
    }

    static func error(_ error: LanguageError, in text: String, _ node: JSONCursor) -> DocumentError
    {
        node.error(
            .badRule,
            "\(error.message) at character \(error.offset + 1) of \"\(text.prefix(200))\"",
            expected: error.expected.isEmpty ? nil : error.expectedText)
    }

    /// The constraint as it stands in a document.
    var json: JSONValue {
        if wasBareText, id == nil, active, identifier == nil, !placeholder, variations.isEmpty {
            switch body {
            case .rule(let rule): return .string(rule.description)
            case .visualFormat(let format, []): return .string(format.source)
            // Options have no place in a bare text.
            case .visualFormat: break
            }
        }
        var list = JSONMembers()
        write(to: &list)
        return list.json
    }

    func write(to list: inout JSONMembers) {
        list.add("id", id)
        switch body {
        case .rule(let rule): list.add("rule", rule.description)
        case .visualFormat(let format, let options):
            list.add("vfl", format.source)
            if !options.isEmpty { list.add("options", .strings(options.names)) }
        }
        if !active { list.add("active", false) }
        list.add("identifier", identifier)
        if placeholder { list.add("placeholder", true) }
        if !variations.isEmpty { list.add("variations", .array(variations.map { $0.json })) }
    }
}
