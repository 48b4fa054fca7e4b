/// How far something has come: a bar that fills, to the nearest half of a cell. UIKit's
/// `UIProgressView`.
public final class ProgressView: RangedControl {
    /// Makes a bar that is empty. Content hugs with 750 along the vertical axis, as that of
    /// progress views in Interface Builder.
    public override init(identifier: String = "") {
        super.init(identifier: identifier)
        contentHuggingPriority = .init(250, 750)
    }

    /// UIKit's since iOS 14.
    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        (nil, 4)
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        let halves = steps(of: 2 * columns)
        let half = halves.isMultiple(of: 2) ? "" : isMirrored ? "▐" : "▌"
        let text =
            Self.run("█", halves / 2) + half + Self.run("░", columns - halves / 2 - half.count)
        return [Part(column: 0, line: Self.cells(text, count: columns, isMirrored: isMirrored))]
    }
}
