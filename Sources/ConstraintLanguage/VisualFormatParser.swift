/// Reads `[(H|V):] [| connection] view (connection view)* [connection |]`. Spaces may stand between
/// tokens.
struct VisualFormatParser {
    private let source: String
    private var scanner: Scanner

    init(source: String) {
        self.source = source
        scanner = Scanner(source)
    }

    mutating func format() throws(LanguageError) -> VisualFormat {
        var orientation = VisualFormat.Orientation.horizontal
        if scanner.takeSign("V", ":") {
            orientation = .vertical
        } else {
            _ = scanner.takeSign("H", ":")
        }
        var leading: VisualFormat.Connection?
        if scanner.takeSign("|") { leading = try connection() }
        var elements = [try element(leading == nil ? ["\"[\"", "\"|\""] : ["\"[\""])]
        var between: [VisualFormat.Connection] = []
        var trailing: VisualFormat.Connection?
        scanner.skipSpaces()
        while !scanner.isAtEnd {
            let link = try connection()
            if scanner.takeSign("|") {
                trailing = link
                try scanner.requireEnd([])
                break
            }
            elements.append(
                try element(link == .flush ? ["\"-\"", "\"[\"", "\"|\""] : ["\"[\"", "\"|\""]))
            between.append(link)
            scanner.skipSpaces()
        }
        return VisualFormat(
            source: source, orientation: orientation, leading: leading, elements: elements,
            between: between, trailing: trailing)
    }

    /// Takes nothing (flush), `-` (standard) or `-…-`.
    private mutating func connection() throws(LanguageError) -> VisualFormat.Connection {
        guard scanner.takeSign("-") else { return .flush }
        scanner.skipSpaces()
        if scanner.current == UInt8(ascii: "[") || scanner.current == UInt8(ascii: "|") {
            return .standard
        }
        if scanner.takeSign("(") {
            var predicates: [VisualFormat.Predicate] = []
            repeat {
                predicates.append(try predicate(allowsViews: false))
            } while scanner.takeSign(",")
            guard scanner.takeSign(")") else { throw scanner.unexpected(["\",\"", "\")\""]) }
            try scanner.require("-")
            return .predicates(predicates)
        }
        let start = scanner.place
        guard scanner.isAtNumber else {
            throw scanner.unexpected(["a number", "\"(\"", "\"[\"", "\"|\""])
        }
        let constant = try scanner.number()
        guard constant >= 0 else {
            throw scanner.error(
                "a distance below zero stands in parentheses", expected: ["\"-(-8)-\""], at: start)
        }
        try scanner.require("-")
        return .predicates([
            VisualFormat.Predicate(relation: .equal, object: .constant(constant), priority: 1000)
        ])
    }

    private mutating func element(
        _ expected: [String]
    ) throws(LanguageError) -> VisualFormat.Element {
        guard scanner.takeSign("[") else { throw scanner.unexpected(expected) }
        let name = try scanner.identifier("the name of a view")
        var predicates: [VisualFormat.Predicate] = []
        if scanner.takeSign("(") {
            repeat {
                predicates.append(try predicate(allowsViews: true))
            } while scanner.takeSign(",")
            guard scanner.takeSign(")") else { throw scanner.unexpected(["\",\"", "\")\""]) }
        }
        guard scanner.takeSign("]") else {
            throw scanner.unexpected(predicates.isEmpty ? ["\"(\"", "\"]\""] : ["\"]\""])
        }
        return VisualFormat.Element(name: name, predicates: predicates)
    }

    private mutating func predicate(
        allowsViews: Bool
    ) throws(LanguageError) -> VisualFormat.Predicate {
        let relation = RuleParser.relation(&scanner) ?? .equal
        scanner.skipSpaces()
        let object: VisualFormat.Predicate.Object
        if scanner.isAtNumber {
            object = .constant(try scanner.number())
        } else if allowsViews {
            object = .view(try scanner.identifier("a number or the name of a view"))
        } else {
            throw scanner.unexpected(["a number"])
        }
        let priority = scanner.takeSign("@") ? try RuleParser.priority(&scanner) : 1000
        return VisualFormat.Predicate(relation: relation, object: object, priority: priority)
    }
}
