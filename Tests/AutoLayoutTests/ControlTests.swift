import AutoLayout
import Testing

/// What scenarios 700 to 716 do not say: where lines stand, what a control measures, and what is
/// drawn again.
@Suite("Controls")
struct ControlTests {
    private func shown(_ control: Control, columns: Double, rows: Double = 1) throws -> [TextLine] {
        let window = Window(size: Size(width: 800, height: 600))
        try window.addSubview(control)
        _ = try place(control, width: columns * 8, height: rows * 16)
        try window.runCycle()
        return control.lines
    }

    @Test("each has UIKit's wish for its size, on the grid")
    func sizes() {
        let segmented = SegmentedControl()
        segmented.segments = ["One", "日本"]
        let none = View.noIntrinsicMetric
        #expect(Button("OK").intrinsicContentSize == Size(width: 48, height: 16))
        #expect(Switch().intrinsicContentSize == Size(width: 40, height: 16))
        #expect(Slider().intrinsicContentSize == Size(width: none, height: 16))
        #expect(ProgressView().intrinsicContentSize == Size(width: none, height: 16))
        #expect(TextField().intrinsicContentSize == Size(width: none, height: 16))
        // 3 + 2, 4 + 2, and a separator.
        #expect(segmented.intrinsicContentSize == Size(width: 96, height: 16))
        #expect(SegmentedControl().intrinsicContentSize == Size(width: 0, height: 16))
        // What has no wish takes the width that it is asked for.
        #expect(Slider().sizeThatFits(Size(width: 90, height: 90)) == Size(width: 90, height: 16))
        #expect(Switch().sizeThatFits(Size(width: 90, height: 90)) == Size(width: 40, height: 16))
    }

    @Test("each hugs as Interface Builder has it")
    func priorities() {
        #expect(Button().contentHuggingPriority == .init(250, 250))
        #expect(Switch().contentHuggingPriority == .init(750, 750))
        #expect(Slider().contentHuggingPriority == .init(250, 250))
        #expect(TextField().contentHuggingPriority == .init(250, 250))
        #expect(SegmentedControl().contentHuggingPriority == .init(250, 250))
        #expect(ProgressView().contentHuggingPriority == .init(250, 750))
        #expect(Switch().contentCompressionResistancePriority == .init(750, 750))
    }

    @Test(
        "the row stands in the middle, and what is less wide than the control at its leading edge")
    func placement() throws {
        let control = Switch()
        #expect(
            try shown(control, columns: 10, rows: 3)
                == [TextLine(text: "○────", origin: Point(x: 0, y: 16), width: 40)])
        control.layoutDirection = .rightToLeft
        #expect(
            control.lines == [TextLine(text: "────○", origin: Point(x: 40, y: 16), width: 40)])
        // Four cells and a half: four are drawn, from the side where reading begins.
        let slider = Slider()
        slider.layoutDirection = .rightToLeft
        #expect(
            try shown(slider, columns: 4.5)
                == [TextLine(text: "───●", origin: Point(x: 4, y: 0), width: 32)])
    }

    @Test("the segments are one line, the first at the leading side")
    func segments() throws {
        let control = SegmentedControl()
        control.segments = ["A", "日本", "C"]
        control.value = .number(1)
        let origin = Point(x: 0, y: 0)
        #expect(
            try shown(control, columns: 14)
                == [TextLine(text: " A │[日本]│ C ", origin: origin, width: 112)])
        control.layoutDirection = .rightToLeft
        #expect(control.lines == [TextLine(text: " C │[日本]│ A ", origin: origin, width: 112)])
    }

    @Test("a text field's text stands where the alignment says")
    func textFields() throws {
        let field = TextField()
        field.text = "abc"
        #expect(try shown(field, columns: 8).first?.origin.x == 0)
        for (alignment, left, mirrored) in [
            (TextAlignment.natural, 0.0, 40.0), (.left, 0, 0), (.right, 40, 40),
            // Two cells before it, three after it; mirrored the other way round.
            (.center, 16, 24),
        ] {
            field.textAlignment = alignment
            field.layoutDirection = .leftToRight
            #expect(field.lines.first?.origin.x == left, "\(alignment)")
            field.layoutDirection = .rightToLeft
            #expect(field.lines.first?.origin.x == mirrored, "\(alignment)")
        }
    }

    @Test("what a control shows is a value of its own type, within its ends")
    func values() {
        let slider = Slider()
        #expect(slider.shownValue == .number(0))
        slider.value = .flag(true)
        #expect(slider.shownValue == .number(0))
        slider.minimumValue = 2
        slider.maximumValue = 4
        #expect(slider.shownValue == .number(2))
        slider.value = .number(9)
        #expect(slider.number == 4)
        #expect(slider.share == 1)
        slider.maximumValue = 1
        #expect(slider.number == 2)
        #expect(slider.share == 0)
        let field = TextField()
        field.placeholder = "none"
        #expect(field.shownValue == .text(""))
        let segmented = SegmentedControl()
        segmented.segments = ["a", "b"]
        for (value, index) in [
            (ControlValue.number(1), 1), (.number(2), nil), (.number(-1), nil), (.number(0.5), nil),
            (.flag(true), nil),
        ] as [(ControlValue, Int?)] {
            segmented.value = value
            #expect(segmented.selectedSegmentIndex == index)
        }
    }

    @Test("a very wide control is drawn with 1,024 cells")
    func bounds() throws {
        let slider = Slider()
        slider.value = .number(1)
        let line = try #require(try shown(slider, columns: 5_000).first)
        #expect(line.text.count == 1_024)
        #expect(line.text.last == "●")
        #expect(line.width == 8_192)
        #expect(slider.textByteCount == 1_024 * 3)
    }

    @Test("segments are as wide as there is room for, whatever the room", arguments: 1...40)
    func segmentWidths(columns: Int) throws {
        for titles in [["a"], ["a", "bbbb", "cc"], ["", "日本語", "", "dddddddd"]] {
            let control = SegmentedControl()
            control.segments = titles
            let line = try #require(try shown(control, columns: Double(columns)).first)
            // All of the room, in as many parts as there are titles if there is a cell for each
            // separator.
            #expect(line.width == 8 * Double(columns))
            let cells = line.text.reduce(0) { $0 + ("日本語".contains($1) ? 2 : 1) }
            #expect(cells == columns)
            let parts = line.text.split(separator: "│", omittingEmptySubsequences: false).count
            #expect(parts == min(titles.count, columns + 1))
        }
    }

    @Test("work is charged for the cells that are drawn and the text that is measured")
    func work() throws {
        func work(_ make: () -> Control, width: Double) throws -> UInt64 {
            let window = Window(size: Size(width: 800, height: 600))
            let control = make()
            try window.addSubview(control)
            _ = try place(control, width: width, height: 16)
            try window.runCycle()
            return window.work
        }
        let narrow = try work({ Slider() }, width: 80)
        let wide = try work({ Slider() }, width: 8_080)
        // 1,000 cells more of 9 units each.
        #expect(wide - narrow == 9_000)
        let long = try work({ Button(String(repeating: "x", count: 10_000)) }, width: 80)
        #expect(long - narrow >= 10_000 * 9)
    }
}
