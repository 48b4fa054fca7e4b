/// The kind of a view in a document. Renderers receive `shown`.
public enum ViewKind: String, CaseIterable, Sendable {
    /// A plain view.
    case view
    /// Text.
    case label
    /// Lays its arranged subviews out in a line.
    case stack
    /// Shows a part of its content.
    case scroll
    /// Lays its subviews out in rows that wrap.
    case flow
    /// A picture.
    case image
    /// A title that is tapped.
    case button
    /// On or off.
    case `switch`
    /// A number between two ends, which people choose.
    case slider
    /// One line of text that people write.
    case textField
    /// One of several titles, which people choose.
    case segmented
    /// How far something has come.
    case progress

    /// What renderers draw it as: controls are lines of text, as labels are.
    public var shown: ContentKind {
        switch self {
        case .view: .view
        case .label, .button, .switch, .slider, .textField, .segmented, .progress: .label
        case .stack: .stack
        case .scroll: .scroll
        case .flow: .flow
        case .image: .image
        }
    }

    /// Which control it is.
    public var control: ControlKind {
        switch self {
        case .view, .label, .stack, .scroll, .flow, .image: .none
        case .button: .button
        case .switch: .switch
        case .slider: .slider
        case .textField: .textField
        case .segmented: .segmented
        case .progress: .progress
        }
    }
}

/// Which control a view is. Its lines are drawn by the server as those of any view, so that a
/// renderer that knows no controls shows them all the same.
public enum ControlKind: String, CaseIterable, Sendable {
    /// None.
    case none
    /// A title that is tapped.
    case button
    /// On or off.
    case `switch`
    /// A number between two ends.
    case slider
    /// One line of text that people write.
    case textField
    /// One of several titles.
    case segmented
    /// The progress of a task; users cannot change it.
    case progress
}

/// What a renderer draws a view as. The order is that of the wire, which has no others: a renderer
/// refuses what it does not know.
public enum ContentKind: String, CaseIterable, Sendable {
    /// An area.
    case view
    /// Lines of text.
    case label
    /// An area that lays its subviews out in a line.
    case stack
    /// An area that shows a part of its content.
    case scroll
    /// An area that lays its subviews out in rows.
    case flow
    /// A picture.
    case image
}

/// The line around a view.
public enum BorderStyle: String, CaseIterable, Sendable {
    /// No line.
    case none
    /// A thin line.
    case single
    /// A thin line with round corners.
    case rounded
    /// Two thin lines.
    case double
    /// A thick line.
    case heavy
}

/// What is done to solved frames before they are shown.
public enum Rounding: String, CaseIterable, Sendable {
    /// Edges go to whole pixels.
    case pixel
    /// Frames are shown as solved.
    case none
}

/// What happens to a document whose required constraints conflict.
public enum UnsatisfiablePolicy: String, CaseIterable, Sendable {
    /// It is not taken.
    case refuse
    /// Constraints give way until it can be.
    case `break`
}
