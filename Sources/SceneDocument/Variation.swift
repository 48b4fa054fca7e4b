public import ConstraintLanguage
import JSON

/// Properties that a view has while its own traits are as a condition says, as Interface Builder
/// varies them. JSON: `{"when": "horizontalSizeClass == compact", "hidden": true}`.
public struct Variation: Sendable, Equatable {
    /// What the view's traits have to be: clauses without an item, none of them about a size.
    public var when: Condition
    /// What is different then.
    public var properties: ViewProperties

    /// Makes a variation.
    public init(when: Condition, properties: ViewProperties) {
        self.when = when
        self.properties = properties
    }

    /// Makes a variation from the text of a condition: `Variation(when: "idiom == phone") {
    /// $0.hidden = true }`.
    ///
    /// - Throws: `LanguageError` for a text that is no condition of traits.
    public init(
        when condition: String, _ change: (inout ViewProperties) -> Void
    ) throws(LanguageError) {
        var properties = ViewProperties()
        change(&properties)
        self.init(when: try Condition.parseTraits(condition), properties: properties)
    }

    /// The variations that a view may have.
    static let maximum = 64

    /// Whether a variation can set a key: what a view is, its place, its members, its traits and
    /// how people use it stay.
    public static func varies(_ key: ViewKey) -> Bool {
        switch key {
        case .text, .lines, .align, .preferredWidth, .background, .foreground, .border, .opacity,
            .hidden, .clips, .contentMode, .collapses, .intrinsic, .hugging, .compression,
            .baseline, .margins, .safeArea, .axis, .distribution, .alignment, .spacing,
            .layoutMarginsRelativeArrangement, .dynamicType, .insetsLayoutMarginsFromSafeArea,
            .preservesSuperviewLayoutMargins, .keyboardUsesBottomSafeArea, .installed,
            .alignmentInsets, .contentInset, .contentInsetAdjustmentBehavior,
            .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement,
            .textStyle, .fontSize, .fontWeight, .lineBreakMode, .minimumScaleFactor, .cornerRadius,
            .maskedCorners, .borderWidth, .borderColor, .shadow, .gradient, .tint, .transform,
            .image, .symbol, .chart:
            true
        case .kind, .frame, .frameIn, .autoresizing, .customSpacing, .arranged, .contentOffset,
            .traits, .variations, .minimumContentSizeCategory, .maximumContentSizeCategory,
            // Members are told what can be done with a view once, whatever their device is.
            .events, .enabled, .focusable, .selected, .continuous, .scrolls, .label, .role, .hint,
            .value, .minimum, .maximum, .step, .placeholder, .segments:
            false
        }
    }

    /// What several variations that all apply come to, each key by itself: the more traits a
    /// condition asks for, the stronger (Apple, "Size-Class-Specific Layout": C×R over C×any over
    /// any×any); of those that ask for equally many, one that asks for the width's class is
    /// stronger, and then the later.
    public static func merged(_ applying: [Variation]) -> ViewProperties {
        let ranked = applying.enumerated().sorted { left, right in
            (left.element.when.traitRank, left.offset) < (
                right.element.when.traitRank, right.offset
            )
        }
        var result = ViewProperties()
        for (_, variation) in ranked { result.merge(variation.properties) }
        return result
    }
}

extension PropertyFormat<[Variation]> {
    static var variations: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                let nodes = try node.list()
                guard nodes.count <= Variation.maximum else {
                    throw node.error(
                        .limit, "\(nodes.count) variations, the most are \(Variation.maximum)")
                }
                var result: [Variation] = []
                for node in nodes { result.append(try Variation(node)) }
                return result
            }, { .array($0.map { $0.json }) })
    }
}

extension Variation {
    /// Reads a condition of traits.
    static func condition(_ node: JSONCursor) throws(DocumentError) -> Condition {
        let text = try node.text()
        let when: Condition
        do throws(LanguageError) { when = try Condition.parseTraits(text) } catch {
            throw ConstraintSpec.error(error, in: text, node)
        }
        // The canonical text is what an export writes, and it can be longer than the text that was
        // read.
        guard !when.isLonger(than: Limits.standard.textBytesMaximum, readFrom: text) else {
            throw node.error(.badValue, "a condition that is too long")
        }
        return when
    }

    init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        when = try Self.condition(try fields.require("when"))
        // Read here, so that a variation of variations is an error and no recursion.
        if let nested = fields.take(ViewKey.variations.rawValue) {
            throw nested.error(.badValue, "a variation has no variations")
        }
        properties = try ViewProperties(&fields)
        try fields.finish()
        if let key = properties.givenKeys.first(where: { !Self.varies($0) }) {
            throw node.error(
                .badValue, "\"\(key.rawValue)\" does not vary",
                expected: ViewKey.allCases.filter(Self.varies).map { $0.rawValue }
                    .joined(separator: ", "))
        }
    }

    var json: JSONValue {
        var list = JSONMembers()
        list.add("when", when.description)
        properties.write(to: &list)
        return list.json
    }
}

extension PropertyFormat<TraitValues> {
    /// `{"horizontalSizeClass": "compact"}`, by the keys that devices have.
    static var traits: PropertyFormat {
        PropertyFormat(
            { (node) throws(DocumentError) in
                var fields = try node.object()
                var traits = TraitValues()
                if let value = fields.take("horizontalSizeClass") {
                    traits.horizontalSizeClass = try value.choice(SizeClass.self)
                }
                if let value = fields.take("verticalSizeClass") {
                    traits.verticalSizeClass = try value.choice(SizeClass.self)
                }
                if let value = fields.take("scale") {
                    traits.displayScale = try value.number(in: Limits.scaleRange)
                }
                traits.layoutDirection = try fields.take("direction")?
                    .choice(LayoutDirection.self)
                if let value = fields.take("contentSizeCategory") {
                    traits.contentSizeCategory = try value.choice(ContentSizeCategory.self)
                }
                if let value = fields.take("userInterfaceStyle") {
                    traits.userInterfaceStyle = try value.choice(UserInterfaceStyle.self)
                }
                if let value = fields.take("idiom") {
                    traits.idiom = try value.choice(UserInterfaceIdiom.self)
                }
                if let value = fields.take("windowClass") {
                    traits.windowClass = try value.choice(WindowClass.self)
                }
                if let value = fields.take("typography") {
                    traits.typography = try value.choice(Typography.self)
                }
                if let value = fields.take("accessibilityContrast") {
                    traits.accessibilityContrast = try value.choice(AccessibilityContrast.self)
                }
                try fields.finish()
                return traits
            },
            { traits in
                var list = JSONMembers()
                func add(_ key: String, _ trait: Trait) {
                    if traits.specifies(trait) { list.add(key, traits.word(for: trait)) }
                }
                add("horizontalSizeClass", .horizontalSizeClass)
                add("verticalSizeClass", .verticalSizeClass)
                if traits.specifies(.displayScale) { list.add("scale", traits.displayScale) }
                add("direction", .layoutDirection)
                add("contentSizeCategory", .contentSizeCategory)
                add("userInterfaceStyle", .userInterfaceStyle)
                add("idiom", .idiom)
                add("windowClass", .windowClass)
                add("typography", .typography)
                add("accessibilityContrast", .accessibilityContrast)
                return list.json
            })
    }
}
