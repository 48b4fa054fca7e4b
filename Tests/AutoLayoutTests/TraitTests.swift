import AutoLayout
import ConstraintLanguage
import Testing

/// Statements about traits, by their ids; sources are named where the engine implements them.
@Suite("Traits")
struct TraitTests {
    private func traits(_ change: (inout TraitValues) -> Void) -> TraitValues {
        var values = TraitValues()
        change(&values)
        return values
    }

    private func window(_ change: (inout TraitValues) -> Void = { _ in }) -> Window {
        Window(size: Size(width: 400, height: 300), traits: traits(change))
    }

    private func child(_ name: String, of superview: View) throws -> View {
        let view = View(identifier: name)
        try superview.addSubview(view)
        return view
    }

    @Test("[TRAIT-1, TRAIT-2] an override shows in its view and below, not beside and not above")
    func inheritance() throws {
        let window = window { $0.horizontalSizeClass = .regular }
        let (left, right) = (try child("left", of: window), try child("right", of: window))
        let inner = try child("inner", of: left)
        left.traitOverrides.horizontalSizeClass = .compact
        try window.runCycle()
        #expect(window.traitCollection.horizontalSizeClass == .regular)
        #expect(right.traitCollection.horizontalSizeClass == .regular)
        #expect(left.traitCollection.horizontalSizeClass == .compact)
        #expect(inner.traitCollection.horizontalSizeClass == .compact)
    }

    @Test("[TRA-2] a controller takes its traits from the superview of its view")
    func controllers() throws {
        let window = window { $0.userInterfaceStyle = .light }
        let between = try child("between", of: window)
        let controller = ViewController(identifier: "inner")
        try between.addSubview(controller.view)
        between.traitOverrides.userInterfaceStyle = .dark
        try window.runCycle()
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
    }

    @Test("[TRAIT-3, TRA-5] an override that was removed, or never set, leaves what is inherited")
    func removal() throws {
        let window = window { $0.userInterfaceStyle = .light }
        let view = try child("view", of: window)
        #expect(view.traitOverrides.userInterfaceStyle == nil)
        view.traitOverrides.userInterfaceStyle = .dark
        try window.runCycle()
        #expect(view.traitOverrides.contains(.userInterfaceStyle))
        #expect(view.traitCollection.userInterfaceStyle == .dark)
        view.traitOverrides.remove(.userInterfaceStyle)
        try window.runCycle()
        #expect(view.traitCollection.userInterfaceStyle == .light)
    }

    @Test("[TRA-6] an override with the value already in force calls nothing")
    func equalOverride() throws {
        let window = window { $0.userInterfaceStyle = .light }
        let view = try child("view", of: window)
        var calls = 0
        view.registerForTraitChanges(Trait.allCases) { _, _ in calls += 1 }
        view.traitOverrides.userInterfaceStyle = .light
        try window.runCycle()
        #expect(calls == 0)
    }

    @Test("[TRAIT-4] a collection of nothing is unspecified, and merging takes what is specified")
    func unspecified() {
        let none = TraitCollection()
        #expect(none.horizontalSizeClass == .unspecified)
        #expect(none.displayScale == 0)
        #expect(none.layoutDirection == nil)
        var values = traits {
            $0.idiom = .phone
            $0.displayScale = 2
        }
        values.merge(traits { $0.displayScale = 3 })
        #expect(values.idiom == .phone)
        #expect(values.displayScale == 3)
    }

    @Test("[TRA-10] a view that left keeps its traits until it is shown elsewhere")
    func detached() throws {
        let window = window { $0.idiom = .pad }
        let view = try child("view", of: window)
        try window.runCycle()
        view.removeFromSuperview()
        #expect(view.traitCollection.userInterfaceIdiom == .pad)
        let other = self.window { $0.idiom = .tv }
        try other.addSubview(view)
        try other.runCycle()
        #expect(view.traitCollection.userInterfaceIdiom == .tv)
    }

