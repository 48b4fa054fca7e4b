import Cassowary
public import ConstraintLanguage

/// A linear relation between attributes of two items: `first = multiplier × second + constant`.
///
/// As in UIKit (`NSLayoutConstraint`), a location's multiplier acts in the coordinates of the
/// nearest common ancestor of the two items. Changes take effect on the engine at once; frames
/// follow in the next cycle.
public final class LayoutConstraint {
    // The stored properties stand in the order that wastes no room: a layout has four constraints
    // for each view.

    /// The side of an item that a constraint refers to.
    public typealias Attribute = LayoutAttribute
    /// `==`, `<=` or `>=`.
    public typealias Relation = LayoutRelation

    /// The item on the left of the relation.
    public var firstItem: LayoutItem? { firstHandle.item }
    /// The same, lent.
    var first: LayoutItemReference? { firstHandle.reference }
    let firstHandle: LayoutItemHandle
    /// The item on the right, if any.
    public var secondItem: LayoutItem? { secondHandle?.item }
    /// The same, lent.
    var second: LayoutItemReference? { secondHandle?.reference }
    let secondHandle: LayoutItemHandle?
    @safe @exclusivity(unchecked) private var storedConstant: Double
    @safe @exclusivity(unchecked) private var rank: ConstraintRank
    @safe @exclusivity(unchecked) private var label: ConstraintLabel
    /// The attribute of `firstItem`.
    public let firstAttribute: Attribute
    /// The attribute of `secondItem`.
    public let secondAttribute: Attribute?
    @safe @exclusivity(unchecked) private var flags: Flags
    @safe @exclusivity(unchecked) private var solverRow: Int32 = -1

    /// Whether the constant follows the size that people want text to have, as the traits of the
    /// first item's view say it: it counts as often as 16 points go into the height of the grid's
    /// cell there. Apple, `UIFontMetrics.scaledValue(for:)`, whose curve is not documented.
    public var scalesConstant: Bool { flags.contains(.scalesConstant) }
    /// A name for diagnostics, conflicts and documents.
    public var identifier: String {
        get { label.identifier }
        set { label.identifier = newValue }
    }

    /// Whether the constraint asks to take part, whether or not its views are in a hierarchy yet.
    public internal(set) var isActive: Bool {
        get { flags.contains(.active) }
        set { set(.active, newValue) }
    }
    /// Whether the constraint was given up because it contradicts others; tried again when they
    /// change.
    public internal(set) var isBroken: Bool {
        get { flags.contains(.broken) }
        set { set(.broken, newValue) }
    }

    /// Where it stands in the order of creation; among equals in a conflict the newest gives way.
    var serial: UInt64 { rank.serial }
    /// Its row in the solver, while it is in force.
    var solverID: ConstraintID? {
        get { solverRow < 0 ? nil : ConstraintID(index: solverRow) }
        set { solverRow = newValue?.index ?? -1 }
    }
    /// Whether collapsing one of its items has put it out of force.
    var isSuspended: Bool {
        get { flags.contains(.suspended) }
        set { set(.suspended, newValue) }
    }
    /// Whether a stack view made it for its members, so that in a conflict what people wrote gives
    /// way first.
    var isOfStack: Bool {
        get { flags.contains(.ofStack) }
        set { set(.ofStack, newValue) }
    }
    /// Whether it gives way in a conflict before another one does: the newest does, of those that
    /// no stack view made.
    func givesWay(before other: LayoutConstraint) -> Bool {
        isOfStack == other.isOfStack ? serial > other.serial : other.isOfStack
    }
    /// Whether the right side refers to an attribute.
    var hasSecondItem: Bool { secondAttribute != nil }

    /// The relation between the two sides.
    public var relation: Relation { flags.relation }

    /// What is true of the constraint, one bit each.
    private struct Flags: OptionSet {
        static let active = Flags(rawValue: 1)
        static let broken = Flags(rawValue: 2)
        static let suspended = Flags(rawValue: 4)
        static let scalesConstant = Flags(rawValue: 8)
        static let lessThanOrEqual = Flags(rawValue: 16)
        static let greaterThanOrEqual = Flags(rawValue: 32)
        static let ofStack = Flags(rawValue: 64)

        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ relation: Relation, scalesConstant: Bool) {
            self =
                switch relation {
                case .equal: []
                case .lessThanOrEqual: .lessThanOrEqual
                case .greaterThanOrEqual: .greaterThanOrEqual
                }
            if scalesConstant { insert(.scalesConstant) }
        }

