import ConstraintLanguage
import SceneModel
import SceneProtocol

/// About how many bytes more a scene takes after what is asked for: rather too many, for none of it is there yet.
enum MemoryGrowth {
    /// A view with its variables and its place in what members have.
    private static let view = 3_000
    private static let guide = 1_500
    /// A constraint, and its cells in the solver.
    private static let constraint = 800
    /// A byte of a visual format may stand for so many bytes of constraints.
    private static let formatByte = 100

    /// What a document's scene takes.
    static func bytes(of document: SceneDocument) -> Int {
        let views = document.views.reduce(0) { $0 + view + $1.properties.byteEstimate }
        let rules = document.sets.reduce(document.constraints) { $0 + $1.constraints }
        return views + rules.reduce(0) { $0 + bytes(of: $1) }
    }

    /// What ops add to a scene; 0 where they only change or remove.
    static func bytes(of ops: [Op]) -> Int {
        var bytes = 0
        var lists = [ops]
        while let list = lists.popLast() {
            for op in list {
                switch op {
                case .addView(let spec): bytes += view + spec.properties.byteEstimate
                case .setView(_, let properties): bytes += properties.byteEstimate
                case .addGuide: bytes += guide
                case .addConstraint(let spec, _): bytes += self.bytes(of: spec)
                case .animate(let animation): lists.append(animation.ops)
                case .setScene(let document): bytes += self.bytes(of: document)
                case .removeView, .moveView, .resetView, .removeConstraint, .setConstraint,
                    .activateSet, .deactivateSet, .setViewport, .setContentOffset,
                    .setNeedsUpdateConstraints, .updateConstraintsIfNeeded, .setNeedsLayout,
                    .layoutIfNeeded, .setNeedsDisplay, .sizeToFit, .setNeedsUpdateProperties,
                    .updatePropertiesIfNeeded:
                    break
                }
            }
        }
        return bytes
    }

    private static func bytes(of constraint: ConstraintSpec) -> Int {
        switch constraint.body {
        case .rule: self.constraint
        case .visualFormat(let format, _):
            self.constraint + formatByte * format.source.utf8.count
        }
    }
}
