import AutoLayout
import SceneDocument

// Applies and resets a document's keys on views. Both switch over all keys without a default, so
// that a new key does not compile before it is handled.

extension ViewKey {
    /// The stage at which a property is applied.
    enum Stage {
        /// It determines how the view is made.
        case making
        /// Immediately, independent of other views.
        case alone
        /// After the view has a superview, whose size it refers to.
        case inSuperview
        /// After all views that it names exist.
        case amongSiblings
        /// Never: it is only part of the content sent to renderers.
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
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
            .alignmentInsets, .contentInset, .contentInsetAdjustmentBehavior,
            .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement,
            .textStyle, .fontSize, .fontWeight, .lineBreakMode, .minimumScaleFactor, .transform,
            .image, .symbol, .enabled, .selected, .value, .minimum, .maximum, .step, .placeholder,
            .segments:
            .alone
        case .autoresizing, .frameIn: .inSuperview
        case .arranged, .customSpacing: .amongSiblings
        // Variations are applied in the properties pass, by the keys that they set.
        case .background, .foreground, .border, .opacity, .clips, .variations: .content
        // They are only part of the interactions sent to renderers.
        case .events, .focusable, .continuous, .scrolls, .label, .role, .hint: .content
        case .cornerRadius, .maskedCorners, .borderWidth, .borderColor, .shadow, .gradient, .tint,
            .chart:
            .content
        }
    }

    /// The keys that are applied immediately, in their order.
    ///
    /// The order must never change: a simplex solution may depend on the order of changes, and
    /// replaying a journal must give the same frames.
    static let setAlone: [ViewKey] = [
        .collapses, .hidden, .contentMode, .hugging, .compression, .intrinsic, .baseline, .margins,
        .safeArea, .frame, .text, .lines, .align, .preferredWidth, .axis, .distribution,
        .alignment, .spacing, .contentOffset, .layoutMarginsRelativeArrangement, .dynamicType,
        .traits, .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
        .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
        .installed, .enabled, .selected, .minimum, .maximum, .step, .placeholder, .segments, .value,
        .alignmentInsets, .contentInset, .contentInsetAdjustmentBehavior,
        .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement,
        .textStyle, .fontSize, .fontWeight, .lineBreakMode, .minimumScaleFactor, .transform,
        .image, .symbol,
    ]

    /// Those of `setAlone` that `InteractionProperties` does not have.
    fileprivate static let setAloneOfLook = setAlone.filter { !$0.isOfInteraction }
}

extension ViewProperties {
    /// Applies the properties that need no other view; absent ones keep their values.
    func apply(to view: View) {
        for key in keysToSetAlone { apply(key, to: view) }
    }

    /// The keys that are applied immediately, in their order, without those that are certainly
    /// absent.
    var keysToSetAlone: [ViewKey] {
        hasInteraction ? ViewKey.setAlone : ViewKey.setAloneOfLook
    }

