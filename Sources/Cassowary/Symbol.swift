/// A column or row name of the tableau: a variable, or the marker of a constraint.
///
/// The marker of a constraint stands for the value of its terms. One marker does the work of the
/// slack, dummy and error symbols of section 2.3 of the paper: what it costs to be on either side
/// of the constant (`SymbolState.below` and `above`) tells them apart.
struct Symbol: Hashable {
    let index: Int32

    init(index: Int32) { self.index = index }
    init(_ variable: Variable) { index = variable.index &* 2 }
    init(_ constraint: ConstraintID) { index = Self.marker(ofRow: constraint.index) }

    /// The index of the variable of a column.
    @inline(__always) static func variable(_ column: Int32) -> Int32 { column &* 2 }
    /// The index of the marker of the constraint in a row.
    @inline(__always) static func marker<Index: FixedWidthInteger>(ofRow row: Index) -> Index {
        row &* 2 &+ 1
    }

    var constraint: ConstraintID? { index & 1 == 1 ? ConstraintID(index: index >> 1) : nil }
    var variable: Variable? { index & 1 == 0 ? Variable(index: index >> 1) : nil }
    var position: Int { Int(index) }
}

/// The price of a symbol's value: nothing at the kink, and a constant slope to one side of it or to
/// both.
struct Shape: Equatable {
    /// The sides of the kink that cost something.
    struct Sides: OptionSet {
        static let below = Sides(rawValue: 1)
        static let above = Sides(rawValue: 2)

        let rawValue: UInt8
    }

    /// The price without any constraint: zero everywhere.
    static let free = Shape(slope: 0, level: -1, sides: [])
    /// The price of a non-negative variable, with the kink at zero.
    static let nonNegative = Shape(slope: .infinity, level: -1, sides: .below)

    /// Price per unit on the sides that cost something; infinite where required.
    var slope: Double
    /// The objective level that the price below the kink belongs to; -1 when free or required.
    var levelBelow: Int32
    /// The level of the price above it: the same one, but for a constraint of two strengths.
    var levelAbove: Int32
    var sides: Sides

    init(slope: Double, level: Int32, sides: Sides) {
        self.init(slope: slope, levelBelow: level, levelAbove: level, sides: sides)
    }

    init(slope: Double, levelBelow: Int32, levelAbove: Int32, sides: Sides) {
        self.slope = slope
        self.levelBelow = levelBelow
        self.levelAbove = levelAbove
        self.sides = sides
    }

    /// Price per unit below the kink; infinite where required.
    @inline(__always) var below: Double { sides.rawValue & 1 != 0 ? slope : 0 }
    /// Price per unit above the kink; infinite where required.
    @inline(__always) var above: Double { sides.rawValue & 2 != 0 ? slope : 0 }

    /// Whether the price is one that may be paid.
    @inline(__always) var isSoft: Bool { levelBelow >= 0 }
    var hasKink: Bool { sides.rawValue != 0 }
    /// 0 without a kink, 1 with one, 2 with one that must not be passed.
    var kinkClass: UInt8 { !hasKink ? 0 : isSoft ? 1 : 2 }

    /// By how much the price's slope at a level is greater above the kink than below it.
    @inline(__always)
    func bend(at level: Int32) -> Double {
        (level == levelBelow ? below : 0) + (level == levelAbove ? above : 0)
    }
}

/// What the solver knows about one symbol, in eight bytes: eight to a cache line.
///
/// A slope is nothing, infinite or the power of two that a constraint was scaled by, so that the
/// sign and the exponent, the upper twelve of its bits, are all of it. What is charged for a symbol
/// is the slope of its present price, of one sign or the other: a price of other levels begins with
/// nothing charged.
struct SymbolState {
    enum Status: UInt8 { case absent, parametric, basic }

    /// The solver's lists that the symbol waits in.
    struct Queues: OptionSet {
        /// Those whose gradient the objective does not contain yet.
        static let uncharged = Queues(rawValue: 1)
        /// Columns to price.
        static let unpriced = Queues(rawValue: 2)
        /// Violated required rows.
        static let suspects = Queues(rawValue: 4)

