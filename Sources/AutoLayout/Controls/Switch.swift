/// On or off: a track whose knob is at its trailing end and full while it is on. UIKit's
/// `UISwitch`.
///
/// Five cells, at the leading edge of whatever width it has.
public final class Switch: Control {
    private static let columnCount = 5

    /// Makes a switch that is off. Content hugs with 750 along both axes, as that of switches in
    /// Interface Builder.
    public override init(identifier: String = "") {
        super.init(identifier: identifier)
        contentHuggingPriority = .init(750, 750)
    }

    /// Whether it is on.
    public var isOn: Bool {
        get { value == .flag(true) }
        set { value = .flag(newValue) }
    }

    public override var shownValue: ControlValue? { .flag(isOn) }

    override func measureColumns() -> Int? { Self.columnCount }

    /// UIKit's frame before iOS 26: 51 × 31.
    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        (51, 31)
    }

    override var faceAlignmentInsets: EdgeInsets {
        EdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 2)
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        let track = min(columns, Self.columnCount) - 1
        let text = isOn ? Self.run("━", track) + "●" : "○" + Self.run("─", track)
        return [Part(column: 0, line: Self.cells(text, count: track + 1, isMirrored: isMirrored))]
    }
}
