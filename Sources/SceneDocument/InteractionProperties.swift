/// The scope of the offset of a scroll view.
public enum ScrollSharing: String, CaseIterable, Sendable {
    /// One offset for all screens, which the scene holds.
    case together
    /// An offset for each screen, which the scene does not hold.
    case each
}

/// The keys of a view for interaction and accessibility. `nil` means that the document does not
/// give the key.
///
/// They are stored separately from the other properties because few views of a scene have any.
public struct InteractionProperties: Sendable, Equatable {
    /// The kinds of events that the view sends to its handler, each once.
    public var events: [EventKind]?
    /// Whether the view accepts events; true by default.
    public var enabled: Bool?
    /// Whether the view can have keyboard focus; by default, controls other than progress views
    /// can.
    public var focusable: Bool?
    /// Whether the view is selected, as a row of a list or a tab.
    public var selected: Bool?
    /// Whether a control sends `input` for each movement and keystroke rather than at the end of
    /// the interaction.
    public var continuous: Bool?
    /// Whether a scroll view has one offset for all screens or one for each.
    public var scrolls: ScrollSharing?
    /// The accessibility label, at most `textByteMaximum` bytes.
    public var label: String?
    /// The accessibility role.
    public var role: AccessibilityRole?
    /// The accessibility hint: the effect of using the view, at most `textByteMaximum` bytes.
    public var hint: String?
    /// The value of a control; for other views, the accessibility value.
    public var value: ControlValue?
    /// The smallest value of a slider or progress view; 0 by default.
    public var minimum: Double?
    /// The largest value of a slider or progress view; 1 by default.
    public var maximum: Double?
    /// The distance between two values of a slider; 0 for a continuous range.
    public var step: Double?
    /// The text that an empty text field shows, at most `textByteMaximum` bytes.
    public var placeholder: String?
    /// The titles of a segmented control, at most `segmentMaximum` of
    /// `segmentByteMaximum` bytes each.
    public var segments: [String]?

    /// The longest label, hint or placeholder, in bytes.
    ///
    /// Together with `segmentByteMaximum` it ensures that the interaction of one view fits into a
    /// message.
    public static let textByteMaximum = 4096
    /// The segments that a control may have.
    public static let segmentMaximum = 64
    /// The longest title of a segment, in bytes.
    public static let segmentByteMaximum = 1024

    /// Creates properties without any key.
    public init() {}
}

/// The accessibility role of a view: the roles of WAI-ARIA 1.2 that apply to views.
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
