import ConstraintLanguage
import SceneDocument
import SceneModel

/// The estimated additional memory of a scene for requested changes; overestimates, since nothing
/// of it exists yet.
struct MemoryGrowth {
    /// The added bytes.
    private(set) var bytes = 0
    /// Whether anything is added or removed.
    private(set) var changesSize = false

    /// A view with its variables and its place in the members' baselines.
    private static let view = 3_000
    private static let guide = 1_500
    /// A constraint with its cells in the solver.
    private static let constraint = 800
    /// A variation of a constraint, and each clause of its condition.
    private static let clause = 200
    /// The bytes of constraints that one byte of a visual format may produce.
    private static let formatByte = 100

    /// The growth for a document that replaces the scene.
    init(of document: SceneDocument) {
        for index in document.views.indices {
            add(Self.view + document.views[index].properties.byteEstimate)
        }
        for constraint in document.constraints { add(constraint) }
        for set in document.sets {
            for constraint in set.constraints { add(constraint) }
        }
    }

    /// The growth for ops.
    init(of ops: [Op]) {
        var lists = [ops]
        while let list = lists.popLast() {
            // By index: ops are large, and iteration would copy them.
            for index in list.indices {
                switch list[index] {
                case .addView(let spec): add(Self.view + spec.properties.byteEstimate)
                case .setView(_, let properties): add(properties.byteEstimate)
                case .addGuide: add(Self.guide)
                case .addConstraint(let spec, _): add(spec)
                case .animate(let animation): lists.append(animation.ops)
                case .setScene(let document): add(Self(of: document).bytes)
                case .removeView, .resetView, .removeConstraint: changesSize = true
                case .moveView, .setConstraint, .activateSet, .deactivateSet, .setViewport,
                    .setContentOffset, .setNeedsUpdateConstraints, .updateConstraintsIfNeeded,
                    .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay, .sizeToFit,
                    .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
                    break
                }
            }
        }
    }

    private mutating func add(_ more: Int) {
        bytes += more
        if more > 0 { changesSize = true }
    }

    private mutating func add(_ constraint: ConstraintSpec) {
        add(Self.clause * constraint.variations.reduce(0) { $0 + 1 + $1.when.clauses.count })
        switch constraint.body {
        case .rule: add(Self.constraint)
        case .visualFormat(let format, _):
            add(Self.constraint + Self.formatByte * format.source.utf8.count)
        }
    }
}
