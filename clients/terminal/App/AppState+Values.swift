import SceneProtocol

/// What people choose and write: shown at once, told to the program behind the scene, and taken back if that does not
/// deal with it.
extension AppState {
    /// Has a control hold another value.
    ///
    /// - Parameter isTold: Whether the program hears of it; otherwise it only shows.
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

    /// What a control holds on this screen.
    func value(of id: String) -> JSONValue? { choices[id]?.value ?? interactions[id]?.value }

    /// The line of a control as the scene has it.
    func lines(of id: String) -> ControlLines? {
        guard let interaction = interactions[id] else { return nil }
        return ControlLines(interaction, view(id)?.content.lines.first?.text ?? "")
    }

    /// Tells what was written in the text field that has the focus, if it was changed.
    mutating func commit() {
        guard let focus, let editor else { return }
        let value = JSONValue.string(editor.text)
        guard value != self.value(of: focus) else { return }
        choose(focus, value, isTold: true)
    }

    /// Another value of a slider, or another segment.
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
