import LayoutValues
import Testing

@testable import AutoLayout

@Suite("Sizes of symbols")
struct SymbolSizeTests {
    private func size(_ size64: Int, scale: Double) -> Double {
        SymbolExtent(font: Font(weight: .regular, size64: size64), scale: scale).side
    }

    @Test("in faces the side is 1.2 times the size, up to the next pixel")
    func faces() {
        // 1.2 × 17 = 20.4.
        #expect(size(17 * 64, scale: 1) == 21)
        #expect(size(17 * 64, scale: 2) == 20.5)
        #expect(size(17 * 64, scale: 3) == 62.0 / 3)
        // 1.2 × 20 and 1.2 × 5 are whole.
        #expect(size(20 * 64, scale: 1) == 24)
        #expect(size(5 * 64, scale: 1) == 6)
        // The least and the largest font: 1.2 / 64 and 614.4 points.
        #expect(size(1, scale: 1) == 1)
        #expect(size(512 * 64, scale: 1) == 615)
    }

    @Test("on a grid it is two columns and a row, drawn as large as the shorter side")
    func grid() {
        let extent = SymbolExtent(cell: Size(width: 7, height: 16))
        #expect(extent.content == Size(width: 14, height: 16))
        #expect(extent.side == 14)
        #expect(SymbolExtent(cell: Size(width: 1, height: 1)).side == 1)
    }

    @Test("an image view follows its font, the grid, the category and its picture")
    func imageView() throws {
        var traits = TraitValues()
        let window = Window(size: Size(width: 100, height: 100), traits: traits)
        let view = ImageView(identifier: "a")
        try window.addSubview(view)
        #expect(view.intrinsicContentSize.width < 0)
        view.showsSymbol = true
        #expect(view.intrinsicContentSize == Size(width: 16, height: 16))
        view.metrics = TextMetrics(cell: Size(width: 1, height: 1))
        #expect(view.intrinsicContentSize == Size(width: 2, height: 1))
        traits.typography = .faces
        traits.contentSizeCategory = .accessibilityMedium
        window.screenTraits = traits
        window.updateTraitsIfNeeded()
        // 1.2 × 28 = 33.6.
        #expect(view.intrinsicContentSize == Size(width: 34, height: 34))
        view.adjustsFontForContentSizeCategory = false
        #expect(view.intrinsicContentSize == Size(width: 21, height: 21))
        view.font.textStyle = .title1
        #expect(view.intrinsicContentSize == Size(width: 34, height: 34))
        view.imageSize = Size(width: 3, height: 4)
        #expect(view.intrinsicContentSize == Size(width: 3, height: 4))
        view.imageSize = nil
        view.showsSymbol = false
        #expect(view.intrinsicContentSize.width < 0)
    }

    @Test("a button without a title has room for its symbol")
    func button() {
        let button = Button()
        button.showsSymbol = true
        // Brackets and spaces are four columns.
        #expect(button.intrinsicContentSize.width == 32)
        #expect(button.symbol?.content == Size(width: 16, height: 16))
        button.title = "OK"
        #expect(button.symbol == nil)
    }
}
