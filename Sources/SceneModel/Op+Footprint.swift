import ConstraintLanguage
public import SceneDocument

/// What an op adds to a scene, what it removes, and what it visits before it changes anything.
///
/// Limits, memory, undo and prices are computed from it. Memory is overestimated, since nothing of
/// it exists yet.
public struct OpFootprint: Sendable, Equatable {
    /// The number of added views.
    public private(set) var views = 0
    /// The number of added rules; a visual format counts as one.
    public private(set) var constraints = 0
    /// The additional memory of the scene in bytes.
    public private(set) var growth = 0
    /// Whether anything is added or removed that takes memory.
    public private(set) var changesSize = false
    /// The memory of the op itself in bytes, about.
    public private(set) var byteCount = 200
    /// The longest duration or delay in seconds of its animations; `nil` without any.
    public private(set) var animationSeconds: Double?
    /// The records that it visits.
    private(set) var visits = Visits.count(0)
    /// The bytes of its texts that are sent to members besides the content of views.
    private(set) var toldByteCount = 0

    /// Views, constraints and sets that an op visits.
    enum Visits: Sendable, Equatable {
        case count(Int)
        /// The views and constraints that may name a view, divided by a number.
        case references(of: String, divisor: Int)
        case sets
        case views(divisor: Int)

        /// The number of records in a scene.
        func count(in model: SceneModel) -> Int {
            switch self {
            case .count(let count): count
            // The names in each constraint's rule are looked up, which costs more than a record.
            case .references(let id, let divisor):
                model.nodeIDs[id] == nil
                    ? 0 : (model.nodes.count + 5 * model.constraintCount) / divisor
            case .sets: model.sets.count
            case .views(let divisor): model.nodes.count / divisor
            }
        }
    }

    /// Memory in bytes.
    private enum Size {
        /// A view with its variables and its place in the members' baselines.
        static let view = 3_000
        static let guide = 1_500
        /// A constraint with its cells in the solver.
        static let constraint = 800
        /// A variation of a constraint, and each clause of its condition.
        static let clause = 200
        /// The constraints that one byte of a visual format may produce.
        static let formatByte = 100
        /// The properties of a view in an op.
        static let properties = 600
        /// An animation without its ops.
        static let animation = 100
    }

    /// The footprint of an op.
    ///
    /// - Complexity: O(ops of an animation), O(size of a document).
    public init(_ op: Op) {
        switch op {
        case .setScene(let document): grow(by: Self.growth(of: document))
        case .addView(let spec):
            views = 1
            grow(by: Size.view)
            note(spec.properties)
        case .removeView(let id):
            changesSize = true
            visits = .references(of: id, divisor: 1)
        // The list of siblings is rewritten.
        case .moveView: visits = .count(50)
        case .setView(_, let properties): note(properties)
        case .resetView(let id, _):
            changesSize = true
            visits = .references(of: id, divisor: 5)
        case .addGuide: grow(by: Size.guide)
        case .addConstraint(let spec, _):
            constraints = 1
            grow(by: Self.growth(of: spec))
        case .removeConstraint:
            changesSize = true
            visits = .sets
        case .setConstraint, .activateSet, .deactivateSet: visits = .sets
        // Each view's safe area and margins are updated, in addition to the passes' charge, once
        // for all viewports before them.
        case .setViewport: visits = .views(divisor: 2)
        case .animate(let animation):
            self = OpFootprint(of: animation.ops)
            byteCount += Size.animation
            // Its ops are charged one by one.
            (visits, toldByteCount) = (.count(0), 0)
            animationSeconds = max(
                animation.duration, animation.delay, animationSeconds ?? 0)
        case .setContentOffset, .setNeedsUpdateConstraints, .updateConstraintsIfNeeded,
            .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay, .sizeToFit,
            .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
            break
        }
    }

    /// The sum of the footprints of ops, except for what they visit.
    public init(of ops: [Op]) {
        byteCount = 0
        // By index: ops are large, and iteration would copy them.
        for index in ops.indices {
            let op = OpFootprint(ops[index])
            views += op.views
            constraints += op.constraints
            growth += op.growth
            changesSize = changesSize || op.changesSize
            byteCount += op.byteCount
            if let seconds = op.animationSeconds {
                animationSeconds = max(animationSeconds ?? 0, seconds)
            }
        }
    }

    private mutating func grow(by bytes: Int) {
        growth += bytes
        if bytes > 0 { changesSize = true }
    }

    private mutating func note(_ properties: ViewProperties) {
        let bytes = properties.byteEstimate
        grow(by: bytes)
        byteCount = Size.properties + bytes
        visits = .count(properties.weight)
        toldByteCount = properties.toldByteCount
    }

    // MARK: Documents

    /// The memory of a scene of a document in bytes, overestimated.
    ///
    /// - Complexity: O(size of the document).
    public static func growth(of document: SceneDocument) -> Int {
        var bytes = 0
        for index in document.views.indices {
            bytes += Size.view + document.views[index].properties.byteEstimate
        }
        for constraint in document.constraints { bytes += growth(of: constraint) }
        for set in document.sets {
            for constraint in set.constraints { bytes += growth(of: constraint) }
        }
        return bytes
    }

    private static func growth(of constraint: ConstraintSpec) -> Int {
        var bytes = Size.constraint
        for variation in constraint.variations {
            bytes += Size.clause * (1 + variation.when.clauses.count)
        }
        if case .visualFormat(let format, _) = constraint.body {
            bytes += Size.formatByte * format.source.utf8.count
        }
        return bytes
    }
}

extension ViewProperties {
    /// Bytes of text, two for a unit, and elements of lists, as records.
    fileprivate var weight: Int {
        let text = (text?.utf8.count ?? 0) / (2 * Int(SceneModel.Price.record))
        let varied = (variations ?? []).reduce(0) { $0 + 8 + $1.properties.weight }
        return text + varied + 8 * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
    }

    /// Bytes of texts that are sent to members besides the view's content.
    fileprivate var toldByteCount: Int { hasInteraction ? interaction.textByteCount : 0 }
}
