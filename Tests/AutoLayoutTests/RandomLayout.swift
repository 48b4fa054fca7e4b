import AutoLayout
import Cassowary
import ConstraintLanguage
import SceneTestSupport
import SeededRandom

/// A random hierarchy with random constraints, as plain values: the engine and the oracle each make
/// of it what they do.
///
/// The oracle's unknowns are absolute: each view's left and top edge in the window and its size.
/// The engine's are relative to superviews, so the two share no formula.
struct RandomLayout {
    struct PlainView {
        /// The place of the superview in `views`; `nil` for the window.
        var parent: Int?
        var intrinsic: Size?
        var hugging: PriorityByAxis
        var compression: PriorityByAxis
    }

    struct PlainRule {
        var view: Int
        var attribute: LayoutAttribute
        var relation: LayoutRelation
        /// `nil` compares with a number; −1 stands for the window.
        var other: Int?
        var otherAttribute: LayoutAttribute
        var multiplier: Double
        var constant: Double
        var priority: Double
    }

    static let window = Size(width: 320, height: 240)
    private(set) var views: [PlainView] = []
    private(set) var rules: [PlainRule] = []
    private var random: SplitMix64

    init(seed: UInt64, viewMaximum: Int) {
        random = SplitMix64(seed: seed)
        let count = 1 + random.below(viewMaximum)
        for index in 0..<count {
            var view = PlainView(
                parent: index > 0 && random.chance(1, of: 2) ? random.below(index) : nil,
                intrinsic: nil, hugging: .init(250, 250), compression: .init(750, 750))
            if random.chance(1, of: 2) {
                view.intrinsic = Size(width: length(), height: length())
                view.hugging = .init(priority(), priority())
                view.compression = .init(priority(), priority())
            }
            views.append(view)
        }
        for index in 0..<count {
            for isHorizontal in [true, false] { rules += placement(of: index, isHorizontal) }
        }
        for _ in 0..<random.below(count + 2) { rules.append(anything()) }
    }

    private mutating func length() -> Double { Double(random.below(200)) }

    private mutating func priority() -> LayoutPriority {
        LayoutPriority(random.pick([100, 250, 250, 251, 500, 750, 750, 999]))
    }

    /// Mostly what determines an axis: a place and a size, or two places.
    private mutating func placement(of view: Int, _ isHorizontal: Bool) -> [PlainRule] {
        let places: [LayoutAttribute] =
            isHorizontal ? [.left, .right, .centerX] : [.top, .bottom, .centerY]
        var rules = [tie(view, random.pick(places), places)]
        rules[0].relation = .equal
        switch random.below(4) {
        case 0: rules.append(tie(view, random.pick(places), places))
        case 1 where views[view].intrinsic != nil: break
        default:
            rules.append(size(view, isHorizontal ? .width : .height))
            if random.chance(4, of: 5) { rules[1].relation = .equal }
        }
        if random.chance(3, of: 4) { rules[0].priority = 1000 }
        return rules
    }

    private mutating func tie(
        _ view: Int, _ attribute: LayoutAttribute, _ places: [LayoutAttribute]
    ) -> PlainRule {
        let other =
            random.chance(1, of: 3) && view > 0 ? random.below(view) : views[view].parent ?? -1
        return PlainRule(
            view: view, attribute: attribute, relation: relation(), other: other,
            otherAttribute: random.pick(places),
            multiplier: random.chance(1, of: 5) ? random.pick([0.5, 0.25, 1.5]) : 1,
            constant: Double(random.below(81) - 40), priority: anyPriority())
    }

    private mutating func size(_ view: Int, _ attribute: LayoutAttribute) -> PlainRule {
        let isRelative = random.chance(1, of: 2)
        return PlainRule(
            view: view, attribute: attribute, relation: relation(),
            other: isRelative ? views[view].parent ?? -1 : nil,
            otherAttribute: random.chance(1, of: 4) ? .width : attribute,
            multiplier: isRelative ? random.pick([1, 0.5, 0.25]) : 1,
            constant: isRelative ? Double(random.below(21) - 10) : length(),
            priority: anyPriority())
    }

    private mutating func anything() -> PlainRule {
        let view = random.below(views.count)
        switch random.below(3) {
        case 0: return tie(view, random.pick([.left, .right]), [.left, .right, .centerX])
        case 1: return tie(view, random.pick([.top, .bottom]), [.top, .bottom, .centerY])
        default: return size(view, random.pick([.width, .height]))
        }
    }

    private mutating func relation() -> LayoutRelation {
        random.pick([.equal, .equal, .equal, .lessThanOrEqual, .greaterThanOrEqual])
    }

    private mutating func anyPriority() -> Double {
        random.pick([1000, 1000, 1000, 750, 500, 500, 251, 250, 10])
    }

