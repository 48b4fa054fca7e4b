import LayoutValues
import SeededRandom
import Testing

@testable import AutoLayout

/// Faces whose numbers are easy to reckon with: each scalar is half an em wide, a space a quarter,
/// a soft hyphen nothing; lines are 1.25 em high, 1 em of it above the baseline.
private final class HalfEmFaces: TextMeasurer {
    static let em = TextAdvance.unitsPerEm
    private(set) var questions = 0

    func advance(of word: Substring, weight: FontWeight) -> TextAdvance {
        questions += 1
        let scalars = word.unicodeScalars.filter { $0 != "\u{AD}" }
        return TextAdvance(
            units: scalars.count * Self.em / 2, isFitted: scalars.contains { $0.value > 0xFFFF })
    }

    func lineMetrics(weight: FontWeight) -> LineMetrics {
        LineMetrics(ascender: Self.em, descender: -Self.em / 4, leading: 0, space: Self.em / 4)
    }
}

@Suite("Text in faces")
struct FaceTextTests {
    private let faces = HalfEmFaces()

    private func setting(size: Int = 16, scale: Double = 1) -> FaceTypesetting {
        FaceTypesetting(
            measurer: faces, font: Font(weight: .regular, size64: size * 64), scale: scale)
    }

    /// Lines at 16 points, where a character is 8 points wide and a space 4.
    private func lines(
        _ text: String, _ width: Double?, maximum: Int = 0,
        mode: LineBreakMode = .byTruncatingTail
    ) -> [String] {
        let setting = setting()
        return setting.lines(
            of: text, limit: width.map(setting.limit), maximum: maximum, mode: mode
        ).map(\.text)
    }

    private func line(_ text: String, _ width: Double, _ mode: LineBreakMode) -> String {
        let setting = setting()
        return setting.line(of: text, limit: setting.limit(in: width), mode: mode).text
    }

    @Test("a line takes as many words as fit, to the unit")
    func wrapping() {
        // ab cd is 4 × 8 + 4 = 36 points.
        #expect(lines("ab cd ef", 36) == ["ab cd", "ef"])
        #expect(lines("ab cd ef", 35.99) == ["ab", "cd", "ef"])
        #expect(lines("ab cd ef", nil) == ["ab cd ef"])
        #expect(lines("ab  cd", 16) == ["ab", "cd"])
        #expect(lines("ab\ncd\n", 100) == ["ab", "cd", ""])
        #expect(lines("", 100) == [""])
        #expect(lines("a\r\nb\u{2028}c", 100) == ["a", "b", "c"])
    }

    @Test("words break where the algorithm allows it, and anywhere where nothing else fits")
    func insideWords() {
        #expect(lines("ab-cd ef", 24) == ["ab-", "cd", "ef"])
        #expect(lines("Do\u{AD}nau", 24) == ["Do-", "nau"])
        #expect(lines("Do\u{AD}nau", 100) == ["Do\u{AD}nau"])
        #expect(lines("abcdefgh", 24) == ["abc", "def", "gh"])
        #expect(lines("abcdef", 1) == ["a", "b", "c", "d", "e", "f"])
        #expect(lines("日本語", 16) == ["日本", "語"])
        #expect(lines("ab\u{A0}cd", 24) == ["ab\u{A0}", "cd"])
        #expect(lines("ab cdef", 28, mode: .byCharWrapping) == ["ab c", "def"])
    }