    /// Applies one key, if it is present and needs no other view.
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
        case .text:
            guard let text else { return }
            (view as? Label)?.text = text
            (view as? Button)?.title = text
        case .lines: if let lines { (view as? Label)?.numberOfLines = lines }
        case .align: if let align { (view as? TextContentView)?.textAlignment = align }
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
            (view as? TextContentView)?.adjustsFontForContentSizeCategory = dynamicType
            (view as? ImageView)?.adjustsFontForContentSizeCategory = dynamicType
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
        case .alignmentInsets:
            if let insets = rare.alignmentInsets { Self.setAlignmentInsets(insets, of: view) }
        case .contentInset:
            if let inset = rare.contentInset { (view as? ScrollView)?.contentInset = inset }
        case .contentInsetAdjustmentBehavior:
            guard let behavior = rare.contentInsetAdjustmentBehavior else { return }
            (view as? ScrollView)?.contentInsetAdjustmentBehavior = behavior
        case .layoutMarginsFollowReadableWidth:
            guard let follows = rare.layoutMarginsFollowReadableWidth else { return }
            view.layoutMarginsFollowReadableWidth = follows
        case .baselineRelativeArrangement:
            guard let relative = rare.baselineRelativeArrangement else { return }
            (view as? StackView)?.isBaselineRelativeArrangement = relative
        case .textStyle:
            guard let style = rare.textStyle else { return }
            (view as? TextContentView)?.font.textStyle = style
            (view as? ImageView)?.font.textStyle = style
        case .fontSize:
            guard let size = rare.fontSize else { return }
            (view as? TextContentView)?.font.pointSize = size
            (view as? ImageView)?.font.pointSize = size
        case .fontWeight:
            if let weight = rare.fontWeight { (view as? TextContentView)?.font.weight = weight }
        case .lineBreakMode:
            if let mode = rare.lineBreakMode { (view as? Label)?.lineBreakMode = mode }
        case .minimumScaleFactor:
            if let least = rare.minimumScaleFactor { (view as? Label)?.minimumScaleFactor = least }
        case .transform:
            guard hasLook, let transform = look.transform else { return }
            view.transform = transform.affine
        case .image:
            guard hasLook, let image = look.image else { return }
            (view as? ImageView)?.imageSize = image.size
        case .symbol:
            guard hasLook, look.symbol != nil else { return }
            (view as? ImageView)?.showsSymbol = true
            (view as? Button)?.showsSymbol = true
        case .enabled, .selected, .minimum, .maximum, .step, .placeholder, .segments, .value:
            if let control = view as? Control { interaction.apply(key, to: control) }
        case .kind, .autoresizing, .frameIn, .arranged, .customSpacing, .background, .foreground,
            .border, .opacity, .clips, .variations, .events, .focusable, .continuous, .scrolls,
            .label, .role, .hint, .cornerRadius, .maskedCorners, .borderWidth, .borderColor,
            .shadow, .gradient, .tint, .chart:
            break
        }
    }
}

extension ViewProperties {
    /// A control has insets of its own where it is given none.
    fileprivate static func setAlignmentInsets(_ insets: EdgeInsets, of view: View) {
        if let control = view as? Control {
            control.givenAlignmentInsets = insets
        } else {
            view.alignmentInsets = insets
        }
    }
}

extension InteractionProperties {
    /// Applies one key to a control, if it is present and the control has the property.
    fileprivate func apply(_ key: ViewKey, to control: Control) {
        switch key {
        case .enabled: if let enabled { control.isEnabled = enabled }
        case .selected: if let selected { control.isSelected = selected }
        case .value: if let value { control.value = value }
        case .minimum: if let minimum { (control as? RangedControl)?.minimumValue = minimum }
        case .maximum: if let maximum { (control as? RangedControl)?.maximumValue = maximum }
        case .step: if let step { (control as? Slider)?.step = step }
        case .placeholder: if let placeholder { (control as? TextField)?.placeholder = placeholder }
        case .segments: if let segments { (control as? SegmentedControl)?.segments = segments }
        case .events, .focusable, .continuous, .scrolls, .label, .role, .hint, .kind, .text, .lines,
            .align, .preferredWidth, .background, .foreground, .border, .opacity, .hidden, .clips,
            .contentMode, .collapses, .intrinsic, .hugging, .compression, .baseline, .margins,
            .safeArea, .frame, .frameIn, .autoresizing, .axis, .distribution, .alignment, .spacing,
            .customSpacing, .arranged, .contentOffset, .layoutMarginsRelativeArrangement,
            .dynamicType, .traits, .variations, .insetsLayoutMarginsFromSafeArea,
            .preservesSuperviewLayoutMargins, .keyboardUsesBottomSafeArea,
            .minimumContentSizeCategory, .maximumContentSizeCategory, .installed, .alignmentInsets,
            .contentInset, .contentInsetAdjustmentBehavior, .layoutMarginsFollowReadableWidth,
            .baselineRelativeArrangement, .textStyle, .fontSize, .fontWeight, .lineBreakMode,
            .minimumScaleFactor, .cornerRadius, .maskedCorners, .borderWidth, .borderColor, .shadow,
            .gradient, .tint, .transform, .image, .symbol, .chart:
            break
        }
    }
}

