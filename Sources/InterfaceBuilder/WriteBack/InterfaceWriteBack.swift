import ConstraintLanguage
public import LayoutValues
public import SceneDocument

/// Writes what a team changes of a scene back into its Interface Builder file, by changing only the
/// bytes of what was changed.
///
/// Each time all that differs from the file as it was read is written into those bytes. What is
/// taken back is therefore gone from the file to the byte.
public struct InterfaceWriteBack: Sendable {
    /// What a room makes of a document.
    public struct LaidOutScene: Sendable {
        /// The document as the room exports it, every constraint with its name.
        public var document: SceneDocument
        /// The frames of all views in their superviews, by name.
        public var frames: [String: Rect]

        /// Makes one from its parts.
        public init(document: SceneDocument, frames: [String: Rect]) {
            (self.document, self.frames) = (document, frames)
        }
    }

    /// A file with what people have changed.
    public struct WrittenFile: Sendable {
        /// The file.
        public var bytes: [UInt8]
        /// What the room has to change so that sizes of content are again those of the file: a
        /// button with another title has another size.
        public var corrections: [Op]
    }

    /// The scene as it was read.
    public let conversion: InterfaceConversion
    /// The same as a room has it, without any change.
    public let base: SceneDocument
    let options: ConversionOptions
    let layOut: @Sendable (SceneDocument) throws(InterfaceError) -> LaidOutScene
    let views: [String: ViewProperties]
    let constraints: [String: ConstraintSpec]
    /// The superview of each view.
    let parents: [String: String]
    /// The ids that the file has.
    let ids: Set<String>

    /// Prepares for changes of a scene.
    ///
    /// - Parameters:
    ///   - options: How it is converted for the room.
    ///   - layOut: Brings a document to life as a room does.
    /// - Throws: `InterfaceError` for a scene that cannot be converted or laid out.
    public init(
        _ scene: InterfaceScene, options: ConversionOptions,
        layOut: @escaping @Sendable (SceneDocument) throws(InterfaceError) -> LaidOutScene
    ) throws(InterfaceError) {
        conversion = try InterfaceConversion(scene, options: options)
        base = try layOut(conversion.document).document
        self.options = options
        self.layOut = layOut
        views = Dictionary(
            base.views.map { ($0.id, $0.properties) }, uniquingKeysWith: { first, _ in first })
        constraints = Self.named(base)
        parents = Dictionary(
            base.views.map { ($0.id, $0.parent) }, uniquingKeysWith: { first, _ in first })
        ids = Set(scene.file.elements.keys)
    }

    static func named(_ document: SceneDocument) -> [String: ConstraintSpec] {
        let list = document.constraints.enumerated().map {
            ($1.resolvedID(index: $0), $1)
        }
        return Dictionary(list, uniquingKeysWith: { first, _ in first })
    }

    // MARK: What can be written

    /// Why an op cannot be written into the file, as a sentence; `nil` if it can, if it changes
    /// only how people look at the scene, and if it names nothing that there is.
    ///
    /// - Complexity: O(properties); O(elements of the file) for a removed constraint.
    public func refusal(of op: Op) -> String? {
        do throws(Unwritable) {
            try check(op)
            return nil
        } catch {
            return "\(error.text)."
        }
    }

    private func check(_ op: Op) throws(Unwritable) {
        switch op {
        case .setView(let id, let properties):
            try checkKeys(properties.givenKeys)
            try checkView(id) { $0.merge(properties) }
        case .resetView(let id, let keys):
            try checkKeys(keys)
            try checkView(id) { $0.remove(keys) }
        case .addConstraint(let spec, let set):
            if set != nil { throw Unwritable("the file has no sets of constraints") }
            if let id = spec.id, let old = constraints[id] {
                // One of the file may come back, as undo has it.
                var writer = constraintWriter(edits)
                return try writer.write(old, spec, id)
            }
            var writer = constraintWriter(edits)
            try writer.add(spec, spec.id ?? "")
        case .removeConstraint(let id):
            guard constraints[id] != nil else { return }
            var writer = constraintWriter(edits)
            try writer.remove(id)
        case .setConstraint(let id, let constant, let priority, let multiplier, let active):
            guard let old = constraints[id], case .rule(var rule) = old.body else { return }
            rule.constant = constant ?? rule.constant
            rule.priority = priority ?? rule.priority
            rule.multiplier = multiplier ?? rule.multiplier
            var new = old
            new.body = .rule(rule)
            new.active = active ?? old.active
            var writer = constraintWriter(edits)
            try writer.write(old, new, id)
        case .animate(let animation): for op in animation.ops { try check(op) }
        case .setScene: throw Unwritable("the scene is that of the file")
        case .addView, .removeView, .moveView:
            throw Unwritable("views are added, removed and moved to others in Xcode")
        case .addGuide: throw Unwritable("guides of one's own are made in Xcode")
        case .sizeToFit: throw Unwritable("constraints place the view")
        case .activateSet, .deactivateSet, .setViewport, .setContentOffset,
            .setNeedsUpdateConstraints, .updateConstraintsIfNeeded, .setNeedsLayout,
            .layoutIfNeeded, .setNeedsDisplay, .setNeedsUpdateProperties,
            .updatePropertiesIfNeeded:
            return
        }
    }

    private func checkKeys(_ keys: [ViewKey]) throws(Unwritable) {
        for key in keys {
            switch key {
            case .intrinsic: throw Unwritable("sizes of content follow from texts and pictures")
            case .value: throw Unwritable("the values of controls are set in Xcode")
            case .frame, .frameIn:
                throw Unwritable("frames are not written: constraints place views, or Xcode does")
            default: continue
            }
        }
    }

    private func checkView(
        _ id: String, _ change: (inout ViewProperties) -> Void
    ) throws(Unwritable) {
        if id == "root" {
            throw Unwritable("root is the device; the view of the file is \(conversion.rootID)")
        }
        guard let old = views[id] else { return }
        var new = old
        change(&new)
        var writer = try writer(for: id, edits: edits)
        try writer.write(old, new)
    }

    func constraintWriter(_ edits: ElementEdits) -> ConstraintWriter {
        ConstraintWriter(conversion, parents: parents, ids: ids, edits: edits)
    }

    var edits: ElementEdits { ElementEdits(conversion.scene.file.bytes) }

    func writer(for id: String, edits: ElementEdits) throws(Unwritable) -> ViewWriter {
        guard let element = conversion.views[id]?.element else {
            throw Unwritable("\"\(id)\" is not in the file")
        }
        return ViewWriter(
            element, isTop: id == conversion.rootID,
            isByFrame: conversion.placedByFrame.contains(id), edits: edits)
    }
}
