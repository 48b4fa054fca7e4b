import AutoLayout
import ConstraintLanguage
import Testing

/// `box` fills 10...210 × 20...120 of a window of 300 × 200 and holds `view`.
@Suite("The builder")
struct BuilderTests {
    let window = Window(size: Size(width: 300, height: 200))
    let box = View(identifier: "box")
    let view = View(identifier: "view")

    init() throws {
        try window.addSubview(box)
        try box.addSubview(view)
        try box.makeConstraints { make in
            make.left.equalToSuperview().offset(10)
            make.top.equalTo(20)
            make.size.equalTo(Size(width: 200, height: 100))
        }
    }

    @Test("[DSL-1] [LAY-12] makeConstraints installs at once; frames come with the layout")
    func make() throws {
        let made = try view.makeConstraints { make in
            make.leading.top.equalToSuperview().inset(5)
            make.width.equalTo(box.widthAnchor).multipliedBy(0.5).offset(3)
            make.height.equalTo(40)
        }
        #expect(made.count == 4)
        #expect(made.allSatisfy { $0.isActive })
        #expect(view.frame == .zero)
        #expect(view.engineFrame == Rect(x: 5, y: 5, width: 103, height: 40))
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 5, y: 5, width: 103, height: 40))
        #expect(box.frame == Rect(x: 10, y: 20, width: 200, height: 100))
    }

    @Test(
        "[DSL-1] edges, center and size are composites; insets point inwards, offsets do not turn")
    func composites() throws {
        try view.makeConstraints { make in
            make.edges.equalToSuperview().inset(
                EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4))
        }
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 2, y: 1, width: 194, height: 96))
        try view.remakeConstraints { make in
            make.center.equalTo(box).offset(6)
            make.size.equalTo(box).inset(10).dividedBy(2)
        }
        window.layoutIfNeeded()
        // 200 / 2 − 20 wide and 100 / 2 − 20 high; centres at 106 and 56.
        #expect(view.frame == Rect(x: 66, y: 41, width: 80, height: 30))
    }

    @Test("[DSL-1] inequalities, priorities and labels")
    func relations() throws {
        let made = try view.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.width.greaterThanOrEqualTo(30)
            make.width.lessThanOrEqualToSuperview()
            make.width.equalTo(500).priority(250).labeled("wish")
            make.height.equalTo(box.widthAnchor).multipliedBy(0.25)
        }
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 0, y: 0, width: 200, height: 50))
        #expect(made[4].identifier == "wish")
        #expect(made[4].priority == 250)
    }

    @Test(
        "[DSL-1] remakeConstraints removes what was made before, and keeps it if the new ones are refused"
    )
    func remake() throws {
        let first = try view.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.size.equalTo(20)
        }
        let own = view.widthAnchor.constraint(greaterThanOrEqualToConstant: 1)
        try own.activate()
        #expect(throws: LayoutError.self) {
            try view.remakeConstraints { make in
                make.width.equalTo(30)
                make.width.equalTo(40)
            }
        }
        #expect(first.allSatisfy { $0.isActive })
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 0, y: 0, width: 20, height: 20))
        try view.remakeConstraints { make in
            make.right.bottom.equalToSuperview()
            make.size.equalTo(Size(width: 30, height: 40))
        }
        #expect(first.allSatisfy { !$0.isActive })
        #expect(own.isActive)
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 170, y: 60, width: 30, height: 40))
        view.removeConstraints()
        #expect(view.hasAmbiguousLayout)
    }

    @Test("[DSL-1] updateConstraints changes constants, and fails clearly when nothing matches")
    func update() throws {
        let made = try view.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.width.equalTo(20)
            make.height.equalTo(20)
        }
        try view.updateConstraints { make in
            make.width.equalTo(55)
            make.left.equalToSuperview().offset(7)
        }
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 7, y: 0, width: 55, height: 20))
        #expect(made.allSatisfy { $0.isActive })
        #expect(throws: LayoutError.nothingToUpdate("view.right")) {
            try view.updateConstraints { make in
                make.width.equalTo(99)
                make.right.equalToSuperview()
            }
        }
        #expect(throws: LayoutError.nothingToUpdate("view.width")) {
            try view.updateConstraints { make in make.width.lessThanOrEqualTo(99) }
        }
        window.layoutIfNeeded()
        #expect(view.frame.width == 55)
    }

    @Test("[DSL-1] what makes no sense is refused with a reason, and nothing is in force")
    func mistakes() throws {
        let loose = View(identifier: "loose")
        #expect(throws: LayoutError.noSuperview("loose.left: loose has no superview")) {
            try loose.makeConstraints { make in make.left.equalToSuperview() }
        }
        #expect(throws: LayoutError.badDescription("view.left: the relation is missing")) {
            try view.makeConstraints { make in _ = make.left }
        }
        #expect(throws: LayoutError.badDescription("view.left: left cannot be compared with top")) {
            try view.makeConstraints { make in make.left.equalTo(box.topAnchor) }
        }
        #expect(throws: LayoutError.badDescription("view.left: left cannot be compared with width"))
        {
            try view.makeConstraints { make in make.left.equalTo(box.widthAnchor) }
        }
        #expect(throws: LayoutError.badDescription("view.top: top cannot be compared with a size"))
        {
            try view.makeConstraints { make in make.top.equalTo(Size(width: 1, height: 1)) }
        }
        #expect(view.constraintsAffectingLayout(for: .horizontal).isEmpty)
    }

    @Test("guides can be built for as well")
    func guide() throws {
        let guide = LayoutGuide(identifier: "guide")
        box.addLayoutGuide(guide)
        try guide.makeConstraints { make in make.edges.equalToSuperview().inset(10) }
        try view.makeConstraints { make in make.edges.equalTo(guide) }
        window.layoutIfNeeded()
        #expect(view.frame == Rect(x: 10, y: 10, width: 180, height: 80))
    }
}