extension ViewKey {
    /// Resets a property to its default.
    ///
    /// - Parameter fresh: A view of the same kind with default properties.
    func reset(_ view: View, like fresh: View) {
        switch self {
        case .hidden: view.isHidden = false
        case .contentMode: view.contentMode = fresh.contentMode
        case .collapses: view.collapseAxes = []
        case .intrinsic: view.intrinsicContentSizeOverride = nil
        case .hugging: view.contentHuggingPriority = fresh.contentHuggingPriority
        case .compression:
            view.contentCompressionResistancePriority = fresh.contentCompressionResistancePriority
        case .baseline: view.resetBaselineOffsets()
        case .margins: view.layoutMargins = fresh.layoutMargins
        case .safeArea: view.safeAreaInsets = fresh.safeAreaInsets
        case .frame:
            view.frame = .zero
            view.translatesFrame = fresh.translatesFrame
        case .frameIn: view.handFrame = (view.handFrame.frame, nil)
        case .autoresizing: view.autoresizingMask = []
        case .text:
            copy(view, fresh) { (to: Label, from: Label) in to.text = from.text }
            copy(view, fresh) { (to: Button, from: Button) in to.title = from.title }
        case .lines:
            copy(view, fresh) { (to: Label, from: Label) in to.numberOfLines = from.numberOfLines }
        case .align:
            copy(view, fresh) { (to: TextContentView, from: TextContentView) in
                to.textAlignment = from.textAlignment
            }
        case .preferredWidth:
            copy(view, fresh) { (to: Label, from: Label) in
                to.preferredMaxLayoutWidth = from.preferredMaxLayoutWidth
            }
        case .axis: copy(view, fresh) { (to: StackView, from: StackView) in to.axis = from.axis }
        case .distribution:
            copy(view, fresh) { (to: StackView, from: StackView) in
                to.distribution = from.distribution
            }
        case .alignment:
            copy(view, fresh) { (to: StackView, from: StackView) in to.alignment = from.alignment }
        case .spacing:
            copy(view, fresh) { (to: StackView, from: StackView) in to.spacing = from.spacing }
            copy(view, fresh) { (to: FlowView, from: FlowView) in to.spacing = from.spacing }
        case .customSpacing: (view as? StackView)?.removeCustomSpacings()
        case .arranged: (view as? StackView)?.explicitArrangement = nil
        case .contentOffset: (view as? ScrollView)?.resetContentOffset()
        case .layoutMarginsRelativeArrangement:
            copy(view, fresh) { (to: StackView, from: StackView) in
                to.isLayoutMarginsRelativeArrangement = from.isLayoutMarginsRelativeArrangement
            }
        case .dynamicType:
            copy(view, fresh) { (to: TextContentView, from: TextContentView) in
                to.adjustsFontForContentSizeCategory = from.adjustsFontForContentSizeCategory
            }
            (view as? ImageView)?.adjustsFontForContentSizeCategory = true
        case .traits: view.traitOverrides = TraitOverrides()
        case .insetsLayoutMarginsFromSafeArea: view.insetsLayoutMarginsFromSafeArea = true
        case .preservesSuperviewLayoutMargins: view.preservesSuperviewLayoutMargins = false
        case .keyboardUsesBottomSafeArea: view.keyboardUsesBottomSafeArea = true
        case .minimumContentSizeCategory: view.minimumContentSizeCategory = nil
        case .maximumContentSizeCategory: view.maximumContentSizeCategory = nil
        case .installed: view.isInstalled = true
        case .alignmentInsets: ViewProperties.setAlignmentInsets(.zero, of: view)
        case .contentInset:
            copy(view, fresh) { (to: ScrollView, from: ScrollView) in
                to.contentInset = from.contentInset
            }
        case .contentInsetAdjustmentBehavior:
            copy(view, fresh) { (to: ScrollView, from: ScrollView) in
                to.contentInsetAdjustmentBehavior = from.contentInsetAdjustmentBehavior
            }
        case .layoutMarginsFollowReadableWidth: view.layoutMarginsFollowReadableWidth = false
        case .baselineRelativeArrangement:
            copy(view, fresh) { (to: StackView, from: StackView) in
                to.isBaselineRelativeArrangement = from.isBaselineRelativeArrangement
            }
        case .textStyle:
            copy(view, fresh) { (to: TextContentView, from: TextContentView) in
                to.font.textStyle = from.font.textStyle
            }
            (view as? ImageView)?.font.textStyle = nil
        case .fontSize:
            copy(view, fresh) { (to: TextContentView, from: TextContentView) in
                to.font.pointSize = from.font.pointSize
            }
            (view as? ImageView)?.font.pointSize = nil
        case .fontWeight:
            copy(view, fresh) { (to: TextContentView, from: TextContentView) in
                to.font.weight = from.font.weight
            }
        case .lineBreakMode:
            copy(view, fresh) { (to: Label, from: Label) in to.lineBreakMode = from.lineBreakMode }
        case .minimumScaleFactor:
            copy(view, fresh) { (to: Label, from: Label) in
                to.minimumScaleFactor = from.minimumScaleFactor
            }
        case .transform: view.transform = .identity
        case .image: (view as? ImageView)?.imageSize = nil
        case .symbol:
            (view as? ImageView)?.showsSymbol = false
            (view as? Button)?.showsSymbol = false
        case .enabled:
            copy(view, fresh) { (to: Control, from: Control) in to.isEnabled = from.isEnabled }
        case .selected:
            copy(view, fresh) { (to: Control, from: Control) in to.isSelected = from.isSelected }
        case .value: copy(view, fresh) { (to: Control, from: Control) in to.value = from.value }
        case .minimum:
            copy(view, fresh) { (to: RangedControl, from: RangedControl) in
                to.minimumValue = from.minimumValue
            }
        case .maximum:
            copy(view, fresh) { (to: RangedControl, from: RangedControl) in
                to.maximumValue = from.maximumValue
            }
        case .step: copy(view, fresh) { (to: Slider, from: Slider) in to.step = from.step }
        case .placeholder:
            copy(view, fresh) { (to: TextField, from: TextField) in
                to.placeholder = from.placeholder
            }
        case .segments:
            copy(view, fresh) { (to: SegmentedControl, from: SegmentedControl) in
                to.segments = from.segments
            }
        // Content is derived from the properties, a kind cannot be reset, and without variations
        // the properties pass restores the explicit values.
        case .kind, .background, .foreground, .border, .opacity, .clips, .variations, .events,
            .focusable, .continuous, .scrolls, .label, .role, .hint, .cornerRadius, .maskedCorners,
            .borderWidth, .borderColor, .shadow, .gradient, .tint, .chart:
            break
        }
    }

    /// Assigns a property of `fresh` to `view` if both are of the kind that has it.
    private func copy<Kind: View>(
        _ view: View, _ fresh: View, _ assign: (Kind, Kind) -> Void
    ) {
        guard let view = view as? Kind, let fresh = fresh as? Kind else { return }
        assign(view, fresh)
    }
}

extension SceneModel {
    /// Resets properties to their defaults.
    func resetView(_ id: String, _ keys: [ViewKey]) throws(Refusal) {
        let node = try node(id)
        guard node.view !== window else {
            throw Refusal(
                code: .notEditable,
                message: "\"root\" has no properties of its own; its size is set by setViewport")
        }
        // A new view has the defaults of its kind.
        var kind = ViewProperties()
        kind.kind = node.properties.kind
        let fresh = makeView(id, kind)
        let varied = node.variedKeys
        for key in keys where !varied.contains(key) { key.reset(node.view, like: fresh) }
        node.properties.remove(keys)
        if keys.contains(where: { $0.isOfInteraction }) { interactionLog.mark(id) }
        // The superview's size has no meaning without its frame.
        if node.properties.frame == nil { node.properties.frameIn = nil }
        followVariations(node)
        followLook(node)
        pending.markContent(node)
    }
}
