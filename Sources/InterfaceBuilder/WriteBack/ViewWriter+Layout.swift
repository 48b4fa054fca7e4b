import LayoutValues
import SceneDocument

/// What decides where views are.
extension ViewWriter {
    mutating func writePriorities(_ new: ViewProperties) {
        func text(_ value: LayoutPriority?, _ standard: Double) -> String? {
            guard let value, value.rawValue != standard else { return nil }
            return XMLWriter.number(value.rawValue)
        }
        set("horizontalHuggingPriority", text(new.hugging?.horizontal, 250))
        set("verticalHuggingPriority", text(new.hugging?.vertical, 250))
        set(
            "horizontalCompressionResistancePriority", text(new.compression?.horizontal, 750))
        set("verticalCompressionResistancePriority", text(new.compression?.vertical, 750))
    }

    mutating func writeMargins(_ margins: EdgeInsets?) throws(Unwritable) {
        guard !isTop else {
            throw Unwritable("the margins of the outermost view are those of its device")
        }
        guard kind != .stack || margins != nil else {
            throw Unwritable("the margins of a stack are removed in Xcode")
        }
        let plain = element.child("edgeInsets", key: "layoutMargins")
        let own = plain ?? element.child("directionalEdgeInsets", key: "directionalLayoutMargins")
        guard let margins else {
            if let own { edits.remove(own) }
            return
        }
        let names = plain == nil ? ("leading", "trailing") : ("left", "right")
        let values = [
            ("top", margins.top), (names.0, margins.leading), ("bottom", margins.bottom),
            (names.1, margins.trailing),
        ].map { ($0.0, XMLWriter.number($0.1)) }
        guard let own else {
            guard kind != .stack else {
                throw Unwritable(
                    "a stack is given margins in Xcode, which then arranges within them")
            }
            let new = NewElement(
                "directionalEdgeInsets", [("key", "directionalLayoutMargins")] + values)
            return edits.add(new, to: element)
        }
        for (name, value) in values where own.number(name) != Double(value) {
            edits.set(name, value, of: own)
        }
    }

    mutating func writeMask(_ mask: AutoresizingMask?) throws(Unwritable) {
        guard isByFrame, !isTop, let own = element.child("autoresizingMask"), let mask else {
            throw Unwritable("constraints place the view, not a mask")
        }
        for (flag, name) in ExportedView.maskNames where own.isYes(name) != mask.contains(flag) {
            edits.set(name, mask.contains(flag) ? "YES" : nil, of: own)
        }
    }

    mutating func writeStack(_ key: ViewKey, _ new: ViewProperties) throws(Unwritable) {
        try require(kind == .stack, key)
        switch key {
        case .axis: set("axis", new.axis == .vertical ? "vertical" : nil)
        case .distribution:
            set("distribution", new.distribution.flatMap { $0 == .fill ? nil : $0.rawValue })
        case .alignment:
            set("alignment", new.alignment.flatMap { $0 == .fill ? nil : $0.rawValue })
        case .spacing:
            set("spacingType", nil)
            set("spacing", new.spacing.flatMap { $0 == 0 ? nil : XMLWriter.number($0) })
        default:
            let isRelative = new.rare.baselineRelativeArrangement == true
            set("baselineRelativeArrangement", isRelative ? "YES" : nil)
        }
    }

    mutating func writeScroll(_ key: ViewKey, _ new: ViewProperties) throws(Unwritable) {
        try require(kind == .scroll, key)
        guard key == .contentInset else {
            return set(
                "contentInsetAdjustmentBehavior", new.rare.contentInsetAdjustmentBehavior?.rawValue)
        }
        let own = element.child("inset", key: "contentInset")
        guard let insets = new.rare.contentInset else {
            if let own { edits.remove(own) }
            return
        }
        let inset = NewElement(
            "inset",
            [
                ("key", "contentInset"), ("minX", XMLWriter.number(insets.leading)),
                ("minY", XMLWriter.number(insets.top)), ("maxX", XMLWriter.number(insets.trailing)),
                ("maxY", XMLWriter.number(insets.bottom)),
            ])
        if let own { edits.replace(own, with: inset) } else { edits.add(inset, to: element) }
    }

    mutating func writeInstalled(_ isInstalled: Bool) throws(Unwritable) {
        guard !isTop, let id = element["id"], let owner = element.parent?.parent,
            element.parent?.name == "subviews"
        else { throw Unwritable("the view is always installed") }
        edits.setInstalled(isInstalled, id, list: "subviews", of: owner)
    }
}
