import ConstraintLanguage
import SceneModel
import SceneProtocol

/// How much more memory a scene takes after what is asked for, about: rather too much, for none of it is there yet.
struct MemoryGrowth {
    /// Bytes that are added.
    private(set) var bytes = 0
    /// Whether anything is added or removed.
    private(set) var changesSize = false

    /// A view with its variables and its place in what members have.
    private static let view = 3_000
    private static let guide = 1_500
    /// A constraint, and its cells in the solver.
    private static let constraint = 800
    /// A byte of a visual format may stand for so many bytes of constraints.
    private static let formatByte = 100

    /// That of a document in the place of the scene.
    init(of document: SceneDocument) {
        for index in document.views.indices {
            add(Self.view + document.views[index].properties.byteEstimate)
        }
        for constraint in document.constraints { add(constraint) }
        for set in document.sets {
            for constraint in set.constraints { add(constraint) }
        }
    }

    /// That of ops.
    init(of ops: [Op]) {
        var lists = [ops]
        while let list = lists.popLast() {
            // By index: ops are large, and nothing of most of them has to be copied to be asked.
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
        switch constraint.body {
        case .rule: add(Self.constraint)
        case .visualFormat(let format, _):
            add(Self.constraint + Self.formatByte * format.source.utf8.count)
        }
    }
}
