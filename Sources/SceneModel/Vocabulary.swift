import AutoLayout
import SceneProtocol

// The words of a document in the words of the engine, and back. Enumerations whose cases have the same names are
// matched by switch, so that a new case does not compile until it is decided.

extension TextDirection {
    var layoutDirection: LayoutDirection {
        switch self {
        case .ltr: .leftToRight
        case .rtl: .rightToLeft
        }
    }
}

extension AutoLayout.Rect {
    init(_ rect: SceneProtocol.Rect) {
        self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
}

extension SceneProtocol.Rect {
    init(_ rect: AutoLayout.Rect) {
        self.init(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
    }
}

extension EdgeInsets {
    init(_ insets: Insets) {
        self.init(
            top: insets.top, leading: insets.leading, bottom: insets.bottom,
            trailing: insets.trailing)
    }
}

extension PriorityByAxis {
    init(_ pair: PriorityPair) {
        self.init(LayoutPriority(pair.horizontal), LayoutPriority(pair.vertical))
    }
}

extension AutoLayout.Axis {
    init(_ axis: SceneProtocol.Axis) {
        switch axis {
        case .horizontal: self = .horizontal
        case .vertical: self = .vertical
        }
    }
}

extension StackView.Distribution {
    init(_ distribution: SceneProtocol.Distribution) {
        switch distribution {
        case .fill: self = .fill
        case .fillEqually: self = .fillEqually
        case .fillProportionally: self = .fillProportionally
        case .equalSpacing: self = .equalSpacing
        case .equalCentering: self = .equalCentering
        }
    }
}

extension StackView.Alignment {
    init(_ alignment: StackAlignment) {
        switch alignment {
        case .fill: self = .fill
        case .leading: self = .leading
        case .center: self = .center
        case .trailing: self = .trailing
        case .top: self = .top
        case .bottom: self = .bottom
        case .firstBaseline: self = .firstBaseline
        case .lastBaseline: self = .lastBaseline
        }
    }
}

extension AutoLayout.TextAlignment {
    init(_ alignment: SceneProtocol.TextAlignment) {
        switch alignment {
        case .left: self = .left
        case .center: self = .center
        case .right: self = .right
        case .natural: self = .natural
        case .justified: self = .justified
        }
    }
}

extension AutoLayout.AutoresizingMask {
    init(_ mask: SceneProtocol.AutoresizingMask) {
        self.init(rawValue: Int(mask.rawValue))
    }
}

extension AutoLayout.ContentMode {
    init(_ mode: SceneProtocol.ContentMode) {
        switch mode {
        case .scaleToFill: self = .scaleToFill
        case .scaleAspectFit: self = .scaleAspectFit
        case .scaleAspectFill: self = .scaleAspectFill
        case .redraw: self = .redraw
        case .center: self = .center
        case .top: self = .top
        case .bottom: self = .bottom
        case .left: self = .left
        case .right: self = .right
        case .topLeft: self = .topLeft
        case .topRight: self = .topRight
        case .bottomLeft: self = .bottomLeft
        case .bottomRight: self = .bottomRight
        }
    }
}

extension Refusal {
    /// What the engine refused, in the words of the wire.
    init(_ error: LayoutError, opIndex: Int = 0) {
        switch error {
        case .unsatisfiable(let conflict):
            self.init(
                code: .unsatisfiable,
                message: "required constraints contradict one another: "
                    + conflict.joined(separator: ", "),
                opIndex: opIndex, conflicting: conflict)
        case .noCommonAncestor(let id):
            self.init(
                code: .badRule, message: "the items of \"\(id)\" share no ancestor",
                opIndex: opIndex)
        case .badValue(let what):
            self.init(code: .badValue, message: what, opIndex: opIndex)
        case .hierarchyCycle(let id):
            self.init(
                code: .cycle, message: "\"\(id)\" would be its own ancestor", opIndex: opIndex)
        case .badDescription(let what), .noSuperview(let what), .badFormat(let what):
            self.init(code: .badRule, message: what, opIndex: opIndex)
        case .updateConstraintsLoop, .layoutFeedbackLoop, .contextExpired, .nothingToUpdate:
            self.init(code: .conflict, message: "\(error)", opIndex: opIndex)
        }
    }
}
