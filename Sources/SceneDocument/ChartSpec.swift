/// How a chart shows its values. Apple, Swift Charts: `LineMark`, `AreaMark`, `BarMark`.
public enum ChartStyle: String, CaseIterable, Sendable {
    /// A line through the values.
    case line
    /// A line, and a fainter colour of it below.
    case area
    /// A bar for each value.
    case bars
}

/// Values drawn over a view's area, from left to right. JSON: `{"values": [3, 1, 2]}`.
public struct ChartSpec: Hashable, Sendable {
    /// The values that a chart may have.
    public static let valueMaximum = 256
    /// The lines of a grid that a chart may have.
    public static let gridLineMaximum = 16

    /// From left to right.
    public var values: [Double]
    /// What is drawn of them.
    public var style = ChartStyle.line
    /// The value at the bottom; nil for the least.
    public var minimum: Double?
    /// The value at the top; nil for the greatest.
    public var maximum: Double?
    /// nil for the view's tint.
    public var color: DynamicColor?
    /// The width of the line, in points.
    public var lineWidth = 2.0
    /// The horizontal lines behind it, evenly from the bottom to the top.
    public var gridLines = 0

    /// Makes a line through values.
    public init(values: [Double]) { self.values = values }

    /// How far up each value is, 0...1; in the middle where there is but one height.
    ///
    /// - Complexity: O(values).
    public var heights: [Double] {
        let bottom = minimum ?? values.min() ?? 0
        let top = maximum ?? values.max() ?? 0
        guard top > bottom else { return values.map { _ in 0.5 } }
        return values.map { min(max(($0 - bottom) / (top - bottom), 0), 1) }
    }
}
