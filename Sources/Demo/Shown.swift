import SceneClient

/// The texts and numbers that a program has shown, so that only what is different costs an op.
struct Shown {
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]
    private var charts: [String: [Double]] = [:]

    /// The op that shows a text, if another is shown.
    mutating func text(_ id: String, _ text: String) -> [Op] {
        guard texts.updateValue(text, forKey: id) != text else { return [] }
        var properties = ViewProperties()
        properties.text = text
        return [.setView(id: id, properties)]
    }

    /// The op that draws another value at the right end of a chart, and drops the one at its left
    /// end where there are `maximum`. Nothing is drawn of one value.
    mutating func chart(_ id: String, adding value: Double, maximum: Int, _ chart: ChartSpec)
        -> [Op]
    {
        var values = charts[id] ?? []
        values.append(value)
        if values.count > maximum { values.removeFirst() }
        charts[id] = values
        guard values.count > 1 else { return [] }
        var properties = ViewProperties()
        var drawn = chart
        drawn.values = values
        properties.look.chart = drawn
        return [.setView(id: id, properties)]
    }

    /// The op that gives a constraint another multiplier, if it has another.
    mutating func multiplier(_ id: String, _ value: Double) -> [Op] {
        guard numbers.updateValue(value, forKey: id) != value else { return [] }
        return [.setConstraint(id: id, multiplier: value)]
    }
}