        let rawValue: UInt8
    }

    /// Where the parts stand, from the lowest bit: the sides of the price, the status, the queues,
    /// the charge, the side, the slope, and the levels below and above the kink.
    private enum Place {
        static let status: UInt64 = 2
        static let queues: UInt64 = 4
        static let charge: UInt64 = 7
        static let side: UInt64 = 9
        static let slope: UInt64 = 10
        static let below: UInt64 = 24
        static let above: UInt64 = 44
        /// Of the slope and of each of the levels.
        static let slopeMask: UInt64 = 0xFFF
        static let levelMask: UInt64 = 0xF_FFFF
    }

    /// Whether what is charged is the slope, or its opposite.
    private enum Charge {
        static let slope: UInt64 = 1 << Place.charge
        static let opposite: UInt64 = 2 << Place.charge
        static let any: UInt64 = slope | opposite
    }

    private var bits: UInt64 = Place.levelMask << Place.below | Place.levelMask << Place.above

    var status: Status {
        @inline(__always) get {
            // Nothing else is ever written there.
            Status(rawValue: UInt8(truncatingIfNeeded: bits >> Place.status & 3)) ?? .absent
        }
        @inline(__always) set {
            bits = bits & ~(3 << Place.status) | UInt64(newValue.rawValue) << Place.status
        }
    }

    private var slope: Double {
        @inline(__always) get { Double(bitPattern: (bits >> Place.slope & Place.slopeMask) << 52) }
    }

    private var levelBelow: Int32 {
        @inline(__always) get {
            Int32(truncatingIfNeeded: Int64(bitPattern: bits << (44 - Place.below)) >> 44)
        }
    }

    private var levelAbove: Int32 {
        @inline(__always) get { Int32(truncatingIfNeeded: Int64(bitPattern: bits) >> Place.above) }
    }

    /// The price of the symbol.
    var shape: Shape {
        @inline(__always) get {
            Shape(
                slope: slope, levelBelow: levelBelow, levelAbove: levelAbove,
                sides: Shape.Sides(rawValue: UInt8(truncatingIfNeeded: bits & 3)))
        }
        @inline(__always) set {
            assert(newValue.slope.bitPattern << 12 == 0, "a slope is a power of two")
            let slope = newValue.slope.bitPattern >> 52
            let below = UInt64(truncatingIfNeeded: newValue.levelBelow) & Place.levelMask
            let above = UInt64(truncatingIfNeeded: newValue.levelAbove) & Place.levelMask
            let kept = ((1 << Place.slope) - 1) & ~UInt64(3)
            bits =
                bits & kept | UInt64(newValue.sides.rawValue) | slope << Place.slope
                | below << Place.below | above << Place.above
        }
    }

    /// The solver's lists that the symbol waits in.
    var queues: Queues {
        @inline(__always) get {
            Queues(rawValue: UInt8(truncatingIfNeeded: bits >> Place.queues & 7))
        }
        @inline(__always) set {
            bits = bits & ~(7 << Place.queues) | UInt64(newValue.rawValue) << Place.queues
        }
    }

    /// For a basic symbol, which slope applies: 1 at or above the kink, -1 at or below it.
    var side: Int8 {
        @inline(__always) get { bits & 1 << Place.side != 0 ? -1 : 1 }
        @inline(__always) set {
            bits = bits & ~(1 << Place.side) | (newValue < 0 ? 1 << Place.side : 0)
        }
    }

    /// The gradient that the objective contains for this symbol; `gradient` once the objective is
    /// up to date.
    var charged: Double {
        @inline(__always) get {
            guard bits & Charge.any != 0 else { return 0 }
            return bits & Charge.slope != 0 ? slope : -slope
        }
        @inline(__always) set {
            assert(newValue == 0 || newValue.magnitude == slope, "what is charged is a slope")
            bits &= ~Charge.any
            if newValue != 0 { bits |= newValue > 0 ? Charge.slope : Charge.opposite }
        }
    }