    // MARK: For the engine

    /// The hierarchy without constraints.
    func makeViews() throws -> (window: Window, views: [View]) {
        let window = Window(size: Self.window)
        var made: [View] = []
        for (index, plain) in views.enumerated() {
            let view = View(identifier: "v\(index)")
            view.intrinsicContentSizeOverride = plain.intrinsic
            view.contentHuggingPriority = plain.hugging
            view.contentCompressionResistancePriority = plain.compression
            try (plain.parent.map { made[$0] } ?? window).addSubview(view)
            made.append(view)
        }
        return (window, made)
    }

    /// The constraint of a rule, inactive.
    func constraint(_ rule: PlainRule, _ window: Window, _ views: [View]) -> LayoutConstraint {
        let other = rule.other.map { $0 < 0 ? window : views[$0] }
        return LayoutConstraint(
            item: views[rule.view], attribute: rule.attribute, relatedBy: rule.relation,
            toItem: other, attribute: rule.otherAttribute, multiplier: rule.multiplier,
            constant: rule.constant, priority: LayoutPriority(rule.priority))
    }

    // MARK: For the oracle

    /// Four unknowns a view: left and top in the window, width, height. Sizes cannot be negative.
    var isNonNegative: [Bool] { views.flatMap { _ in [false, false, true, true] } }

    /// What views ask for by themselves.
    var contentConstraints: [PlainConstraint] {
        var result: [PlainConstraint] = []
        for (index, view) in views.enumerated() {
            guard let size = view.intrinsic else { continue }
            for (offset, length, axis) in [
                (2, size.width, Axis.horizontal), (3, size.height, .vertical),
            ] {
                var row = Row(count: 4 * views.count)
                row.coefficients[4 * index + offset] = 1
                row.constant = -length
                result.append(row.constraint(.lessThanOrEqual, view.hugging[axis].rawValue))
                result.append(row.constraint(.greaterThanOrEqual, view.compression[axis].rawValue))
            }
        }
        return result
    }

    /// The constraint of a rule in absolute coordinates.
    func plain(_ rule: PlainRule) -> PlainConstraint {
        var row = absolute(rule.attribute, of: rule.view)
        if let other = rule.other {
            let right = absolute(rule.otherAttribute, of: other)
            row.add(right, times: -rule.multiplier)
            if !rule.attribute.isSize {
                // Both sides count from the nearest common ancestor: (a − o) = m (b − o) + c.
                let origin = absolute(
                    rule.attribute.isHorizontal ? .left : .top,
                    of: commonAncestor(rule.view, other))
                row.add(origin, times: rule.multiplier - 1)
            }
        }
        row.constant -= rule.constant
        let relation: Relation =
            switch rule.relation {
            case .equal: .equal
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThanOrEqual: .greaterThanOrEqual
            }
        return row.constraint(relation, rule.priority)
    }

    private struct Row {
        var coefficients: [Double]
        var constant = 0.0

        init(count: Int) { coefficients = [Double](repeating: 0, count: count) }

        mutating func add(_ other: Row, times factor: Double) {
            for index in coefficients.indices {
                coefficients[index] += other.coefficients[index] * factor
            }
            constant += other.constant * factor
        }

        func constraint(_ relation: Relation, _ priority: Double) -> PlainConstraint {
            PlainConstraint(
                coefficients: coefficients, constant: constant, relation: relation,
                strength: Strength(priority))
        }
    }

    private func absolute(_ attribute: LayoutAttribute, of view: Int) -> Row {
        var row = Row(count: 4 * views.count)
        let (edge, share): (Int?, Double)
        switch attribute {
        case .left, .top: (edge, share) = (attribute == .left ? 0 : 1, 0)
        case .right, .bottom: (edge, share) = (attribute == .right ? 0 : 1, 1)
        case .centerX, .centerY: (edge, share) = (attribute == .centerX ? 0 : 1, 0.5)
        default: (edge, share) = (nil, 1)
        }
        let isHorizontal = attribute == .width || edge == 0
        guard view >= 0 else {
            row.constant = share * (isHorizontal ? Self.window.width : Self.window.height)
            return row
        }
        if let edge { row.coefficients[4 * view + edge] = 1 }
        row.coefficients[4 * view + (isHorizontal ? 2 : 3)] += share
        return row
    }

    /// The nearest view that holds both or is one of them; −1 for the window.
    private func commonAncestor(_ first: Int, _ second: Int) -> Int {
        func path(_ view: Int) -> [Int] {
            var path = [view]
            while let last = path.last, last >= 0 { path.append(views[last].parent ?? -1) }
            return path
        }
        if first == second { return first < 0 ? -1 : views[first].parent ?? -1 }
        let others = path(second)
        return path(first).first { others.contains($0) } ?? -1
    }
}
