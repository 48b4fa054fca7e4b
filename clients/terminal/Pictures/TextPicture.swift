public import SceneWire

/// A scene as plain text, for pipes.
public enum TextPicture {
    /// The picture of a scene: one line for each row of cells, no escape sequences, no spaces at
    /// line ends.
    ///
    /// - Parameter size: Scales the whole scene to that many cells; natural size if nil.
    public static func render(
        _ mirror: SceneMirror, metrics: SceneMetrics, size: GridSize? = nil,
        encoding: TextEncoding = .utf8
    ) -> String {
        let fit = size.map { SceneFit.fit($0) } ?? .natural
        return encoding.encode(
            ScenePainter.paint(mirror, metrics: metrics, size: size, fit: fit).text)
    }
}
