import PicturePixels
public import Pictures
import SceneDocument

/// A picture of a scene, decoded.
public final class ScenePicture: Hashable, Sendable {
    /// The SHA-256 of its file, in hexadecimal digits.
    public let hash: String
    /// In pixels, as it is shown.
    public let width: Int
    /// In pixels, as it is shown.
    public let height: Int
    let pixels: ScalablePicture
    /// The file, if terminals can read it themselves: PNG.
    let file: [UInt8]?

    /// Decodes a file.
    ///
    /// - Throws: `PictureError` where it is no picture that can be taken, or is damaged.
    /// - Complexity: O(bytes + pixels).
    public init(hash: String, file: [UInt8]) throws(PictureError) {
        let image = try PictureFile.decode(file)
        self.hash = hash
        (width, height) = (image.width, image.height)
        pixels = ScalablePicture(image)
        self.file = try PictureInfo(of: file).type == .png ? file : nil
    }

    /// The memory that it takes, in bytes.
    var byteCount: Int { pixels.byteCount + (file?.count ?? 0) }

    /// Whether both are of the same file.
    public static func == (left: ScenePicture, right: ScenePicture) -> Bool {
        left.hash == right.hash
    }

    /// Hashes the file's hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// The reason why a picture is not shown.
public struct PictureFailure: Error, Hashable, Sendable {
    /// The text for people.
    public var text: String
    /// Whether another attempt would fail for the same reason: the file is no picture.
    public var isFinal: Bool

    /// Makes a failure.
    public init(_ text: String, isFinal: Bool) {
        (self.text, self.isFinal) = (text, isFinal)
    }
}

/// A picture on a grid.
struct PlacedPicture: Hashable, Sendable {
    /// The highest number in one grid; two grids may be drawn on one.
    static let numberMaximum: UInt16 = 0x7FFF

    let picture: ScenePicture
    /// The cells that the whole picture touches; they may lie outside the grid.
    var cover: CellRect
    /// The picture's rectangle in cells, from the top left corner of `cover`.
    let frame: PixelFrame
    /// From 0 to 1.
    let opacity: Double
    /// The colour of all cells behind it as `Cell.pack` has it; 0 is the terminal's own, or none
    /// where nothing can be seen through the picture.
    let backdrop: UInt32

    /// The picture elsewhere.
    func moved(columns: Int, rows: Int) -> PlacedPicture {
        var other = self
        other.cover = cover.moved(columns: columns, rows: rows)
        return other
    }

    /// The picture wherever it is.
    var anywhere: PlacedPicture { moved(columns: -cover.left, rows: -cover.top) }

    /// Whether the picture's edges are edges of cells.
    var isAligned: Bool {
        frame.x == 0 && frame.y == 0 && frame.width == Double(cover.columns)
            && frame.height == Double(cover.rows)
    }

    /// The pixels of some cells.
    ///
    /// - Parameters:
    ///   - area: Within `cover`.
    ///   - width: Of a cell, in pixels.
    ///   - height: Of a cell, in pixels.
    func image(of area: CellRect, cell width: Int, _ height: Int) -> PixelImage {
        let (x, y) = (Double(width), Double(height))
        let image = picture.pixels.draw(
            in: PixelFrame(
                x: frame.x * x, y: frame.y * y, width: frame.width * x, height: frame.height * y),
            left: (area.left - cover.left) * width, top: (area.top - cover.top) * height,
            columns: area.columns * width, rows: area.rows * height)
        let color = Cell.unpack(backdrop).map { ($0.r, $0.g, $0.b) }
        return image.over(color, opacity: opacity)
    }
}
