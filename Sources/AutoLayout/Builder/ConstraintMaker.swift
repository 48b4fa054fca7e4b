import ConstraintLanguage

/// What a builder's closure gets: each property begins a sentence about the item.
///
///     try title.makeConstraints { make in
///         make.leading.trailing.equalToSuperview().inset(16)
///         make.top.equalTo(header.bottomAnchor).offset(8)
///         make.height.equalTo(40).priority(750)
///     }
///
/// - Source: Masonry and SnapKit, whose words these are.
public final class ConstraintMaker {
    private let item: LayoutItem
    private var descriptions: [ConstraintDescription] = []

    init(item: LayoutItem) {
        self.item = item
    }

    private func describe(_ attributes: LayoutAttribute...) -> ConstraintDescription {
        let description = ConstraintDescription(item: item, attributes: attributes)
        descriptions.append(description)
        return description
    }

    /// The left edge.
    public var left: ConstraintDescription { describe(.left) }
    /// The right edge.
    public var right: ConstraintDescription { describe(.right) }
    /// The edge where text begins.
    public var leading: ConstraintDescription { describe(.leading) }
    /// The edge where text ends.
    public var trailing: ConstraintDescription { describe(.trailing) }
    /// The top edge.
    public var top: ConstraintDescription { describe(.top) }
    /// The bottom edge.
    public var bottom: ConstraintDescription { describe(.bottom) }
    /// The middle along x.
    public var centerX: ConstraintDescription { describe(.centerX) }
    /// The middle along y.
    public var centerY: ConstraintDescription { describe(.centerY) }
    /// The width.
    public var width: ConstraintDescription { describe(.width) }
    /// The height.
    public var height: ConstraintDescription { describe(.height) }
    /// The baseline of the first line of text.
    public var firstBaseline: ConstraintDescription { describe(.firstBaseline) }
    /// The baseline of the last line of text.
    public var lastBaseline: ConstraintDescription { describe(.lastBaseline) }
    /// Leading, top, trailing and bottom.
    public var edges: ConstraintDescription { describe(.leading, .top, .trailing, .bottom) }
    /// Both centres.
    public var center: ConstraintDescription { describe(.centerX, .centerY) }
    /// Width and height.
    public var size: ConstraintDescription { describe(.width, .height) }

    func constraints() throws(LayoutError) -> [LayoutConstraint] {
        var result: [LayoutConstraint] = []
        for description in descriptions { result += try description.constraints() }
        return result
    }
}

extension LayoutItem {
    /// Makes constraints of the item by a builder and puts them in force, as one batch.
    ///
    /// A view is placed by constraints from then on (`translatesFrame` is turned off).
    ///
    /// - Returns: The constraints, in the order of the sentences and their attributes.
    /// - Throws: `LayoutError.badDescription` or `.noSuperview` for what cannot be understood,
    ///   `LayoutError.unsatisfiable` for what contradicts others; nothing is in force then.
    @discardableResult
    public func makeConstraints(
        _ body: (ConstraintMaker) -> Void
    ) throws(LayoutError) -> [LayoutConstraint] {
        let made = try describe(body)
        (self as? View)?.translatesFrame = false
        try LayoutConstraint.activate(made)
        builtConstraints += made
        return made
    }

    /// The same in the place of all constraints that builders made for the item before.
    ///
    /// - Throws: As `makeConstraints`; the earlier constraints are in force then.
    @discardableResult
    public func remakeConstraints(
        _ body: (ConstraintMaker) -> Void
    ) throws(LayoutError) -> [LayoutConstraint] {
        let made = try describe(body)
        let old = builtConstraints
        (self as? View)?.translatesFrame = false
        try LayoutConstraint.transaction(on: old + made) { () throws(LayoutError) in
            LayoutConstraint.deactivate(old)
            for constraint in made { try constraint.activate() }
        }
        builtConstraints = made
        return made
    }

    /// Changes the constants of constraints that a builder made: those that say the same but for
    /// the constant.
    ///
    /// - Throws: `LayoutError.nothingToUpdate` naming the first sentence that matches none,
    ///   `.unsatisfiable` for constants that contradict others; nothing is changed then.
    public func updateConstraints(
        _ body: (ConstraintMaker) -> Void
    ) throws(LayoutError) {
        var pairs: [(LayoutConstraint, Double)] = []
        for wanted in try describe(body) {
            guard let match = builtConstraints.last(where: { $0.differsOnlyInConstant(wanted) })
            else { throw .nothingToUpdate("\(identifier).\(wanted.firstAttribute)") }
            pairs.append((match, wanted.constant))
        }
        try LayoutConstraint.transaction(on: pairs.map { $0.0 }) { () throws(LayoutError) in
            for (constraint, constant) in pairs { try constraint.setConstant(constant) }
        }
    }

    /// Takes all constraints that builders made for the item out of force.
    public func removeConstraints() {
        LayoutConstraint.deactivate(builtConstraints)
        builtConstraints.removeAll()
    }

    private func describe(
        _ body: (ConstraintMaker) -> Void
    ) throws(LayoutError) -> [LayoutConstraint] {
        let maker = ConstraintMaker(item: self)
        body(maker)
        return try maker.constraints()
    }
}

extension LayoutConstraint {
    fileprivate func differsOnlyInConstant(_ other: LayoutConstraint) -> Bool {
        firstItem === other.firstItem && firstAttribute == other.firstAttribute
            && relation == other.relation && secondItem === other.secondItem
            && secondAttribute == other.secondAttribute && multiplier == other.multiplier
            && priority == other.priority
    }
}
