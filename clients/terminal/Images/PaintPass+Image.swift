import CharacterWidth
import PicturePixels
import SceneDocument
import SceneWire

/// Paints pictures as blocks: two colours a cell, or one where characters are ASCII.
///
/// Each cell keeps the picture's number, so that a terminal that shows pixels can show them
/// instead wherever nothing else has been painted over the blocks.
extension PaintPass {
    /// Paints the picture of a view, or why there is none.
    ///
    /// - Parameters:
    ///   - number: The picture's number, if it is no higher than `PlacedPicture.numberMaximum`.
    ///   - area: The visible cells of the view.
    mutating func paint(
        _ image: LookImage, _ placement: ImagePlacement, number: Int, opacity: Double,
        within area: CellRect
    ) {
        switch pictures[image.hash] {
        case nil: return
        case .loading: say("loading", .faint, in: area)
        case .failed(let reason): say("no picture: \(reason)", .bad, in: area)
        case .ready(let picture):
            guard !placement.seen.isEmpty else { return }
            draw(picture, placement, number: number, opacity: opacity)
        }
    }

    /// Writes a line in the middle of an area.
    private mutating func say(_ text: String, _ tone: Tone, in area: CellRect) {
        guard !area.isEmpty else { return }
        let text = fitted(text, columns: area.columns)
        grid.write(
            text, column: area.left + (area.columns - displayWidth(of: text)) / 2,
            row: area.top + (area.rows - 1) / 2, clip: area, foreground: tone.color)
    }

    private mutating func draw(
        _ picture: ScenePicture, _ placement: ImagePlacement, number: Int, opacity: Double
    ) {
        let (seen, cover) = (placement.seen, placement.cover)
        let hidesAll = picture.pixels.isOpaque && placement.fillsSeenCells && opacity >= 1
        var tag: UInt16 = 0
        if number <= PlacedPicture.numberMaximum,
            let backdrop = hidesAll ? 0 : grid.commonPaper(in: seen)
        {
            tag = UInt16(number)
            grid.pictures[tag] = PlacedPicture(
                picture: picture, cover: cover, frame: placement.frame, opacity: opacity,
                backdrop: backdrop)
        }
        let halves = pictures.hasHalves ? 2 : 1
        let down = Double(halves)
        let frame = placement.frame
        let image = picture.pixels.draw(
            in: PixelFrame(
                x: frame.x, y: frame.y * down, width: frame.width, height: frame.height * down),
            left: seen.left - cover.left, top: (seen.top - cover.top) * halves,
            columns: seen.columns, rows: seen.rows * halves)
        let pixels = BlockPixels(image: image, opacity: opacity)
        for row in 0..<seen.rows {
            for column in 0..<seen.columns {
                let upper = pixels.pixel(column, row * halves)
                let lower = pixels.pixel(column, row * halves + halves - 1)
                grid.paint(
                    upper, lower, column: seen.left + column, row: seen.top + row, picture: tag)
            }
        }
    }
}

/// The pixels of blocks, with a picture's opacity.
private struct BlockPixels {
    let image: PixelImage
    let opacity: Double

    func pixel(_ x: Int, _ y: Int) -> BlockPixel {
        let place = 4 * (y * image.width + x)
        let bytes = image.bytes
        return BlockPixel(
            r: Double(bytes[place]) * opacity, g: Double(bytes[place + 1]) * opacity,
            b: Double(bytes[place + 2]) * opacity, alpha: Double(bytes[place + 3]) / 255,
            opacity: opacity)
    }
}

/// A pixel of a picture: colours from 0 to 255, multiplied by alpha and opacity.
struct BlockPixel {
    var r: Double
    var g: Double
    var b: Double
    /// From 0 to 1, without the opacity.
    var alpha: Double
    var opacity: Double

    /// The colour over another one, both as `Cell.pack` has them.
    ///
    /// The terminal's own background is unknown: a pixel that shows more of it than of the picture
    /// is not drawn, and behind the others it counts as black.
    func over(_ paper: UInt32) -> UInt32 {
        guard let below = Cell.unpack(paper) else {
            return alpha < 0.5 ? 0 : Cell.pack(mixed(with: Color(rgba: 0x0000_00FF)))
        }
        return Cell.pack(mixed(with: below))
    }

    private func mixed(with below: Color) -> Color {
        let rest = 1 - alpha * opacity
        func mix(_ top: Double, _ bottom: UInt8) -> UInt8 {
            UInt8(min(max(top + Double(bottom) * rest, 0), 255).rounded())
        }
        return Color(r: mix(r, below.r), g: mix(g, below.g), b: mix(b, below.b))
    }
}

extension CellGrid {
    /// The background that all cells of an area have, as `Cell.pack` has it; nil if they differ, or
    /// if there is more than a background.
    func commonPaper(in area: CellRect) -> UInt32? {
        let area = area.intersection(bounds)
        guard !area.isEmpty else { return nil }
        let paper = self[area.left, area.top].paper
        for row in area.top..<area.bottom {
            for column in area.left..<area.right {
                let cell = self[column, row]
                guard cell.isBlank, cell.paper == paper, cell.picture == 0 else { return nil }
            }
        }
        return paper
    }

    /// Paints two pixels of a picture, one above the other, over a cell.
    mutating func paint(
        _ upper: BlockPixel, _ lower: BlockPixel, column: Int, row: Int, picture: UInt16
    ) {
        guard upper.alpha > 0 || lower.alpha > 0 else { return }
        let below = self[column, row]
        let (top, bottom) = (upper.over(below.paper), lower.over(below.paper))
        // Less than half of either, on an unknown background: what stands there stays.
        guard top != 0 || bottom != 0 || below.isBlank else { return }
        var cell: Cell
        if top == bottom {
            cell = .blank
            cell.paper = top
        } else {
            cell = Cell(top == 0 ? "▄" : "▀", columns: 1)
            (cell.ink, cell.paper) = top == 0 ? (bottom, 0) : (top, bottom)
        }
        cell.picture = picture
        put(cell, column: column, row: row, clip: bounds)
    }
}

extension Cell {
    private static let halves = [GlyphTable.code(of: "▀"), GlyphTable.code(of: "▄")]

    /// Whether it shows nothing but its part of a picture.
    var isPicture: Bool {
        picture > 0 && attributes.isEmpty && (glyph == 0x20 || Self.halves.contains(glyph))
    }
}
