public import SceneDocument

/// A chart as renderers draw it: shares of an area's height from left to right.
public struct LookChart: Hashable, Sendable {
    /// The height of the whole area, in the units of `heights`.
    public static let whole: UInt32 = 10_000

    /// What is drawn of the heights.
    public var style = ChartStyle.line
    /// The width of the line, in points.
    public var lineWidth = 0.0
    /// The horizontal lines behind it, evenly from the bottom to the top.
    public var gridLines: UInt32 = 0
    /// The colour of line and bars.
    public var color: Color?
    /// From the bottom, in ten-thousandths of the area's height.
    public var heights: [UInt32] = []

    /// The part of a bar's share of the width that it fills.
    public static let barRange = 0.1..<0.9

    /// Makes a chart of nothing.
    public init() {}

    /// How far up a value is, 0...1.
    public func share(of index: Int) -> Double { Double(heights[index]) / Double(Self.whole) }

    /// How far up a line through the values is, 0...1, where there is at least one.
    ///
    /// - Parameter x: The share of the width, 0...1.
    public func height(at x: Double) -> Double {
        let place = x * Double(heights.count - 1)
        let index = min(max(Int(place), 0), heights.count - 1)
        let next = min(index + 1, heights.count - 1)
        let share = share(of: index)
        return share + (self.share(of: next) - share) * (place - Double(index))
    }
}

extension LookChart: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("style", &style)
        try coder.f64("lineWidth", &lineWidth)
        try coder.u32("gridLines", &gridLines)
        guard gridLines <= ChartSpec.gridLineMaximum else {
            return try coder.invalid("gridLines", "at most \(ChartSpec.gridLineMaximum)")
        }
        try coder.color("color", &color)
        var values = heights.map(ChartHeight.init(height:))
        try coder.list("values", &values, maximum: ChartSpec.valueMaximum)
        heights = values.map { $0.height }
    }
}

private struct ChartHeight: WireValue {
    var height: UInt32 = 0

    init() {}

    init(height: UInt32) { self.height = height }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("height", &height)
        if height > LookChart.whole { try coder.invalid("height", "at most \(LookChart.whole)") }
    }
}

/// The charts of a message's looks, as an extension of its own beside them: renderers that do not
/// know it draw the looks without.
struct ViewCharts: WireValue, Equatable {
    private var charts: [ChartOfLook] = []

    init() {}

    /// The charts of looks; nil where none has one.
    init?(of looks: [ViewLook]) {
        for (place, look) in looks.enumerated() {
            guard let chart = look.chart else { continue }
            charts.append(ChartOfLook(look: UInt32(place + 1), chart: chart))
        }
        guard !charts.isEmpty else { return nil }
    }

    /// The charts with the places of their looks, from 0; −1 for none.
    var byLook: [(look: Int, chart: LookChart)] {
        charts.map { (Int(clamping: $0.look) - 1, $0.chart) }
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("charts", &charts, maximum: coder.limits.viewMaximum + 1)
    }
}

private struct ChartOfLook: WireValue, Equatable {
    /// The place of its look, from 1.
    var look: UInt32 = 0
    var chart = LookChart()

    init() {}

    init(look: UInt32, chart: LookChart) {
        self.look = look
        self.chart = chart
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("look", &look)
        try chart.code(&coder)
    }
}
