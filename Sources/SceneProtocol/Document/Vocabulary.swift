/// What a view is.
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