    /// The level of a gradient of the symbol: a positive one is that above the kink, a negative one
    /// that below it.
    @inline(__always)
    func level(of gradient: Double) -> Int32 { gradient > 0 ? levelAbove : levelBelow }

    /// What the objective has yet to take in, at one level: that of what is charged, which has to
    /// go first where the levels differ, or that of the gradient.
    @inline(__always)
    var due: (level: Int32, delta: Double, charged: Double) {
        let (gradient, charged) = (gradient, charged)
        let level = level(of: gradient)
        guard charged != 0 else { return (level, gradient, gradient) }
        let old = self.level(of: charged)
        guard gradient != 0, level != old else { return (old, gradient - charged, gradient) }
        return (old, -charged, 0)
    }

    /// Whether the symbol has to be on its kink, as the marker of a required equation has.
    @inline(__always) var isFixed: Bool { bits & 3 == 3 && slope == .infinity }

    /// How the objective changes per unit of this symbol while it is basic.
    @inline(__always) var gradient: Double {
        guard status == .basic, levelBelow >= 0 else { return 0 }
        return side > 0 ? shape.above : -shape.below
    }

    /// Whether a value breaks a required bound by more than the tolerance.
    @inline(__always)
    func isInfeasible(at value: Double, kink: Double) -> Bool {
        let excess = value - kink
        guard bits & UInt64((excess > 0 ? Shape.Sides.above : .below).rawValue) != 0,
            excess.magnitude > Tolerance.around(kink)
        else { return false }
        return slope == .infinity
    }
}

/// The thresholds that separate numbers from rounding noise. Rows are scaled so that coefficients
/// are near 1.
enum Tolerance {
    /// Distance from a kink that counts as none, relative to the kink.
    static let feasibility = 1e-10
    /// Reduced cost that counts as none, relative to the lightest constraint of its level.
    static let cost = 1e-9
    /// Smallest coefficient that a pivot may divide by.
    static let pivot = 1e-9
    /// A pivot smaller than this, or larger than its inverse, magnifies rounding so much that a
    /// remainder of zero passes for the next pivot.
    static let steepestPivot = 1e-5
    /// A pivot at least this large is taken without looking for a larger one.
    static let comfortablePivot = 1e-3
    /// Share of a row's largest coefficient below which another column is taken.
    static let steepPivot = 1e-5
    /// A sum this much smaller than its addends is cancellation, and so zero.
    static let cancellation = 1e-13
    /// Reduced cost this much smaller than what it was summed from is none.
    static let costCancellation = 1e-11
    /// Disagreement of a pivot seen by row and by column that asks for a new factorisation.
    static let pivotAgreement = 1e-8
    /// Distance between a row and its source constraint that forces a rebuild, relative to the
    /// constant.
    static let residual = 1e-9
    /// A coefficient at least this share of the largest of its row can be divided by without much
    /// growth.
    static let pivotShare = 0.1
    /// A value this many times as large as where it ended leaves rounding that is to be cleared.
    static let overshoot = 1e4
    /// Rounding of a single sum of a few terms, relative to the sum of their magnitudes.
    static let summation = 1e-14
    /// Rounding of a sum, relative to the sum of its addends' magnitudes.
    static let rounding = 1e-12
    /// A value that moved less than this, relative to itself, is not published as changed.
    static let publication = 1e-12
    /// Violation that `isSatisfied` forgives.
    static let satisfaction = 1e-6

    /// Whether the basis has to be factored anew after an exchange by such a pivot.
    @inline(__always)
    static func isSteep(pivot: Double) -> Bool {
        pivot.magnitude < steepestPivot || pivot.magnitude * steepestPivot > 1
    }

    /// How far from a kink still counts as on it.
    @inline(__always)
    static func around(_ kink: Double) -> Double { feasibility * max(1, kink.magnitude) }
}
