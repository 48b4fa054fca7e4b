import AutoLayout
import SceneProtocol

// How a key of a document acts on a view, and how it is put back. Both switch over all keys without a default, so that
// a new key does not compile before it is decided.

extension ViewKey {
    /// When a view can take a property.
    enum Stage {
        /// It decides how the view is made.
        case making
        /// At once, whatever the view stands in.
        case alone
        /// Once the view has a superview, whose size it refers to.
        case inSuperview
        /// Once all views that it names exist.
        case amongSiblings
        /// Never: it only shows in what renderers are sent.
        case content
    }

    var stage: Stage {
        switch self {
        case .kind: .making
        case .collapses, .hidden, .contentMode, .hugging, .compression, .intrinsic, .baseline,
            .margins, .safeArea, .frame, .text, .lines, .align, .preferredWidth, .axis,
            .distribution, .alignment, .spacing, .contentOffset,
            .layoutMarginsRelativeArrangement, .dynamicType, .traits, .installed,
            .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory:
            .alone
        case .autoresizing, .frameIn: .inSuperview
        case .arranged, .customSpacing: .amongSiblings
        // Variations act in the properties pass, by the keys that they set.
        case .background, .foreground, .border, .opacity, .clips, .variations: .content
        }
    }

    /// The keys that a view takes at once, in the order in which they are set.
    ///
    /// The order is fixed for good: a simplex answer may depend on the order of changes, and a journal has to replay
    /// to the same frames.
    static let setAlone: [ViewKey] = [
        .collapses, .hidden, .contentMode, .hugging, .compression, .intrinsic, .baseline, .margins,
        .safeArea, .frame, .text, .lines, .align, .preferredWidth, .axis, .distribution,
        .alignment, .spacing, .contentOffset, .layoutMarginsRelativeArrangement, .dynamicType,
        .traits, .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
        .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
        .installed,
    ]
}

extension ViewProperties {
    /// Sets on a view what is given and needs no other view; what is left out stays.
    func apply(to view: View) {
        for key in ViewKey.setAlone { apply(key, to: view) }
    }

    /// Sets on a view what one key gives, if it is given and needs no other view.
    func apply(_ key: ViewKey, to view: View) {
        switch key {
        case .collapses:
            guard let collapses else { return }
            view.collapseAxes = Set(
                (collapses.width ? [Axis.horizontal] : []) + (collapses.height ? [.vertical] : []))
        case .hidden: if let hidden { view.isHidden = hidden }
        case .contentMode: if let contentMode { view.contentMode = contentMode }
        case .hugging: if let hugging { view.contentHuggingPriority = hugging }
        case .compression:
            if let compression { view.contentCompressionResistancePriority = compression }
        case .intrinsic: if let intrinsic { view.intrinsicContentSizeOverride = intrinsic }
        case .baseline:
            if let baseline {
                view.baselineOffsetsFromEdges = (baseline.fromTop, baseline.fromBottom)
            }
        case .margins: if let margins { view.layoutMargins = margins }
        case .safeArea: if let safeArea { view.safeAreaInsets = safeArea }
        case .frame:
            guard let frame else { return }
            view.translatesFrame = true
            view.frame = frame
        case .text: if let text { (view as? Label)?.text = text }
        case .lines: if let lines { (view as? Label)?.numberOfLines = lines }
        case .align: if let align { (view as? Label)?.textAlignment = align }
        case .preferredWidth:
            if let preferredWidth { (view as? Label)?.preferredMaxLayoutWidth = preferredWidth }
        case .axis: if let axis { (view as? StackView)?.axis = axis }
        case .distribution:
            if let distribution { (view as? StackView)?.distribution = distribution }
        case .alignment: if let alignment { (view as? StackView)?.alignment = alignment }
        case .spacing:
            guard let spacing else { return }
            (view as? StackView)?.spacing = spacing
            (view as? FlowView)?.spacing = spacing
        case .contentOffset:
            if let contentOffset { (view as? ScrollView)?.contentOffset = contentOffset }
        case .layoutMarginsRelativeArrangement:
            guard let relative = layoutMarginsRelativeArrangement else { return }
            (view as? StackView)?.isLayoutMarginsRelativeArrangement = relative
        case .dynamicType:
            guard let dynamicType else { return }
            (view as? Label)?.adjustsFontForContentSizeCategory = dynamicType
        case .traits: if let traits { view.traitOverrides = TraitOverrides(traits) }
        case .insetsLayoutMarginsFromSafeArea:
            guard let insets = insetsLayoutMarginsFromSafeArea else { return }
            view.insetsLayoutMarginsFromSafeArea = insets
        case .preservesSuperviewLayoutMargins:
            guard let preserves = preservesSuperviewLayoutMargins else { return }
            view.preservesSuperviewLayoutMargins = preserves
        case .keyboardUsesBottomSafeArea:
            guard let uses = keyboardUsesBottomSafeArea else { return }
            view.keyboardUsesBottomSafeArea = uses
        case .minimumContentSizeCategory:
            guard let least = minimumContentSizeCategory else { return }
            view.minimumContentSizeCategory = least == .unspecified ? nil : least
        case .maximumContentSizeCategory:
            guard let most = maximumContentSizeCategory else { return }
            view.maximumContentSizeCategory = most == .unspecified ? nil : most
        case .installed: if let installed { view.isInstalled = installed }
        case .kind, .autoresizing, .frameIn, .arranged, .customSpacing, .background, .foreground,
            .border, .opacity, .clips, .variations:
            break
        }
    }
}

