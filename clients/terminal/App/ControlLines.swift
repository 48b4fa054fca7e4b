import CharacterWidth
import JSON
import SceneDocument
import SceneWire

/// Renders a control with another value, from its present line, so that a new value is shown before
/// the scene has it. LANGUAGE.md, CTL-3, CTL-4 and CTL-7.
struct ControlLines {
    private static let separator: Character = "│"

    private let interaction: Interaction
    private let text: String

    /// - Parameter text: The control's line in the scene.
    init(_ interaction: Interaction, _ text: String) {
        self.interaction = interaction
        self.text = text
    }

    /// The line with a value; `nil` if the control cannot show it.
    func text(with value: JSONValue) -> String? {
        switch (interaction.control, value.kind) {
        case (.switch, .bool(let isOn)): switchText(isOn)
        case (.slider, .number(let number)): sliderText(number)
        case (.segmented, .number(let index)): segmentedText(Int(exactly: index))
        default: nil
        }
    }

    /// Whether the minimum, or the first segment, is on the right.
    var isMirrored: Bool {
        switch interaction.control {
        case .switch:
            let track = text.count - 1
            guard track > 0 else { return false }
            return interaction.value == .bool(true) ? text.hasPrefix("●") : text.hasSuffix("○")
        case .slider:
            guard text.count > 1, let number = interaction.value.number else {
                return false
            }
            return Array(text)[knob(number)] != "●"
        case .segmented: return hasMirroredSegments
        case .none, .button, .textField, .progress: return false
        }
    }

    // MARK: Switches and sliders

    private func switchText(_ isOn: Bool) -> String {
        let track = max(0, text.count - 1)
        let next =
            isOn
            ? String(repeating: "━", count: track) + "●"
            : "○" + String(repeating: "─", count: track)
        return isMirrored ? String(next.reversed()) : next
    }

    private func knob(_ value: Double) -> Int {
        let range = interaction.maximum - interaction.minimum
        let share = range > 0 ? min(max((value - interaction.minimum) / range, 0), 1) : 0
        return Int((share * Double(max(0, text.count - 1)) + 0.5).rounded(.down))
    }

    private func sliderText(_ value: Double) -> String {
        guard !text.isEmpty else { return text }
        let place = knob(value)
        let next =
            String(repeating: "━", count: place) + "●"
            + String(repeating: "─", count: text.count - 1 - place)
        return isMirrored ? String(next.reversed()) : next
    }

    /// The slider's value at a column of its line.
    func value(atColumn column: Int) -> Double {
        let last = max(1, text.count - 1)
        let place = min(max(isMirrored ? last - column : column, 0), last)
        let share = Double(place) / Double(last)
        return stepped(interaction.minimum + share * (interaction.maximum - interaction.minimum))
    }

    /// The nearest value that can be chosen.
    func stepped(_ value: Double) -> Double {
        let (least, most) = (interaction.minimum, max(interaction.minimum, interaction.maximum))
        guard interaction.step > 0 else { return min(max(value, least), most) }
        let count = ((value - least) / interaction.step).rounded()
        return min(max(least + count * interaction.step, least), most)
    }

    // MARK: Segments

    private var parts: [Substring] {
        text.split(separator: Self.separator, omittingEmptySubsequences: false)
    }

    private var hasMirroredSegments: Bool {
        let parts = parts
        let last = parts.count - 1
        guard last > 0, let first = interaction.segments.first else { return false }
        let chosen = parts.firstIndex {
            ($0.hasPrefix("[") && $0.hasSuffix("]")) || (!$0.isEmpty && $0.allSatisfy { $0 == "■" })
        }
        if let chosen, let number = interaction.value.number,
            let index = Int(exactly: number), 2 * index != last
        {
            return chosen == last - index
        }
        func says(_ part: Substring) -> Bool {
            var words = part.dropFirst().dropLast().drop { $0 == " " }
            while let end = words.last, end == " " || end == "…" { words.removeLast() }
            return first.hasPrefix(words)
        }
        return !says(parts[0]) && says(parts[last])
    }

    private func segmentedText(_ chosen: Int?) -> String {
        let parts = parts
        let isMirrored = isMirrored
        return parts.enumerated().map { place, part in
            let isChosen = (isMirrored ? parts.count - 1 - place : place) == chosen
            guard !part.allSatisfy({ $0 == "·" || $0 == "■" }) else {
                return String(repeating: isChosen ? "■" : "·", count: part.count)
            }
            return (isChosen ? "[" : " ") + part.dropFirst().dropLast() + (isChosen ? "]" : " ")
        }.joined(separator: String(Self.separator))
    }

    /// The segment at a column of the line; nil between two segments, and beside the line.
    func segment(atColumn column: Int) -> Int? {
        let parts = parts
        var start = 0
        for (place, part) in parts.enumerated() {
            let end = start + displayWidth(of: part)
            if column >= start, column < end { return isMirrored ? parts.count - 1 - place : place }
            start = end + 1
        }
        return nil
    }
}
