/// A number that people choose between two ends: a knob on a track, which is heavy up to it.
/// UIKit's `UISlider`.
public final class Slider: RangedControl {
    /// How far apart the values are that people can choose; 0 for any. The value that a program
    /// gives is shown as it is.
    public var step = 0.0

    /// UIKit's frame, with the room for the knob's shadow.
    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        (nil, 31)
    }

    override var faceAlignmentInsets: EdgeInsets {
        EdgeInsets(top: 0, leading: 2, bottom: 1, trailing: 2)
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        let before = steps(of: columns - 1)
        let text = Self.run("━", before) + "●" + Self.run("─", columns - 1 - before)
        return [Part(column: 0, line: Self.cells(text, count: columns, isMirrored: isMirrored))]
    }
}
