import JSON
import SceneDocument
import SceneWire

/// Values that people choose: shown at once, sent to the program that handles the scene's events,
/// and reverted if it does not handle them.
extension AppState {
    /// Changes a control's value.
    ///
    /// - Parameter isTold: Whether to send an event; otherwise the value is only shown.
    mutating func choose(_ id: String, _ value: JSONValue, isTold: Bool) {
        guard let interaction = interactions[id], isEnabled(path(from: id)) else { return }
        guard isTold else {
            choices[id] = Choice(value: value)
            return
        }
        guard value != interaction.value || choices[id] != nil else { return }
        guard let target = target(path(from: id), .input) else {
            choices[id] = nil
            return
        }
        choices[id] = Choice(value: value)
        send(.input, target, value: value, choice: id)
    }

    /// The value of a control on this screen.
    func value(of id: String) -> JSONValue? { choices[id]?.value ?? interactions[id]?.value }

    /// The line of a control in the scene.
    func lines(of id: String) -> ControlLines? {
        guard let interaction = interactions[id] else { return nil }
        return ControlLines(interaction, view(id)?.content.lines.first?.text ?? "")
    }

    /// Sends the text of the focused text field, if it was changed.
    mutating func commit() {
        guard let focus, let editor else { return }
        let value = JSONValue.string(editor.text)
        guard value != self.value(of: focus) else { return }
        choose(focus, value, isTold: true)
    }

    /// Moves a slider or a segmented control by a step.
    mutating func step(_ id: String, by count: Int, toEnd: Bool = false) {
        guard let interaction = interactions[id], let lines = lines(of: id),
            case .number(let number) = value(of: id)?.kind ?? .number(interaction.minimum)
        else { return }
        if interaction.control == .segmented {
            let last = interaction.segments.count - 1
            guard last >= 0, let index = Int(exactly: number) else { return }
            let next = toEnd ? (count > 0 ? last : 0) : min(max(index + count, 0), last)
            return choose(id, .number(Double(next)), isTold: true)
        }
        let size =
            interaction.step > 0
            ? interaction.step : (interaction.maximum - interaction.minimum) / 20
        let wanted =
            toEnd
            ? (count > 0 ? interaction.maximum : interaction.minimum)
            : number + size * Double(count)
        choose(id, .number(lines.stepped(wanted)), isTold: true)
    }
}
