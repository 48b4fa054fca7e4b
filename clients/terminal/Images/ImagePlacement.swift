import PicturePixels
import SceneDocument
import SceneWire

/// Where the picture of an image view lies on a grid.
struct ImagePlacement: Hashable {
    /// The cells that the whole picture touches; they may lie outside the grid.
    let cover: CellRect
    /// The picture's rectangle in cells, from the top left corner of `cover`.
    let frame: PixelFrame
    /// The cells of `cover` that may be seen.
    var seen: CellRect

    /// The farthest cell, within any integer.
    private static let limit = 1e6
    /// A part of a cell that is less than a pixel of any terminal.
    private static let tolerance = 1e-3

    /// Places a picture by the view's content mode; nil in a view without an area.
    ///
    /// The view's edges lie between cells, so the picture is placed in the cells of the view.
    /// - Parameters:
    ///   - size: The view's size in points.
    ///   - area: The view's cells.
    ///   - clip: The cells that may be painted.
    init?(_ image: LookImage, size: Size, area: CellRect, clip: CellRect) {
        guard size.width > 0, size.height > 0, !area.isEmpty else { return nil }
        let rect = image.frame(in: size)
        let across = Double(area.columns) / size.width
        let down = Double(area.rows) / size.height
        func edge(_ start: Int, _ points: Double, _ scale: Double) -> Double {
            let value = Double(start) + points * scale
            return abs(value - value.rounded()) < Self.tolerance ? value.rounded() : value
        }
        let left = edge(area.left, rect.minX, across)
        let right = edge(area.left, rect.minX + rect.width, across)
        let top = edge(area.top, rect.minY, down)
        let bottom = edge(area.top, rect.minY + rect.height, down)
        guard right > left, bottom > top,
            [left, right, top, bottom].allSatisfy({ abs($0) < Self.limit })
        else { return nil }
        cover = CellRect(
            left: Int(left.rounded(.down)), top: Int(top.rounded(.down)),
            right: Int(right.rounded(.up)), bottom: Int(bottom.rounded(.up)))
        frame = PixelFrame(
            x: left - Double(cover.left), y: top - Double(cover.top), width: right - left,
            height: bottom - top)
        seen = cover.intersection(clip)
    }

    /// Whether the picture fills all cells that are seen.
    var fillsSeenCells: Bool {
        let left = Double(seen.left - cover.left)
        let top = Double(seen.top - cover.top)
        return frame.x <= left && frame.y <= top
            && frame.x + frame.width >= left + Double(seen.columns)
            && frame.y + frame.height >= top + Double(seen.rows)
    }
}

extension ViewTransform {
    /// Where the picture of a view lies; nil if it has none.
    ///
    /// As in UIKit, a picture that is larger than its view is cut at the view's edges only if the
    /// view clips.
    func placement(of item: SceneOutline.Item, _ step: SceneOutline.Step) -> ImagePlacement? {
        guard let image = item.image else { return nil }
        let size = Size(
            width: Double(step.frame.width) / unitsPerPoint,
            height: Double(step.frame.height) / unitsPerPoint)
        return ImagePlacement(
            image, size: size, area: step.area,
            clip: item.content.clips ? step.seen : step.clip)
    }
}
