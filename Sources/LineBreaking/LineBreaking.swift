/// Where lines of text may break: the Unicode line breaking algorithm.
///
/// The algorithm alone: it knows neither fonts nor widths. The layout of a paragraph chooses among
/// the opportunities.
///
/// - Source: Unicode Standard Annex #14, revision 55 (Unicode 17.0.0).

/// What may happen at a place between two scalars, or at the end of a text.
public enum LineBreakOpportunity: UInt8, Sendable {
    /// No line ends here.
    case prohibited
    /// A line may end here.
    case allowed
    /// A line ends here.
    case mandatory
}

/// How strictly lines of Japanese are kept together. CSS Text 3, `line-break`.
public enum LineBreakStrictness: Sendable {
    /// Small kana and the prolonged sound mark begin no line: class `CJ` is `NS`, the annex's
    /// default.
    case strict
    /// They begin a line as other ideographs do: class `CJ` is `ID`.
    case normal
}

/// The opportunities of a text.
///
/// - Returns: An element for each scalar, for the place before it, and one for the end of the text.
///   The first is prohibited but for an empty text; the last is mandatory.
/// - Complexity: O(*n*) in the number of scalars.
public func lineBreakOpportunities(
    in scalars: some Sequence<Unicode.Scalar>, strictness: LineBreakStrictness
) -> [LineBreakOpportunity] {
    LineBreakScanner.opportunities(in: scalars, strictness: strictness)
}

/// The version of Unicode whose classes are used.
public var lineBreakingUnicodeVersion: String { LineBreakTable.unicodeVersion }
