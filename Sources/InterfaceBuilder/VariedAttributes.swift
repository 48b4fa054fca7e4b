import ConstraintLanguage
import LayoutValues
import SceneDocument

/// Attributes of stacks.
enum StackAttributes {
    static func apply(_ attributes: [String: String], to properties: inout ViewProperties) {
        if attributes["axis"] == "vertical" { properties.axis = .vertical }
        if let distribution = attributes["distribution"].flatMap(StackDistribution.init(rawValue:))
        {
            properties.distribution = distribution
        }
        if let alignment = attributes["alignment"].flatMap(StackAlignment.init(rawValue:)) {
            properties.alignment = alignment
        }
        if attributes["spacingType"] == "standard" {
            properties.spacing = 8
        } else if let spacing = attributes["spacing"].flatMap(XMLElement.number) {
            properties.spacing = spacing
        }
    }
}

/// Attributes that variations of a file change.
enum VariedAttributes {
    static func apply(
        _ element: XMLElement, _ item: SceneItem, to properties: inout ViewProperties
    ) {
        var attributes: [String: String] = [:]
        for attribute in element.attributes { attributes[attribute.name] = attribute.value }
        if let hidden = attributes["hidden"] { properties.hidden = hidden == "YES" }
        if let lines = attributes["numberOfLines"].flatMap(XMLElement.number) {
            properties.lines = max(0, Int(lines))
        }
        if let alpha = attributes["alpha"].flatMap(XMLElement.number) {
            properties.opacity = min(max(alpha, 0), 1)
        }
        if item.kind == "stackView" {
            StackAttributes.apply(attributes, to: &properties)
            if attributes["axis"] == "horizontal" { properties.axis = .horizontal }
        }
        if element.child("fontDescription") != nil {
            let font = ElementFont(element, standardSize: 17)
            properties.rare.textStyle = font.style
            properties.rare.fontSize = font.size
            properties.rare.fontWeight = font.weight
        }
        properties.margins = ElementInsets.margins(of: element)
    }

    static func variations(of tie: SceneTie) -> [ConstraintVariation] {
        var result: [ConstraintVariation] = []
        for (key, element) in tie.variations {
            let constant = element.number("constant")
            let priority = element.number("priority").map { min(max($0, 1), 1000) }
            guard constant != nil || priority != nil else { continue }
            result.append(
                ConstraintVariation(when: key.condition, constant: constant, priority: priority))
        }
        for (key, isInstalled) in tie.installation.changes {
            result.append(ConstraintVariation(when: key.condition, active: isInstalled))
        }
        return result
    }
}

extension VariationKey {
    /// The key as a condition of a document.
    var condition: Condition {
        var clauses: [Condition.Clause] = []
        func add(_ trait: Trait, _ value: SizeClass?) {
            guard let value else { return }
            clauses.append(
                Condition.Clause(
                    item: ItemReference(id: ""), test: .trait(trait, .equal, value.rawValue)))
        }
        add(.horizontalSizeClass, width)
        add(.verticalSizeClass, height)
        return Condition(clauses: clauses)
    }
}
