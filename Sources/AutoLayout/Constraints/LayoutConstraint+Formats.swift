public import ConstraintLanguage

extension LayoutConstraint {
    /// A constraint written as a rule, such as `title.leading == card.leading + 16 @750`; inactive
    /// until activated.
    ///
    /// - Parameters:
    ///   - text: The rule.
    ///   - items: What the rule's names stand for. `name.margins` and `name.safeArea` mean a view's
    ///     guides, `name.content` and `name.viewport` a scroll view's.
    ///   - identifier: The constraint's name.
    /// - Throws: `LayoutError.badFormat` for a text that is no rule, or a name that is not in
    ///   `items`.
    public convenience init(
        rule text: String, items: [String: LayoutItem], identifier: String = ""
    ) throws(LayoutError) {
        let rule: Rule
        do {
            rule = try Rule.parse(text)
        } catch {
            throw .badFormat(error.description)
        }
        try self.init(rule, items, identifier)
    }

    /// The constraints that a text in Apple's Visual Format Language stands for; inactive until
    /// activated.
    ///
    /// - Parameters:
    ///   - text: The format.
    ///   - options: Alignments, and the direction of leading and trailing.
    ///   - items: What the format's names stand for. `|` is the nearest view that holds all items
    ///     named.
    /// - Returns: The constraints from left to right, alignments last.
    /// - Throws: `LayoutError.badFormat` for a text that is no format, a name that is not in
    ///   `items`, or items that share no hierarchy.
    /// - Source: Apple, "Auto Layout Guide", appendix "Visual Format Language".
    public static func constraints(
        withVisualFormat text: String, options: VisualFormat.Options = [],
        items: [String: LayoutItem]
    ) throws(LayoutError) -> [LayoutConstraint] {
        var names = items
        let rules: [Rule]
        let format: VisualFormat
        do throws(LanguageError) { format = try VisualFormat.parse(text) } catch {
            throw .badFormat(error.description)
        }
        // "|" is no valid name of a view.
        names["|"] = try commonSuperview(of: format.viewNames, items)
        do throws(LanguageError) {
            rules = try format.rules(superview: "|", options: options)
        } catch {
            throw .badFormat(error.description)
        }
        var result: [LayoutConstraint] = []
        for (index, rule) in rules.enumerated() {
            result.append(try LayoutConstraint(rule, names, "\(text).\(index)"))
        }
        return result
    }

    private convenience init(
        _ rule: Rule, _ items: [String: LayoutItem], _ identifier: String
    ) throws(LayoutError) {
        let first = try Self.item(rule.first.item, items)
        var second: LayoutItem?
        if let reference = rule.second?.item { second = try Self.item(reference, items) }
        self.init(
            item: first, attribute: rule.first.attribute, relatedBy: rule.relation, toItem: second,
            attribute: rule.second?.attribute, multiplier: rule.multiplier,
            constant: rule.constant, scalesConstant: rule.scalesConstant,
            priority: LayoutPriority(rule.priority),
            identifier: identifier)
    }

    private static func item(
        _ reference: ItemReference, _ items: [String: LayoutItem]
    ) throws(LayoutError) -> LayoutItem {
        guard let item = items[reference.id] else {
            throw .badFormat("there is no item \"\(reference.id)\"")
        }
        guard let guide = reference.guide else { return item }
        let view = item as? View
        let scroll = item as? ScrollView
        let found: LayoutItem?
        switch guide {
        case .margins: found = view?.layoutMarginsGuide
        case .safeArea: found = view?.safeAreaLayoutGuide
        case .content: found = scroll?.contentLayoutGuide
        case .viewport: found = scroll?.frameLayoutGuide
        case .readable: found = view?.readableContentGuide
        case .keyboard: found = view?.keyboardLayoutGuide
        }
        guard let found else {
            throw .badFormat("\"\(reference.id)\" has no guide \"\(guide.rawValue)\"")
        }
        return found
    }

    private static func commonSuperview(
        of names: [String], _ items: [String: LayoutItem]
    ) throws(LayoutError) -> View? {
        var common: View?
        for name in names {
            let item = try item(ItemReference(id: name), items)
            guard let above = item.coordinateSpace else {
                throw .badFormat("\"\(name)\" has no superview to speak of")
            }
            guard let candidate = common else {
                common = above
                continue
            }
            var next: View? = candidate
            while let view = next, !above.isDescendant(of: view) { next = view.superview }
            guard let next else { throw .badFormat("\"\(name)\" is in another hierarchy") }
            common = next
        }
        return common
    }
}