    @Test("[TRAIT-5] layoutSubviews sees the traits of its own cycle")
    func beforeLayout() throws {
        let window = window { $0.idiom = .pad }
        let view = RecordingView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        try window.addSubview(view)
        try window.runCycle()
        var seen: [UserInterfaceIdiom] = []
        view.onLayoutSubviews = { seen.append(view.traitCollection.userInterfaceIdiom) }
        window.screenTraits.idiom = .tv
        view.setNeedsLayout()
        try window.runCycle()
        #expect(seen == [.tv])
    }

    @Test(
        "[TRA-12, TRA-20] handlers run from the top down; views below still have their old traits")
    func order() throws {
        let window = window { $0.idiom = .pad }
        let (left, right) = (try child("left", of: window), try child("right", of: window))
        let inner = try child("inner", of: left)
        var log: [String] = []
        for view in [right, inner, left] {
            view.registerForTraitChanges([.idiom]) { view, _ in
                log.append("\(view.identifier) \(view.traitCollection.userInterfaceIdiom)")
                if view === left {
                    log.append("below \(inner.traitCollection.userInterfaceIdiom)")
                }
            }
        }
        left.registerForTraitChanges([.idiom]) { _, _ in log.append("again") }
        try window.runCycle()
        window.screenTraits.idiom = .tv
        try window.runCycle()
        #expect(log == ["left tv", "below pad", "again", "inner tv", "right tv"])
    }

    @Test("[TRA-13] updateTraitsIfNeeded calls handlers before it returns")
    func now() throws {
        let window = window { $0.idiom = .pad }
        let view = try child("view", of: window)
        var calls = 0
        view.registerForTraitChanges([.idiom]) { _, _ in calls += 1 }
        view.traitOverrides.userInterfaceIdiom = .phone
        #expect(view.traitCollection.userInterfaceIdiom == .pad, "[TRA-14]")
        view.updateTraitsIfNeeded()
        #expect(calls == 1)
        #expect(view.traitCollection.userInterfaceIdiom == .phone)
        try window.runCycle()
        #expect(calls == 1)
    }

    @Test("[TRA-15, TRA-16] one call for several registered traits, with the collection before")
    func handlers() throws {
        let window = window {
            $0.idiom = .pad
            $0.displayScale = 2
        }
        let view = try child("view", of: window)
        var previous: [TraitCollection] = []
        view.registerForTraitChanges([.idiom, .displayScale]) { previous.append($1) }
        try window.runCycle()
        window.screenTraits.userInterfaceStyle = .dark
        try window.runCycle()
        #expect(previous.isEmpty)
        window.screenTraits.idiom = .tv
        window.screenTraits.displayScale = 1
        try window.runCycle()
        #expect(previous.count == 1)
        #expect(previous.first?.userInterfaceIdiom == .pad)
        #expect(previous.first?.displayScale == 2)
    }

    @Test("[TRA-17, TRA-18, TRA-22] only a change calls, and only while registered")
    func registration() throws {
        let window = window { $0.idiom = .pad }
        let view = View(identifier: "view")
        var calls = 0
        let registration = view.registerForTraitChanges([.idiom]) { _, _ in calls += 1 }
        try window.addSubview(view)
        try window.runCycle()
        #expect(calls == 0)
        window.screenTraits.idiom = .tv
        try window.runCycle()
        #expect(calls == 1)
        view.unregisterForTraitChanges(registration)
        window.screenTraits.idiom = .phone
        try window.runCycle()
        #expect(calls == 1)
    }

    @Test("[TRA-19] a trait that went and came back within a turn calls nothing")
    func thereAndBack() throws {
        let window = window { $0.idiom = .pad }
        var calls = 0
        window.registerForTraitChanges([.idiom]) { _, _ in calls += 1 }
        try window.runCycle()
        window.screenTraits.idiom = .tv
        window.screenTraits.idiom = .pad
        try window.runCycle()
        #expect(calls == 0)
    }

