import Bytes

/// Reads `ITEM.ATTR REL TERM [@PRIORITY]`, where `TERM` is `[NUMBER *] ITEM.ATTR [(+|-) LENGTH]` or
/// `LENGTH`, and `LENGTH` is `NUMBER` or `scaled(NUMBER)`.
struct RuleParser {
    var scanner: Scanner

    mutating func rule() throws(LanguageError) -> Rule {
        let first = try Self.anchor(&scanner)
        let relation = try relation()
        var rule = Rule(first: first, relation: relation)
        scanner.skipSpaces()
        let term = scanner.place
        if try takeScaled(&rule) {
            // A word before a parenthesis is no item.
        } else if scanner.isAtNumber {
            let number = try scanner.number()
            if scanner.takeSign("*") {
                rule.multiplier = number
                try secondAnchor(of: &rule)
            } else {
                rule.constant = number
            }
        } else {
            try secondAnchor(of: &rule)
        }
        if let second = rule.second {
            try check(first.attribute, against: second.attribute, at: term)
        }
        if scanner.takeSign("@") { rule.priority = try Self.priority(&scanner) }
        try scanner.requireEnd(rule.priority == 1000 ? ["\"@\" and a priority"] : [])
        return rule
    }

    private mutating func secondAnchor(of rule: inout Rule) throws(LanguageError) {
        rule.second = try Self.anchor(&scanner, orNumber: rule.multiplier == 1)
        if scanner.takeSign("+") {
            if try !takeScaled(&rule) { rule.constant = try scanner.number() }
        } else if scanner.takeSign("-") {
            if try !takeScaled(&rule) { rule.constant = try scanner.number() }
            rule.constant = -rule.constant
        }
    }

    /// Takes `scaled(NUMBER)` for the constant, if it stands here.
    private mutating func takeScaled(_ rule: inout Rule) throws(LanguageError) -> Bool {
        let start = scanner.place
        guard scanner.take(Rule.scaleWord), scanner.takeSign("(") else {
            scanner.place = start
            return false
        }
        rule.constant = try scanner.number()
        rule.scalesConstant = true
        try scanner.require(")")
        return true
    }

    private mutating func relation() throws(LanguageError) -> LayoutRelation {
        guard let relation = Self.relation(&scanner) else {
            throw scanner.unexpected(LayoutRelation.allCases.map { "\"\($0.rawValue)\"" })
        }
        return relation
    }

    static func relation(_ scanner: inout Scanner) -> LayoutRelation? {
        if scanner.takeSign("=", "=") { return .equal }
        if scanner.takeSign("<", "=") { return .lessThanOrEqual }
        return scanner.takeSign(">", "=") ? .greaterThanOrEqual : nil
    }

    /// Takes `ITEM.ATTR`. The parts hang together: no space stands at a dot's left.
    static func anchor(
        _ scanner: inout Scanner, orNumber: Bool = false
    ) throws(LanguageError) -> AnchorReference {
        scanner.skipSpaces()
        guard scanner.current != nil, !scanner.isAtNumber || !orNumber else {
            throw scanner.unexpected(orNumber ? ["a number", "an item"] : ["an item"])
        }
        let id = try scanner.identifier(orNumber ? "a number or an item" : "an item")
        try scanner.require(".")
        var item = ItemReference(id: id)
        var word = scanner.word()
        // Hardly any name is a guide's.
        var attribute = LayoutAttribute(word: word.text)
        if attribute == nil, let guide = BuiltInGuide(rawValue: word.text) {
            item.guide = guide
            try scanner.require(".")
            word = scanner.word()
            attribute = LayoutAttribute(word: word.text)
        }
        guard let attribute else {
            let guides = item.guide == nil ? BuiltInGuide.allCases.map { $0.rawValue } : []
            let names = LayoutAttribute.allCases.map { $0.rawValue } + guides
            throw scanner.error(
                word.text.isEmpty
                    ? "an attribute is missing" : "unknown attribute \"\(word.text)\"",
                expected: names, at: word.place)
        }
        return AnchorReference(item: item, attribute: attribute)
    }

    /// Takes `750`, `required`, `high` or `low`, after the `@`.
    static func priority(_ scanner: inout Scanner) throws(LanguageError) -> Double {
        scanner.skipSpaces()
        let start = scanner.place
        if scanner.isAtNumber {
            let value = try scanner.number()
            guard (1...1000).contains(value) else {
                throw scanner.error(
                    "priority \(NumberText.of(value)) is out of range", expected: ["1...1000"],
                    at: start)
            }
            return value
        }
        let word = scanner.word()
        switch word.text {
        case "required": return 1000
        case "high": return 750
        case "low": return 250
        default:
            throw scanner.error(
                word.text.isEmpty ? "a priority is missing" : "unknown priority \"\(word.text)\"",
                expected: ["1...1000", "required", "high", "low"], at: word.place)
        }
    }

    /// Extents compare with extents, places with places along the same axis.
    private func check(
        _ first: LayoutAttribute, against second: LayoutAttribute, at place: Int
    ) throws(LanguageError) {
        if first.isSize != second.isSize {
            throw scanner.error(
                "\"\(first.rawValue)\" cannot be compared with \"\(second.rawValue)\"",
                expected: [first.isSize ? "a width or height" : "a place"], at: place)
        }
        if !first.isSize, first.isHorizontal != second.isHorizontal {
            throw scanner.error(
                "\"\(first.rawValue)\" cannot be compared with \"\(second.rawValue)\"",
                expected: [first.isHorizontal ? "a place along x" : "a place along y"], at: place)
        }
    }
}
