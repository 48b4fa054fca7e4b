/// The kinds of events: the use of a view, and messages between members.
public enum EventKind: String, CaseIterable, Sendable {
    /// A button was pressed and let go over the view, or Enter or Space while it had the focus.
    case tap
    /// A button or finger went down on the view, and up: `"began"`, `"ended"`, `"cancelled"`.
    /// Another view on which it was let go gets `"dropped"` before.
    case press
    /// The pointer came (`true`) or went (`false`).
    case hover
    /// A key, while the view had the focus: its name in the words of UI Events, such as `"Enter"`
    /// or `"a"`.
    case key
    /// A wheel or touchpad scrolled over the view: the distance in points, `[x, y]`.
    case scroll
    /// A control's new value: a flag, a number or a text.
    case input
    /// A message between programs. Its value is any JSON; no view has to ask for this kind.
    case message

    /// The kinds that a view can ask for.
    public static let asked: [EventKind] = [.tap, .press, .hover, .key, .scroll, .input]
}