extension ViewKey {
    /// Gives a view what it has when the key is not given.
    ///
    /// - Parameter fresh: A view of the same kind that was given nothing.
    func reset(_ view: View, like fresh: View) {
        switch self {
        case .hidden: view.isHidden = false
        case .contentMode: view.contentMode = fresh.contentMode
        case .collapses: view.collapseAxes = []
        case .intrinsic: view.intrinsicContentSizeOverride = nil
        case .hugging: view.contentHuggingPriority = fresh.contentHuggingPriority
        case .compression:
            view.contentCompressionResistancePriority = fresh.contentCompressionResistancePriority
        case .baseline: view.baselineOffsetsFromEdges = fresh.baselineOffsetsFromEdges
        case .margins: view.layoutMargins = fresh.layoutMargins
        case .safeArea: view.safeAreaInsets = fresh.safeAreaInsets
        case .frame:
            view.frame = .zero
            view.translatesFrame = fresh.translatesFrame
        case .frameIn: view.handFrame = (view.handFrame.frame, nil)
        case .autoresizing: view.autoresizingMask = []
        case .text: copy(view, fresh, \Label.text)
        case .lines: copy(view, fresh, \Label.numberOfLines)
        case .align: copy(view, fresh, \Label.textAlignment)
        case .preferredWidth: copy(view, fresh, \Label.preferredMaxLayoutWidth)
        case .axis: copy(view, fresh, \StackView.axis)
        case .distribution: copy(view, fresh, \StackView.distribution)
        case .alignment: copy(view, fresh, \StackView.alignment)
        case .spacing:
            copy(view, fresh, \StackView.spacing)
            copy(view, fresh, \FlowView.spacing)
        case .customSpacing: (view as? StackView)?.removeCustomSpacings()
        case .arranged: (view as? StackView)?.explicitArrangement = nil
        case .contentOffset: (view as? ScrollView)?.contentOffset = .zero
        case .layoutMarginsRelativeArrangement:
            copy(view, fresh, \StackView.isLayoutMarginsRelativeArrangement)
        case .dynamicType: copy(view, fresh, \Label.adjustsFontForContentSizeCategory)
        case .traits: view.traitOverrides = TraitOverrides()
        case .insetsLayoutMarginsFromSafeArea: view.insetsLayoutMarginsFromSafeArea = true
        case .preservesSuperviewLayoutMargins: view.preservesSuperviewLayoutMargins = false
        case .keyboardUsesBottomSafeArea: view.keyboardUsesBottomSafeArea = true
        case .minimumContentSizeCategory: view.minimumContentSizeCategory = nil
        case .maximumContentSizeCategory: view.maximumContentSizeCategory = nil
        case .installed: view.isInstalled = true
        // What only shows is read from the properties, a view's kind cannot be put back, and without variations the
        // properties pass goes back to what is given.
        case .kind, .background, .foreground, .border, .opacity, .clips, .variations: break
        }
    }

    /// Copies a property where both views are of the kind that has it.
    private func copy<Kind: View, Value>(
        _ view: View, _ fresh: View, _ path: ReferenceWritableKeyPath<Kind, Value>
    ) {
        guard let view = view as? Kind, let fresh = fresh as? Kind else { return }
        view[keyPath: path] = fresh[keyPath: path]
    }
}

extension SceneModel {
    /// Makes properties what they are when they are not given.
    func resetView(_ id: String, _ keys: [ViewKey]) throws(Refusal) {
        let node = try node(id)
        guard node.view !== window else {
            throw Refusal(
                code: .notEditable,
                message: "\"root\" has no properties of its own; its size is set by setViewport")
        }
        // A view that was given nothing knows the defaults of its kind.
        var kind = ViewProperties()
        kind.kind = node.properties.kind
        let fresh = makeView(id, kind)
        let varied = node.variedKeys
        for key in keys where !varied.contains(key) { key.reset(node.view, like: fresh) }
        node.properties.remove(keys)
        // The superview's size says nothing without the frame that belongs to it.
        if node.properties.frame == nil { node.properties.frameIn = nil }
        followVariations(node)
        pending.markContent(node)
    }
}
