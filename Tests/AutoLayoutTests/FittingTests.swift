import AutoLayout
import ConstraintLanguage
import Testing

@Suite("Sizes that fit, ambiguity, formats")
struct FittingTests {
    let window = Window(size: Size(width: 300, height: 200))

    /// A card of a label with 10 points around it.
    private func card(_ text: String, lines: Int = 1) throws -> (View, Label) {
        let card = View(identifier: "card")
        let label = Label(text, identifier: "label")
        label.numberOfLines = lines
        try card.addSubview(label)
        try label.makeConstraints { make in make.edges.equalToSuperview().inset(10) }
        return (card, label)
    }

    @Test("the fitting size is that of the view's own constraints, whatever surrounds it")
    func fitting() throws {
        let (card, _) = try card("abcde")
        // Five cells of 8 and one of 16.
        #expect(
            card.systemLayoutSizeFitting(View.layoutFittingCompressedSize)
                == Size(width: 60, height: 36))
        try window.addSubview(card)
        try card.makeConstraints { make in make.edges.equalToSuperview() }
        window.layoutIfNeeded()
        #expect(card.frame.size == Size(width: 300, height: 200))
        #expect(
            card.systemLayoutSizeFitting(View.layoutFittingCompressedSize)
                == Size(width: 60, height: 36))
        #expect(card.frame.size == Size(width: 300, height: 200))
        #expect(!window.hasPendingWork || card.needsDisplay || window.needsDisplay)
        #expect(card.engineFrame.size == Size(width: 300, height: 200))
        #expect(
            card.systemLayoutSizeFitting(
                Size(width: 100, height: 0), withHorizontalFittingPriority: .required)
                == Size(width: 100, height: 36))
    }

    @Test("a label that wraps takes its height from the width asked for")
    func wrapping() throws {
        let (card, _) = try card("abcde fgh ij", lines: 0)
        #expect(
            card.systemLayoutSizeFitting(View.layoutFittingCompressedSize)
                == Size(width: 116, height: 36))
        // 60 leave 40 for the text: five cells, so three lines of 16.
        #expect(
            card.systemLayoutSizeFitting(
                Size(width: 60, height: 0), withHorizontalFittingPriority: .required)
                == Size(width: 60, height: 68))
    }

    @Test("a target that required constraints rule out gives way to these alone")
    func impossibleTarget() throws {
        let (card, label) = try card("abcde fgh ij", lines: 0)
        try window.addSubview(card)
        try card.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.width.lessThanOrEqualTo(60)
        }
        window.layoutIfNeeded()
        var reports = 0
        window.diagnosticHandler = { _ in reports += 1 }
        // As wide as may be, and not as wide as the text would be; 40 for the text are three lines
        // of 16.
        #expect(
            card.systemLayoutSizeFitting(
                Size(width: 200, height: 0), withHorizontalFittingPriority: .required)
                == Size(width: 60, height: 68))
        #expect(reports == 0)
        #expect(label.frame.size == Size(width: 40, height: 48))
    }

    @Test("a question about a size ends at its limit, and leaves the layout as it is")
    func limitedQuestion() throws {
        let (card, _) = try card("abcde")
        func ask() -> Size? {
            card.fittingSizeAsked(.zero, horizontal: .fittingSizeLevel, vertical: .fittingSizeLevel)
        }
        #expect(View().fittingSizeAsked(.zero, horizontal: 50, vertical: 50) == nil)
        try window.addSubview(card)
        try card.makeConstraints { make in make.edges.equalToSuperview() }
        try window.runCycle()
        let before = window.work
        #expect(ask() == Size(width: 60, height: 36))
        let price = window.work - before
        #expect(price > 0 && !window.hasPendingWork)
        window.questionLimit = window.work + price / 4
        #expect(ask() == nil)
        window.questionLimit = window.work + price
        #expect(ask() == Size(width: 60, height: 36))
        #expect(card.frame.size == Size(width: 300, height: 200) && !window.isExhausted)
    }

    @Test("a stack is fitted to its members before a cycle arranged them, a flow view to its rows")
    func containersFit() throws {
        let stack = StackView(
            frame: Rect(x: 3, y: 4, width: 200, height: 90), identifier: "stack")
        stack.axis = .vertical
        stack.spacing = 2
        try window.addSubview(stack)
        for text in ["abc", "de"] {
            try stack.addArrangedSubview(Label(text, identifier: text))
        }
        stack.sizeToFit()
        // The wider one has three cells of 8; two lines of 16 and the gap.
        #expect(stack.frame == Rect(x: 3, y: 4, width: 24, height: 34))
        try window.runCycle()
        #expect(stack.frame == Rect(x: 3, y: 4, width: 24, height: 34))
        let flow = FlowView(frame: Rect(x: 0, y: 0, width: 0, height: 0), identifier: "flow")
        flow.spacing = 4
        try window.addSubview(flow)
        for text in ["fgh", "ij", "klm"] {
            try flow.addSubview(Label(text, identifier: text))
        }
        window.layoutIfNeeded()
        // One row where there is no width: 24, 16 and 24 with two gaps.
        flow.sizeToFit()
        #expect(flow.frame.size == Size(width: 72, height: 16))
        #expect(flow.sizeThatFits(Size(width: 50, height: 0)) == Size(width: 44, height: 36))
        #expect(flow.sizeThatFits(Size(width: 10, height: 0)) == Size(width: 24, height: 56))
    }

    @Test("ambiguity is shown by another frame that does as well, and taken back")
    func ambiguity() throws {
        let view = View(identifier: "view")
        try window.addSubview(view)
        let left = view.leftAnchor.constraint(equalTo: window.leftAnchor)
        try LayoutConstraint.activate([
            left, view.topAnchor.constraint(equalTo: window.topAnchor),
            view.heightAnchor.constraint(equalToConstant: 20),
            view.widthAnchor.constraint(greaterThanOrEqualToConstant: 10),
            view.widthAnchor.constraint(lessThanOrEqualToConstant: 100),
        ])
        try window.runCycle()
        #expect(view.hasAmbiguousLayout)
        let first = view.frame
        #expect(view.exerciseAmbiguityInLayout())
        #expect(view.frame != first)
        #expect((10...100).contains(view.frame.width))
        #expect(view.frame.origin == first.origin)
        #expect(view.exerciseAmbiguityInLayout())
        #expect(view.frame == first)
        #expect(view.engineFrame == first)
        try view.widthAnchor.constraint(equalToConstant: 50).activate()
        try window.runCycle()
        #expect(!view.hasAmbiguousLayout)
        #expect(!view.exerciseAmbiguityInLayout())
        #expect(view.frame.width == 50)
    }

    @Test("constraintsAffectingLayout names what holds a view, by axis and age")
    func affecting() throws {
        let view = View(identifier: "view")
        try window.addSubview(view)
        let made = try view.makeConstraints { make in
            make.left.top.equalToSuperview().offset(3)
            make.width.equalTo(10)
            make.height.equalTo(20)
            make.width.equalTo(99).priority(100)
        }
        #expect(view.constraintsAffectingLayout(for: .horizontal).map(\.constant) == [3, 10])
        #expect(
            view.constraintsAffectingLayout(for: .vertical).map(ObjectIdentifier.init)
                == [made[1], made[3]].map(ObjectIdentifier.init))
    }

    @Test("rules and visual formats make constraints by name")
    func formats() throws {
        let (a, b) = (View(identifier: "a"), View(identifier: "b"))
        try window.addSubview(a)
        try window.addSubview(b)
        let items: [String: LayoutItem] = ["a": a, "b": b, "root": window]
        try LayoutConstraint.activate(
            LayoutConstraint.constraints(
                withVisualFormat: "H:|-[a(100)]-20-[b]-|", options: [.alignAllTop], items: items))
        try LayoutConstraint(rule: "a.top == root.margins.top + 4", items: items).activate()
        try LayoutConstraint(rule: "a.height == 0.5 * root.height", items: items).activate()
        try LayoutConstraint(rule: "b.height == 30 @500", items: items).activate()
        window.layoutIfNeeded()
        #expect(a.frame == Rect(x: 8, y: 12, width: 100, height: 100))
        #expect(b.frame == Rect(x: 128, y: 12, width: 164, height: 30))
        for text in ["a.left = b.left", "a.nothing == 3", "z.width == 3", "a.content.left == 0"] {
            #expect(throws: LayoutError.self) { try LayoutConstraint(rule: text, items: items) }
        }
        #expect(throws: LayoutError.self) {
            try LayoutConstraint.constraints(withVisualFormat: "H:|[z]|", items: items)
        }
        #expect(throws: LayoutError.self) {
            try LayoutConstraint.constraints(withVisualFormat: "H:|[a", items: items)
        }
    }

    @Test("views are put in front, behind and between, and coordinates converted")
    func conveniences() throws {
        let (a, b, c) = (View(identifier: "a"), View(identifier: "b"), View(identifier: "c"))
        try window.addSubview(a)
        try window.addSubview(b)
        try window.insertSubview(c, belowSubview: b)
        #expect(window.subviews.map(\.identifier) == ["a", "c", "b"])
        try window.bringSubviewToFront(a)
        #expect(window.subviews.map(\.identifier) == ["c", "b", "a"])
        try window.insertSubview(a, aboveSubview: c)
        #expect(window.subviews.map(\.identifier) == ["c", "a", "b"])
        try window.sendSubviewToBack(b)
        #expect(window.subviews.map(\.identifier) == ["b", "c", "a"])
        #expect(throws: LayoutError.self) {
            try window.insertSubview(a, aboveSubview: View(identifier: "x"))
        }
        let scroll = ScrollView(identifier: "scroll")
        try window.addSubview(scroll)
        try scroll.makeConstraints { make in
            make.left.top.equalToSuperview().offset(10)
            make.size.equalTo(50)
        }
        let inner = View(frame: Rect(x: 5, y: 100, width: 20, height: 20), identifier: "inner")
        try scroll.addSubview(inner)
        scroll.contentOffset = Point(x: 0, y: 90)
        window.layoutIfNeeded()
        #expect(inner.convert(Point(x: 1, y: 1), to: nil) == Point(x: 16, y: 21))
        #expect(inner.convert(Point.zero, to: scroll) == Point(x: 5, y: 100))
        #expect(
            inner.convert(Rect(x: 0, y: 0, width: 2, height: 2), to: a)
                == Rect(x: 15, y: 20, width: 2, height: 2))
        a.setContentHuggingPriority(300, for: .vertical)
        #expect(a.contentHuggingPriority == PriorityByAxis(250, 300))
        #expect(a.contentCompressionResistancePriority(for: .horizontal) == 750)
    }

    @Test("arranged subviews are added, inserted and taken out")
    func arranged() throws {
        let stack = StackView(identifier: "stack")
        try window.addSubview(stack)
        try stack.makeConstraints { make in make.left.top.equalToSuperview() }
        let labels = ["a", "bb", "ccc"].map { Label($0, identifier: $0) }
        try stack.addArrangedSubview(labels[0])
        try stack.addArrangedSubview(labels[2])
        try stack.insertArrangedSubview(labels[1], at: 1)
        try window.runCycle()
        #expect(labels.map(\.frame.minX) == [0, 8, 24])
        #expect(stack.frame.size == Size(width: 48, height: 16))
        stack.removeArrangedSubview(labels[1])
        try labels[1].makeConstraints { make in make.left.top.equalToSuperview() }
        try window.runCycle()
        #expect(labels.map(\.frame.minX) == [0, 0, 8])
        #expect(stack.arrangedSubviews.map(\.identifier) == ["a", "ccc"])
        #expect(labels[1].superview === stack)
    }
}