/// Three views of 30, 50 and 20 × 10 in a window of 300 × 200.
@Suite("Guidelines, barriers and chains")
struct ChainTests {
    let window = Window(size: Size(width: 300, height: 200))
    let views = ["a", "b", "c"].map { View(identifier: $0) }

    init() throws {
        for (view, width) in zip(views, [30.0, 50, 20]) {
            try window.addSubview(view)
            try view.makeConstraints { make in
                make.top.equalToSuperview()
                make.size.equalTo(Size(width: width, height: 10)).priority(500)
            }
        }
    }

    private func lefts() -> [Double] {
        window.layoutIfNeeded()
        return views.map(\.frame.minX)
    }

    @Test("guidelines by points from either end and by a share")
    func guidelines() throws {
        let lines = try [GuidelinePosition.begin(40), .end(40), .fraction(0.25)].map {
            try window.addGuideline(at: $0, along: .horizontal)
        }
        for (view, line) in zip(views, lines) {
            try view.makeConstraints { make in make.left.equalTo(line.leadingAnchor) }
        }
        #expect(lefts() == [40, 260, 75])
        #expect(lines[2].layoutFrame == Rect(x: 75, y: 0, width: 0, height: 200))
        let level = try window.addGuideline(at: .fraction(0.5), along: .vertical)
        #expect(level.layoutFrame == Rect(x: 0, y: 100, width: 300, height: 0))
        window.viewportSize = Size(width: 400, height: 200)
        #expect(lefts() == [40, 360, 100])
    }

    @Test("a barrier lies beyond the farthest item and follows it")
    func barrier() throws {
        try views[0].makeConstraints { make in make.left.equalToSuperview().offset(5) }
        try views[1].makeConstraints { make in make.left.equalToSuperview().offset(20) }
        let barrier = try window.addBarrier(
            at: .trailing, of: [views[0], views[1]], margin: 6, identifier: "barrier")
        try views[2].makeConstraints { make in make.left.equalTo(barrier.rightAnchor) }
        #expect(lefts() == [5, 20, 76])
        #expect(!window.subviews.contains { $0.hasAmbiguousLayout })
        try views[0].updateConstraints { make in make.left.equalToSuperview().offset(100) }
        #expect(lefts() == [100, 20, 136])
        let near = try window.addBarrier(at: .left, of: [views[0], views[2]], margin: 1)
        #expect(near.layoutFrame.minX == 99)
        #expect(throws: LayoutError.self) { try window.addBarrier(at: .width, of: [views[0]]) }
        #expect(throws: LayoutError.self) { try window.addBarrier(at: .left, of: []) }
    }

    @Test("chains: spread, spread inside, packed with a bias, weighted")
    func chains() throws {
        // 100 of 300 are taken: four gaps of 50.
        var chain = try window.addChain(of: views, along: .horizontal)
        #expect(lefts() == [50, 130, 230])
        chain.remove()
        chain = try window.addChain(of: views, along: .horizontal, style: .spreadInside)
        #expect(lefts() == [0, 130, 280])
        chain.remove()
        // 180 are left beside two gaps of 10; a quarter of them before.
        chain = try window.addChain(
            of: views, along: .horizontal, style: .packed(bias: 0.25), spacing: 10)
        #expect(lefts() == [45, 85, 145])
        chain.remove()
        chain = try window.addChain(of: views, along: .horizontal, style: .packed(bias: 1))
        #expect(lefts() == [200, 230, 280])
        chain.remove()
        // 280 beside the gaps, in seven parts of 40.
        chain = try window.addChain(
            of: views, along: .horizontal, style: .weighted([1, 2, 4]), spacing: 10)
        #expect(lefts() == [0, 50, 140])
        #expect(views.map(\.frame.width) == [40, 80, 160])
        chain.remove()
        #expect(window.layoutGuides.isEmpty)
        #expect(throws: LayoutError.self) {
            try window.addChain(of: views, along: .horizontal, style: .weighted([1, 0, 1]))
        }
        #expect(throws: LayoutError.self) {
            try window.addChain(of: views, along: .horizontal, style: .packed(bias: .nan))
        }
        #expect(throws: LayoutError.self) { try window.addChain(of: [], along: .vertical) }
        #expect(window.layoutGuides.isEmpty)
    }
}
