/// Which screens a scroll view scrolls on.
public enum ScrollSharing: String, CaseIterable, Sendable {
    /// All show the same part: the scene says which.
    case together
    /// Each shows its own part, which the scene knows nothing of.
    case each
}

/// The keys of a view by which people use it, and by which those who do not see it are told of it; nil means not given.
///
/// Kept apart from the other properties, and in memory of their own: few views of a scene have any.
public struct InteractionProperties: Sendable, Equatable {
    /// What the program behind the scene wants to hear of, each kind once.
    public var events: [EventKind]?
    /// Whether people can use it; true where it is not given.
    public var enabled: Bool?
    /// Whether the keyboard's focus stops here; where it is not given, at controls that people change.
    public var focusable: Bool?
    /// Whether it is selected, as a row or a tab.
    public var selected: Bool?
    /// Whether `input` comes with each movement and keystroke.
    public var continuous: Bool?
    /// Which screens a scroll view scrolls on.
    public var scrolls: ScrollSharing?
    /// What a screen reader calls it, at most `textByteMaximum` bytes.
    public var label: String?
    /// What it is to a screen reader.
    public var role: AccessibilityRole?
    /// What happens when it is used, at most `textByteMaximum` bytes.
    public var hint: String?
    /// What a control holds; of other views, what a screen reader says.
    public var value: ControlValue?
    /// The least value of a slider or progress; 0 where it is not given.
    public var minimum: Double?
    /// The greatest; 1 where it is not given.
    public var maximum: Double?
    /// How far apart a slider's values are; 0 for any.
    public var step: Double?
    /// What an empty text field says, at most `textByteMaximum` bytes.
    public var placeholder: String?
    /// The titles of a segmented control, at most `Interaction.segmentMaximum` of `segmentByteMaximum` bytes each.
    public var segments: [String]?

    /// Bytes of a label, a hint and a placeholder.
    ///
    /// With `segmentByteMaximum` this is little enough that what is told of one view always fits into a message.
    public static let textByteMaximum = 4096
    /// Bytes of a segment's title.
    public static let segmentByteMaximum = 1024

    /// Makes properties of which none is given.
    public init() {}
}

/// What a view is to a screen reader: roles of WAI-ARIA 1.2 that a view can have.
public enum AccessibilityRole: String, CaseIterable, Sendable {
    case alert
    case article
    case banner
    case button
    case cell
    case checkbox
    case columnheader
    case complementary
    case contentinfo
    case dialog
    case figure
    case form
    case grid
    case gridcell
    case group
    case heading
    case img
    case link
    case list
    case listbox
    case listitem
    case log
    case main
    case menu
    case menubar
    case menuitem
    case meter
    case navigation
    case none
    case note
    case option
    case progressbar
    case radio
    case radiogroup
    case region
    case row
    case rowheader
    case search
    case searchbox
    case separator
    case slider
    case spinbutton
    case status
    case `switch`
    case tab
    case table
    case tablist
    case tabpanel
    case textbox
    case timer
    case toolbar
    case tooltip
    case tree
    case treeitem
}
