/// What a control says: what a switch, a slider, a text field or a segmented control holds.
public enum ControlValue: Hashable, Sendable {
    /// Whether a switch is on.
    case flag(Bool)
    /// A number between a slider's ends, or which segment is chosen, from 0.
    case number(Double)
    /// What a text field holds; of a view that is no control, what a screen reader says of it.
    case text(String)
}