    @Test("[TRAIT-6] a direction set for a subtree mirrors what lies in it, and nothing else")
    func direction() throws {
        let window = window { $0.layoutDirection = .leftToRight }
        let (left, right) = (try child("left", of: window), try child("right", of: window))
        for box in [left, right] {
            let inner = try child("inner", of: box)
            try LayoutConstraint.activate([
                box.leftAnchor.constraint(equalTo: window.leftAnchor),
                box.topAnchor.constraint(equalTo: window.topAnchor),
                box.widthAnchor.constraint(equalToConstant: 100),
                box.heightAnchor.constraint(equalToConstant: 20),
                inner.leadingAnchor.constraint(equalTo: box.leadingAnchor),
                inner.topAnchor.constraint(equalTo: box.topAnchor),
                inner.widthAnchor.constraint(equalToConstant: 30),
                inner.heightAnchor.constraint(equalToConstant: 20),
            ])
        }
        right.traitOverrides.layoutDirection = .rightToLeft
        try window.runCycle()
        #expect(left.subviews[0].frame.minX == 0)
        #expect(right.subviews[0].frame.minX == 70)
        right.traitOverrides.layoutDirection = nil
        try window.runCycle()
        #expect(right.subviews[0].frame.minX == 0)
    }

    @Test("[TRA-25] handlers that keep changing traits end the cycle; the error names the view")
    func loop() throws {
        let window = window { $0.userInterfaceStyle = .light }
        let view = try child("view", of: window)
        view.registerForTraitChanges([.userInterfaceStyle]) { view, _ in
            let isDark = view.traitCollection.userInterfaceStyle == .dark
            view.traitOverrides.userInterfaceStyle = isDark ? .light : .dark
        }
        try window.runCycle()
        view.traitOverrides.userInterfaceStyle = .dark
        #expect(throws: LayoutError.traitLoop(view: "view")) { try window.runCycle() }
        // The session goes on.
        try window.runCycle()
    }

    @Test("[TRA-25] a handler that sets an override once is served in the same update")
    func furtherRound() throws {
        let window = window { $0.idiom = .pad }
        let view = try child("view", of: window)
        view.registerForTraitChanges([.idiom]) { view, _ in
            view.traitOverrides.horizontalSizeClass = .compact
        }
        try window.runCycle()
        window.screenTraits.idiom = .phone
        try window.runCycle()
        #expect(view.traitCollection.horizontalSizeClass == .compact)
    }

    @Test("[TRA-26, TRA-28] a trait calls a method again as long as its last call read it")
    func tracking() throws {
        let window = window {
            $0.idiom = .pad
            $0.userInterfaceStyle = .light
        }
        let view = RecordingView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        try window.addSubview(view)
        var layouts = 0
        var draws = 0
        var updates = 0
        var readsIdiom = true
        view.draws = true
        view.onUpdateConstraints = {
            updates += 1
            _ = view.traitCollection.displayScale
        }
        view.onLayoutSubviews = {
            layouts += 1
            if readsIdiom { _ = view.traitCollection.userInterfaceIdiom }
        }
        view.onDraw = { _ in
            draws += 1
            _ = view.traitCollection.userInterfaceStyle
        }
        try window.runCycle()
        func change(_ body: (inout TraitValues) -> Void) throws -> [Int] {
            (layouts, draws, updates) = (0, 0, 0)
            body(&window.screenTraits)
            try window.runCycle()
            return [updates, layouts, draws]
        }
        #expect(try change { $0.horizontalSizeClass = .compact } == [0, 0, 0])
        #expect(try change { $0.userInterfaceStyle = .dark } == [0, 0, 1])
        #expect(try change { $0.displayScale = 2 } == [1, 0, 0])
        readsIdiom = false
        #expect(try change { $0.idiom = .tv } == [0, 1, 0])
        #expect(try change { $0.idiom = .pad } == [0, 0, 0])
    }

