public import SceneWire

/// A scene as coloured text, for `less -R` and for pasting into a terminal.
public enum ANSIPicture {
    /// The picture of a scene: one line for each row of cells, with escape sequences for colours
    /// and attributes only.
    ///
    /// Each line ends with the terminal's own colours, so lines may be cut, sorted and joined.
    /// - Parameters:
    ///   - size: Scales the whole scene to that many cells; natural size if nil.
    ///   - pictures: The pictures of image views; by default they are not shown.
    /// - Source: ECMA-48 (SGR).
    public static func render(
        _ mirror: SceneMirror, metrics: SceneMetrics, size: GridSize? = nil, colors: ColorDepth,
        encoding: TextEncoding = .utf8, pictures: PictureShelf = PictureShelf()
    ) -> String {
        let fit = size.map { SceneFit.fit($0) } ?? .natural
        return text(
            of: ScenePainter.paint(
                mirror, metrics: metrics, size: size, fit: fit, pictures: pictures),
            colors: colors, encoding: encoding)
    }

    /// The lines of a grid.
    static func text(
        of grid: CellGrid, colors: ColorDepth, encoding: TextEncoding = .utf8
    ) -> String {
        var writer = ScreenWriter(colors: colors, encoding: encoding)
        var bytes: [UInt8] = []
        for row in 0..<grid.height {
            bytes.append(contentsOf: writer.line(row, of: grid))
            bytes.append(0x0A)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