        var relation: Relation {
            if contains(.lessThanOrEqual) { return .lessThanOrEqual }
            return contains(.greaterThanOrEqual) ? .greaterThanOrEqual : .equal
        }
    }

    private func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }

    /// Makes an inactive constraint. The items are lent: an initializer is otherwise given
    /// references of its own, which are counted.
    ///
    /// - Parameters:
    ///   - first: The item of the left side.
    ///   - attribute: Its attribute.
    ///   - relation: How the sides compare.
    ///   - second: The item of the right side; nil for a constant alone.
    ///   - secondAttribute: Its attribute; `attribute` when nil.
    ///   - multiplier: Factor of the second attribute.
    ///   - constant: Points added to the right side; mirrored for leading and trailing when text
    ///     runs from the right.
    ///   - scalesConstant: Whether the constant follows the size of text.
    ///   - priority: How much the constraint matters.
    ///   - identifier: The constraint's name.
    public init(
        item first: __shared LayoutItem, attribute: Attribute,
        relatedBy relation: Relation = .equal,
        toItem second: __shared LayoutItem? = nil, attribute secondAttribute: Attribute? = nil,
        multiplier: Double = 1, constant: Double = 0, scalesConstant: Bool = false,
        priority: LayoutPriority = .required, identifier: String = ""
    ) {
        firstHandle = first.handle
        firstAttribute = attribute
        secondHandle = second?.handle
        self.secondAttribute = second == nil ? nil : (secondAttribute ?? attribute)
        storedConstant = constant
        flags = Flags(relation, scalesConstant: scalesConstant)
        rank = ConstraintRank(serial: LayoutSerial.next())
        label = .plain(identifier)
        storedMultiplier = multiplier
        storedPriority = priority
    }

    private var storedMultiplier: Double {
        @inline(__always) get { label.multiplier }
        set { label.multiplier = newValue }
    }

    private var storedPriority: LayoutPriority {
        @inline(__always) get { rank.priority ?? label.priority }
        @inline(__always) set {
            if !rank.setPriority(newValue) { label.priority = newValue }
        }
    }

    /// The points added to the right side.
    public var constant: Double {
        get { storedConstant }
        set {
            engineOrReport { constraint throws(LayoutError) in try constraint.setConstant(newValue)
            }
        }
    }

    /// The factor of the second attribute. UIKit's is read-only; ours can change in place.
    public var multiplier: Double {
        get { storedMultiplier }
        set {
            engineOrReport { constraint throws(LayoutError) in
                try constraint.setMultiplier(newValue)
            }
        }
    }

    /// How much the constraint matters.
    public var priority: LayoutPriority {
        get { storedPriority }
        set {
            engineOrReport { constraint throws(LayoutError) in
                try constraint.setPriority(newValue)
            }
        }
    }

    /// Changes the constant; refuses a value that makes the required constraints contradictory.
    ///
    /// - Throws: `LayoutError.unsatisfiable` or `.badValue`; nothing is changed then.
    public func setConstant(_ value: Double) throws(LayoutError) {
        let old = storedConstant
        guard old != value else { return }
        storedConstant = value
        guard isActive else { return }
        do throws(LayoutError) {
            try lendEngine { engine throws(LayoutError) in try engine.updateConstant(of: self) }
        } catch {
            storedConstant = old
            throw error
        }
    }

    /// Changes the multiplier; refuses a value that makes the required constraints contradictory.
    ///
    /// - Throws: `LayoutError.unsatisfiable` or `.badValue`; nothing is changed then.
    public func setMultiplier(_ value: Double) throws(LayoutError) {
        let old = storedMultiplier
        guard old != value else { return }
        storedMultiplier = value
        guard isActive, let engine else { return }
        do {
            try engine.rederive(self)
        } catch {
            storedMultiplier = old
            throw error
        }
    }

    /// Changes the priority; refuses a value that makes the required constraints contradictory.
    ///
    /// - Throws: `LayoutError.unsatisfiable`; nothing is changed then.
    public func setPriority(_ value: LayoutPriority) throws(LayoutError) {
        let old = storedPriority
        guard old != value else { return }
        storedPriority = value
        guard isActive, let engine else { return }
        do {
            try engine.updateStrength(of: self)
        } catch {
            storedPriority = old
            throw error
        }
    }

    /// Runs changes to several constraints that are all made or none.
    ///
    /// - Throws: What `body` throws; the engine and the constraints are then exactly as they were.
    /// - Complexity: O(*n*) in the size of the solver, for the copy to return to; a single change
    ///   needs none.
    public static func transaction(
        on constraints: [LayoutConstraint], _ body: () throws(LayoutError) -> Void
    ) throws(LayoutError) {
        guard constraints.count > 1,
            let engine = constraints.lazy.compactMap({ $0.sharedEngine() }).first
        else { return try body() }
        let checkpoint = engine.checkpoint()
        let states = constraints.map { $0.state }
        do {
            try body()
        } catch {
            engine.restore(checkpoint)
            for (constraint, state) in zip(constraints, states) { constraint.state = state }
            throw error
        }
    }

    /// All that a transaction may change.
    private struct State {
        var isActive: Bool
        var isBroken: Bool
        var isSuspended: Bool
        var solverID: ConstraintID?
        var constant: Double
        var multiplier: Double
        var priority: LayoutPriority
    }

    private var state: State {
        get {
            State(
                isActive: isActive, isBroken: isBroken, isSuspended: isSuspended,
                solverID: solverID, constant: storedConstant, multiplier: storedMultiplier,
                priority: storedPriority)
        }
        set {
            if newValue.isActive != isActive {
                if newValue.isActive { attach() } else { detach() }
            }
            isBroken = newValue.isBroken
            isSuspended = newValue.isSuspended
            solverID = newValue.solverID
            storedConstant = newValue.constant
            storedMultiplier = newValue.multiplier
            storedPriority = newValue.priority
        }
    }

    /// Reports the error of a property setter, which cannot throw, to the engine.
    private func engineOrReport(_ body: (LayoutConstraint) throws(LayoutError) -> Void) {
        do {
            try body(self)
        } catch {
            engine?.report(.error(error))
        }
    }
}

extension LayoutConstraint {
    /// Whether it speaks of a baseline of an item.
    func speaksOfBaseline(of item: LayoutItem) -> Bool {
        func isBaseline(_ attribute: Attribute?) -> Bool {
            attribute == .firstBaseline || attribute == .lastBaseline
        }
        return isBaseline(firstAttribute) && firstItem === item
            || isBaseline(secondAttribute) && secondItem === item
    }
}
