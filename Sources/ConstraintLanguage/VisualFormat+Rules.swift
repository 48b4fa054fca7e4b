extension VisualFormat {
    /// The rules that the format stands for, in a fixed order, so that the k-th can be named.
    ///
    /// Left to right as they occur: a connection, then the demands of the view after it; the
    /// alignments that `options` ask for come last, for each pair of neighbours in turn.
    ///
    /// - Parameters:
    ///   - superview: The name that `|` stands for.
    ///   - standardSpacing: The distance of a `-` without a number, in points.
    /// - Throws: `LanguageError` (at offset 0) when `options` align along the format's own axis or
    ///   give two directions.
    public func rules(
        superview: String, options: Options, standardSpacing: Double = 8
    ) throws(LanguageError) -> [Rule] {
        try check(options)
        let edges = Edges(orientation: orientation, options: options)
        var rules: [Rule] = []
        if let leading, let first = elements.first {
            edges.append(
                leading, from: (superview, edges.near), to: (first.name, edges.near),
                spacing: standardSpacing, to: &rules)
        }
        for (index, element) in elements.enumerated() {
            if index > 0 {
                edges.append(
                    between[index - 1], from: (elements[index - 1].name, edges.far),
                    to: (element.name, edges.near), spacing: standardSpacing, to: &rules)
            }
            appendExtents(of: element, to: &rules)
        }
        if let trailing, let last = elements.last {
            edges.append(
                trailing, from: (last.name, edges.far), to: (superview, edges.far),
                spacing: standardSpacing, to: &rules)
        }
        appendAlignments(options, to: &rules)
        return rules
    }

    /// How many rules `rules` gives for these options; the same for every superview.
    public func ruleCount(options: Options) -> Int {
        func count(_ connection: Connection?) -> Int {
            switch connection {
            case nil: 0
            case .flush, .standard: 1
            case .predicates(let predicates): predicates.count
            }
        }
        let alignments = Options.alignments.count { options.contains($0.option) }
        return count(leading) + count(trailing) + between.reduce(0) { $0 + count($1) }
            + elements.reduce(0) { $0 + $1.predicates.count } + alignments * (elements.count - 1)
    }

    /// Every constant that stands in the format, in the order of its rules.
    public var constants: [Double] {
        func constants(_ predicates: [Predicate]) -> [Double] {
            predicates.compactMap {
                if case .constant(let constant) = $0.object { constant } else { nil }
            }
        }
        func constants(_ connection: Connection?) -> [Double] {
            if case .predicates(let predicates)? = connection { constants(predicates) } else { [] }
        }
        var result = constants(leading)
        for (index, element) in elements.enumerated() {
            if index > 0 { result += constants(between[index - 1]) }
            result += constants(element.predicates)
        }
        return result + constants(trailing)
    }

    /// Checks options against the format's axis and one another, as `rules` does.
    ///
    /// - Throws: `LanguageError` (at offset 0).
    public func check(_ options: Options) throws(LanguageError) {
        let isHorizontal = orientation == .horizontal
        for (name, option, attribute) in Options.alignments
        where options.contains(option) && attribute.isHorizontal == isHorizontal {
            throw LanguageError(
                message: "\"\(name)\" aligns along the format's own axis", offset: 0,
                expected: [isHorizontal ? "an alignment along y" : "an alignment along x"])
        }
        if options.contains([.directionLeftToRight, .directionRightToLeft]) {
            throw LanguageError(
                message: "the options give two directions", offset: 0, expected: ["one direction"])
        }
    }

    private func appendExtents(of element: Element, to rules: inout [Rule]) {
        let attribute: LayoutAttribute = orientation == .horizontal ? .width : .height
        for predicate in element.predicates {
            var rule = Rule(
                first: AnchorReference(item: ItemReference(id: element.name), attribute: attribute),
                relation: predicate.relation, priority: predicate.priority)
            switch predicate.object {
            case .constant(let constant): rule.constant = constant
            case .view(let name):
                rule.second = AnchorReference(item: ItemReference(id: name), attribute: attribute)
            }
            rules.append(rule)
        }
    }

    private func appendAlignments(_ options: Options, to rules: inout [Rule]) {
        for (left, right) in zip(elements, elements.dropFirst()) {
            for (_, option, attribute) in Options.alignments where options.contains(option) {
                rules.append(
                    Rule(
                        first: AnchorReference(
                            item: ItemReference(id: left.name), attribute: attribute),
                        relation: .equal,
                        second: AnchorReference(
                            item: ItemReference(id: right.name), attribute: attribute)))
            }
        }
    }
}

/// Which edges face each other as a format runs, and the rules between them.
private struct Edges {
    let near: LayoutAttribute
    let far: LayoutAttribute
    private let isReversed: Bool

    init(orientation: VisualFormat.Orientation, options: VisualFormat.Options) {
        isReversed = orientation == .horizontal && options.contains(.directionRightToLeft)
        (near, far) =
            switch orientation {
            case .vertical: (.top, .bottom)
            case .horizontal:
                if options.contains(.directionRightToLeft) {
                    (.right, .left)
                } else if options.contains(.directionLeftToRight) {
                    (.left, .right)
                } else {
                    (.leading, .trailing)
                }
            }
    }

    /// A distance is measured from the edge met first to the one met next; where x runs against the
    /// format, the next edge has the smaller x and so stands on the right side of the rule.
    func append(
        _ connection: VisualFormat.Connection, from: (String, LayoutAttribute),
        to: (String, LayoutAttribute), spacing: Double, to rules: inout [Rule]
    ) {
        let start = AnchorReference(item: ItemReference(id: from.0), attribute: from.1)
        let end = AnchorReference(item: ItemReference(id: to.0), attribute: to.1)
        func rule(_ relation: LayoutRelation, _ constant: Double, _ priority: Double) -> Rule {
            Rule(
                first: isReversed ? start : end, relation: relation,
                second: isReversed ? end : start, constant: constant, priority: priority)
        }
        switch connection {
        case .flush: rules.append(rule(.equal, 0, 1000))
        case .standard: rules.append(rule(.equal, spacing, 1000))
        case .predicates(let predicates):
            for predicate in predicates {
                guard case .constant(let constant) = predicate.object else { continue }
                rules.append(rule(predicate.relation, constant, predicate.priority))
            }
        }
    }
}