    @Test("[TRA-27] reads of another view's traits, and those after the call, do not count")
    func onlyOwn() throws {
        let window = window { $0.idiom = .pad }
        let view = RecordingView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        try window.addSubview(view)
        var layouts = 0
        var kept: TraitCollection?
        view.onLayoutSubviews = {
            layouts += 1
            _ = window.traitCollection.userInterfaceIdiom
            kept = view.traitCollection
        }
        try window.runCycle()
        layouts = 0
        #expect(kept?.userInterfaceIdiom == .pad)
        window.screenTraits.idiom = .tv
        try window.runCycle()
        #expect(layouts == 0)
    }

    @Test("[TRAIT-10, TRA-35] labels that adapt take the size of their own category; others stay")
    func textSizes() throws {
        let window = window()
        let (adapting, fixed) = (Label("four"), Label("four"))
        adapting.adjustsFontForContentSizeCategory = true
        let pinned = View()
        let inner = Label("four")
        inner.adjustsFontForContentSizeCategory = true
        for view in [adapting, fixed, pinned] { try window.addSubview(view) }
        try pinned.addSubview(inner)
        pinned.traitOverrides.preferredContentSizeCategory = .large
        try window.runCycle()
        #expect(adapting.intrinsicContentSize == Size(width: 32, height: 16))
        // The table of Dynamic Type on a grid: 10 × 20 at XXL, 16 × 31 at AX2.
        window.screenTraits.contentSizeCategory = .extraExtraLarge
        try window.runCycle()
        #expect(adapting.intrinsicContentSize == Size(width: 40, height: 20))
        #expect(fixed.intrinsicContentSize == Size(width: 32, height: 16))
        #expect(inner.intrinsicContentSize == Size(width: 32, height: 16))
        window.screenTraits.contentSizeCategory = .accessibilityLarge
        try window.runCycle()
        #expect(adapting.intrinsicContentSize == Size(width: 64, height: 31))
        let added = Label("four")
        added.adjustsFontForContentSizeCategory = true
        try window.addSubview(added)
        #expect(added.intrinsicContentSize == Size(width: 64, height: 31))
    }

    @Test(
        "the cell of each category is that of the table",
        arguments: zip(
            ContentSizeCategory.allCases.dropFirst(),
            [
                (7, 13), (7, 14), (8, 15), (8, 16), (9, 18), (10, 20), (11, 22), (13, 26), (16, 31),
                (19, 38), (22, 44), (25, 50),
            ]))
    func cells(category: ContentSizeCategory, cell: (Int, Int)) {
        #expect(
            category.scaled(Size(width: 8, height: 16))
                == Size(width: Double(cell.0), height: Double(cell.1)))
    }

    @Test("[TRA-36] a subtree can be kept from very small and very large text")
    func clamped() throws {
        let window = window { $0.contentSizeCategory = .accessibilityLarge }
        let view = try child("view", of: window)
        view.maximumContentSizeCategory = .extraLarge
        try window.runCycle()
        #expect(view.traitCollection.preferredContentSizeCategory == .extraLarge)
        view.maximumContentSizeCategory = nil
        view.minimumContentSizeCategory = .medium
        window.screenTraits.contentSizeCategory = .extraSmall
        try window.runCycle()
        #expect(view.traitCollection.preferredContentSizeCategory == .medium)
    }

    @Test(
        "[TRA-32] a window's class goes by its width, and each begins with its border",
        arguments: [
            (0.0, WindowClass.compact), (599.99, .compact), (600, .medium), (839.99, .medium),
            (840, .expanded), (1199.99, .expanded), (1200, .large), (1600, .extraLarge),
            (1e5, .extraLarge),
        ])
    func windowClass(width: Double, expected: WindowClass) {
        #expect(WindowClass(width: width) == expected)
    }
}
