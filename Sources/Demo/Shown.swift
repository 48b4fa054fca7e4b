import SceneClient

/// The texts and numbers that a program has shown, so that only what is different costs an op.
struct Shown {
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]

    /// The op that shows a text, if another is shown.
    mutating func text(_ id: String, _ text: String) -> [Op] {
        guard texts.updateValue(text, forKey: id) != text else { return [] }
        var properties = ViewProperties()
        properties.text = text
        return [.setView(id: id, properties)]
    }

    /// The op that gives a constraint another multiplier, if it has another.
    mutating func multiplier(_ id: String, _ value: Double) -> [Op] {
        guard numbers.updateValue(value, forKey: id) != value else { return [] }
        return [.setConstraint(id: id, multiplier: value)]
    }
}
