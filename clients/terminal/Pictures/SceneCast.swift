public import SceneWire

/// A scene that changes, as a recording of a terminal that shows it.
public final class SceneCast {
    private let size: GridSize
    private let scales: Bool
    private var renderer = ScreenRenderer(colors: .trueColor)
    private var shown: CellGrid?
    private var lines: [String]

    /// Begins a recording.
    ///
    /// - Parameter scales: Whether the whole scene is scaled to the size, or else cut to it.
    public init(size: GridSize, title: String, scales: Bool) {
        self.size = CellGrid.size(size)
        self.scales = scales
        lines = [
            Cast.header(size: self.size, timestamp: nil, title: title),
            Cast.line(seconds: 0, .output("\u{1B}[?25l\u{1B}[?7l")),
        ]
    }

    /// Shows a scene, at a time that is not before the last one.
    ///
    /// - Complexity: That of `ScenePainter.paint`, and O(cells).
    public func show(_ mirror: SceneMirror, metrics: SceneMetrics, seconds: Double) {
        let grid = ScenePainter.paint(
            mirror, metrics: metrics, size: size, fit: scales ? .fit(size) : .natural)
        let bytes = renderer.bytes(from: shown, to: grid, synchronized: false)
        shown = grid
        guard !bytes.isEmpty else { return }
        lines.append(
            Cast.line(seconds: seconds, .output(String(decoding: bytes, as: UTF8.self))))
    }

    /// The whole recording; it is as long as given.
    public func end(seconds: Double) -> String {
        (lines + [Cast.line(seconds: seconds, .output("\u{1B}[0m"))]).joined(separator: "\n")
    }
}
