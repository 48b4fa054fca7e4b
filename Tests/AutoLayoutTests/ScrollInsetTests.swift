import AutoLayout
import Testing

/// What a scroll view does with the safe area. Apple, `UIScrollView.adjustedContentInset`.
@Suite("Insets of scroll views")
struct ScrollInsetTests {
    private let window = Window(size: Size(width: 100, height: 200))
    private let scroll = ScrollView(identifier: "scroll")
    private let content = View(identifier: "content")
    private let height: LayoutConstraint

    init() throws {
        height = content.heightAnchor.constraint(equalToConstant: 500)
        window.screenSafeAreaInsets = EdgeInsets(top: 20, leading: 7, bottom: 10, trailing: 5)
        try window.addSubview(scroll)
        try scroll.addSubview(content)
        try LayoutConstraint.activate([
            scroll.leftAnchor.constraint(equalTo: window.leftAnchor),
            scroll.rightAnchor.constraint(equalTo: window.rightAnchor),
            scroll.topAnchor.constraint(equalTo: window.topAnchor),
            scroll.bottomAnchor.constraint(equalTo: window.bottomAnchor),
            content.leftAnchor.constraint(equalTo: scroll.leftAnchor),
            content.rightAnchor.constraint(equalTo: scroll.rightAnchor),
            content.topAnchor.constraint(equalTo: scroll.topAnchor),
            content.bottomAnchor.constraint(equalTo: scroll.bottomAnchor),
            content.widthAnchor.constraint(equalTo: scroll.widthAnchor), height,
        ])
    }

    @Test(
        "[AREA-12] the safe area is added along the axis that scrolls, and left to the content along the other"
    )
    func adjusted() throws {
        scroll.contentInset = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        try window.runCycle()
        #expect(
            scroll.adjustedContentInset
                == EdgeInsets(top: 21, leading: 2, bottom: 13, trailing: 4))
        #expect(scroll.safeAreaInsets == EdgeInsets(top: 20, leading: 7, bottom: 10, trailing: 5))
        #expect(content.safeAreaInsets == EdgeInsets(top: 0, leading: 7, bottom: 0, trailing: 5))
        scroll.contentInsetAdjustmentBehavior = .always
        try window.runCycle()
        #expect(
            scroll.adjustedContentInset
                == EdgeInsets(top: 21, leading: 9, bottom: 13, trailing: 9))
        #expect(content.safeAreaInsets == .zero)
        scroll.contentInsetAdjustmentBehavior = .never
        try window.runCycle()
        #expect(scroll.adjustedContentInset == scroll.contentInset)
        // From the edges of the content, however far it reaches.
        #expect(
            content.safeAreaInsets == EdgeInsets(top: 20, leading: 7, bottom: 10, trailing: 5))
    }

    @Test("[AREA-12] content as long as the view has the safe area, whatever it was before")
    func asLong() throws {
        try window.runCycle()
        #expect(content.safeAreaInsets.top == 0)
        try height.setConstant(200)
        try window.runCycle()
        #expect(
            content.safeAreaInsets == EdgeInsets(top: 20, leading: 7, bottom: 10, trailing: 5))
        #expect(scroll.adjustedContentInset == .zero)
        // Shorter content lies below what covers the view.
        try height.setConstant(150)
        try window.runCycle()
        #expect(content.safeAreaInsets.top == 0)
        #expect(scroll.contentOffset == Point(x: 0, y: -20))
    }

    @Test("[AREA-13] until it is scrolled, the content rests inside the insets and follows them")
    func rests() throws {
        try window.runCycle()
        #expect(scroll.contentOffset == Point(x: 0, y: -20))
        #expect(scroll.frameLayoutGuide.layoutFrame == Rect(x: 0, y: -20, width: 100, height: 200))
        window.screenSafeAreaInsets = EdgeInsets(top: 44, leading: 0, bottom: 0, trailing: 0)
        try window.runCycle()
        #expect(scroll.contentOffset == Point(x: 0, y: -44))
        scroll.contentOffset = Point(x: 3, y: 30)
        window.screenSafeAreaInsets = .zero
        try window.runCycle()
        #expect(scroll.contentOffset == Point(x: 3, y: 30))
        scroll.resetContentOffset()
        #expect(scroll.contentOffset == .zero)
        // Where text runs from the right, leading is there.
        scroll.contentInset = EdgeInsets(top: 0, leading: 8, bottom: 0, trailing: 6)
        #expect(scroll.contentOffset == Point(x: -8, y: 0))
        window.layoutDirection = .rightToLeft
        #expect(scroll.contentOffset == Point(x: -6, y: 0))
    }

    @Test(
        "[AREA-14] margins of a scroll view have no safe area where this is an inset of the content"
    )
    func margins() throws {
        let inner = View(identifier: "inner")
        try content.addSubview(inner)
        try LayoutConstraint.activate([
            inner.topAnchor.constraint(equalTo: scroll.layoutMarginsGuide.topAnchor),
            inner.leftAnchor.constraint(equalTo: scroll.layoutMarginsGuide.leftAnchor),
            inner.widthAnchor.constraint(equalToConstant: 1),
            inner.heightAnchor.constraint(equalToConstant: 1),
        ])
        try window.runCycle()
        // 8 above; 8 and the 7 that the content keeps across.
        #expect(inner.frame == Rect(x: 15, y: 8, width: 1, height: 1))
        scroll.contentInsetAdjustmentBehavior = .never
        try window.runCycle()
        #expect(inner.frame == Rect(x: 15, y: 28, width: 1, height: 1))
    }
}