    @Test("what does not fit is cut where the mode says")
    func truncation() {
        #expect(line("abcdef", 32, .byTruncatingTail) == "abc…")
        #expect(line("abcdef", 32, .byTruncatingHead) == "…def")
        #expect(line("abcdef", 32, .byTruncatingMiddle) == "ab…f")
        #expect(line("abcdef", 32, .byClipping) == "abcdef")
        #expect(line("ab cdef", 32, .byWordWrapping) == "ab")
        #expect(line("abcdef", 32, .byCharWrapping) == "abcd")
        #expect(line("abcdef", 48, .byTruncatingTail) == "abcdef")
        #expect(line("ab cdef", 30, .byTruncatingTail) == "ab…")
        #expect(line("abcdef", 1, .byTruncatingTail) == "…")
        #expect(line("ab\ncd", 100, .byTruncatingTail) == "ab…")
        #expect(
            line("e\u{301}e\u{301}e\u{301}e\u{301}", 48, .byTruncatingTail) == "e\u{301}e\u{301}…")
        #expect(lines("ab cd ef", 36, maximum: 1) == ["ab c…"])
        #expect(lines("ab cd ef", 16, maximum: 2) == ["ab", "c…"])
        #expect(lines("ab cd ef", 16, maximum: 2, mode: .byWordWrapping) == ["ab", "cd"])
    }

    @Test("lengths go to pixels: widths and lines up, baselines to the nearest")
    func pixels() {
        let setting = setting(size: 15, scale: 2)
        // Three characters: 22.5 points; a line: 18.75; the ascent: 15.
        #expect(setting.width(of: 3 * HalfEmFaces.em / 2) == 22.5)
        #expect(setting.lineHeight == 19)
        #expect(setting.ascent == 15)
        let odd = self.setting(size: 13, scale: 3)
        // 16.25 points are 48.75 pixels.
        #expect(odd.lineHeight == 49.0 / 3)
        #expect(odd.width(of: HalfEmFaces.em / 2) == 20.0 / 3)
    }

    @Test("a long text of one word asks for a bounded number of pieces")
    func bounded() {
        let text = String(repeating: "a", count: 65_536)
        let setting = setting()
        let made = setting.lines(
            of: text, limit: setting.limit(in: 80), maximum: 0, mode: .byTruncatingTail)
        #expect(made.count == 6554)
        #expect(faces.questions < 200_000)
    }

    // MARK: Views

    private func window(_ scale: Double = 2) -> Window {
        var traits = TraitValues()
        traits.typography = .faces
        traits.displayScale = scale
        let window = Window(size: Size(width: 390, height: 844), traits: traits)
        window.textMeasurer = faces
        return window
    }

    @Test("a label has the size of its text style, and follows what people want")
    func styles() throws {
        let window = window()
        let label = Label("abcd", identifier: "label")
        label.adjustsFontForContentSizeCategory = true
        try window.addSubview(label)
        try window.runCycle()
        // Body: 17 points; four characters are 34, a line 21.25.
        #expect(label.intrinsicContentSize == Size(width: 34, height: 21.5))
        label.font = FontDescriptor(textStyle: .title1)
        #expect(label.intrinsicContentSize == Size(width: 56, height: 35))
        label.font = FontDescriptor(pointSize: 10)
        #expect(label.intrinsicContentSize == Size(width: 20, height: 12.5))
        window.screenTraits.contentSizeCategory = .accessibilityExtraExtraExtraLarge
        label.font = FontDescriptor(textStyle: .title1)
        try window.runCycle()
        #expect(label.intrinsicContentSize == Size(width: 116, height: 72.5))
        window.screenTraits.typography = .grid
        try window.runCycle()
        #expect(label.face == nil)
        #expect(label.intrinsicContentSize == Size(width: 100, height: 50))
    }

    @Test("baselines are those of the face")
    func baselines() throws {
        let window = window()
        let big = Label("Big", identifier: "big")
        big.font = FontDescriptor(pointSize: 32)
        let small = Label("small", identifier: "small")
        small.font = FontDescriptor(pointSize: 16)
        try window.addSubview(big)
        try window.addSubview(small)
        try LayoutConstraint.activate([
            big.topAnchor.constraint(equalTo: window.topAnchor),
            small.firstBaselineAnchor.constraint(equalTo: big.firstBaselineAnchor),
        ])
        try window.runCycle()
        #expect(small.frame.minY == 16)
        #expect(
            big.face
                == DrawnFace(
                    font: Font(weight: .regular, size64: 2048), ascent: 32, isFitted: false))
    }

    @Test("text of one line shrinks to the least of its sizes before it is cut")
    func shrinking() throws {
        let window = window(1)
        let label = Label("abcdefgh", identifier: "label")
        label.font = FontDescriptor(pointSize: 16)
        label.minimumScaleFactor = 0.5
        try window.addSubview(label)
        let width = label.widthAnchor.constraint(equalToConstant: 48)
        try LayoutConstraint.activate([width])
        try window.runCycle()
        // 64 points have to fit 48: three quarters of the size.
        #expect(label.face?.font.size64 == 12 * 64)
        #expect(label.lines.map(\.text) == ["abcdefgh"])
        #expect(label.lines[0].width == 48)
        width.constant = 16
        try window.runCycle()
        #expect(label.face?.font.size64 == 8 * 64)
        #expect(label.lines.map(\.text) == ["abc…"])
    }

    /// Both the size of the label and its place are its constraints', so that no layout is due.
    @Test("lines are broken after the layout, and drawn where they are others")
    func linesFollowTheLayout() throws {
        let window = window(1)
        let label = Label("abcd", identifier: "label")
        label.font = FontDescriptor(pointSize: 16)
        try window.addSubview(label)
        try LayoutConstraint.activate([
            label.widthAnchor.constraint(equalToConstant: 32),
            label.heightAnchor.constraint(equalToConstant: 20),
        ])
        try window.runCycle()
        var drawn = 0
        let engine = try #require(label.engine)
        engine.displayObserver = { _, _ in drawn += 1 }
        label.text = "abcdefgh"
        #expect(window.hasPendingWork)
        #expect(label.lines.map(\.text) == ["abc…"])
        #expect(drawn == 0)
        try window.runCycle()
        #expect(label.lines.map(\.text) == ["abc…"])
        #expect(drawn == 1)
        label.text = "abcdefxy"
        try window.runCycle()
        #expect(drawn == 1)
        label.text = "abcd"
        label.text = "xy"
        try window.runCycle()
        #expect(label.lines.map(\.text) == ["xy"])
        #expect(drawn == 2)
        #expect(!window.hasPendingWork)
    }

    @Test("all that a label shows is measured in the cycle, of a hidden one too")
    func measuredInTheCycle() throws {
        let window = window(1)
        let label = Label("ab", identifier: "label")
        label.font = FontDescriptor(pointSize: 16)
        label.isHidden = true
        try window.addSubview(label)
        try LayoutConstraint.activate([label.widthAnchor.constraint(equalToConstant: 40)])
        try window.runCycle()
        for text in ["abcdefgh", "ab cd ef", "Do\u{AD}nau\u{AD}dampf"] {
            label.text = text
            try window.runCycle()
            let before = faces.questions
            #expect(label.lines.count == 1)
            #expect(faces.questions == before, "\(text)")
        }
    }

    @Test("controls have UIKit's sizes")
    func controls() throws {
        let window = window()
        let button = Button("abcd", identifier: "button")
        let field = TextField(identifier: "field")
        let toggle = Switch(identifier: "switch")
        let slider = Slider(identifier: "slider")
        let progress = ProgressView(identifier: "progress")
        let segmented = SegmentedControl(identifier: "segmented")
        segmented.segments = ["ab", "abcd"]
        for control in [button, field, toggle, slider, progress, segmented] as [Control] {
            try window.addSubview(control)
        }
        try window.runCycle()
        // 4 × 8.5 + 2 × 12, 21.5 + 2 × 7.
        #expect(button.intrinsicContentSize == Size(width: 58, height: 35.5))
        #expect(field.intrinsicContentSize == Size(width: 14, height: 34.5))
        // The frame of a switch is 51 points wide, of which constraints speak of 49.
        #expect(toggle.intrinsicContentSize == Size(width: 49, height: 31))
        #expect(toggle.alignmentInsets.trailing == 2)
        #expect(slider.intrinsicContentSize.height == 30)
        #expect(progress.intrinsicContentSize.height == 4)
        // Titles of 13 points: four characters are 26, with 12 beside them.
        #expect(segmented.intrinsicContentSize == Size(width: 2 * (26 + 24), height: 31))
        window.screenTraits.typography = .grid
        try window.runCycle()
        #expect(toggle.alignmentInsets == .zero)
        #expect(toggle.intrinsicContentSize == Size(width: 40, height: 16))
    }

    @Test("a label at its own size never wraps or is cut, at any scale and place")
    func ownSize() throws {
        var random = SplitMix64(seed: 63)
        for round in 0..<400 {
            let scale = [1, 1.5, 2, 2.75, 3][round % 5]
            let window = window(scale)
            let count = Int.random(in: 1...40, using: &random)
            let text = String(
                (0..<count).map { _ in "abc d-é日".randomElement(using: &random) ?? "a" })
            let label = Label(text, identifier: "label")
            label.numberOfLines = Bool.random(using: &random) ? 1 : 0
            label.font = FontDescriptor(pointSize: Double.random(in: 5...60, using: &random))
            try window.addSubview(label)
            let x = Double.random(in: 0...50, using: &random)
            try LayoutConstraint.activate([
                label.leftAnchor.constraint(equalTo: window.leftAnchor, constant: x),
                label.topAnchor.constraint(equalTo: window.topAnchor),
            ])
            try window.runCycle()
            let trimmed = text.reversed().drop { $0 == " " }.reversed()
            #expect(label.lines.map(\.text) == [String(trimmed)], "round \(round)")
        }
    }
}
