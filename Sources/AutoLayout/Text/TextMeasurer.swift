/// Measures words in the faces of a hierarchy.
///
/// Equal questions have equal answers for as long as a label may ask again: labels keep what they
/// were told. Lengths are in units of 2⁻²⁰ em.
public protocol TextMeasurer: AnyObject {
    /// Measures text without spaces (U+0020).
    func advance(of word: Substring, weight: FontWeight) -> TextAdvance

    /// The height of lines, and the space between words.
    func lineMetrics(weight: FontWeight) -> LineMetrics
}

/// The faces of a hierarchy, made when the first text asks for them.
struct HierarchyFaces {
    private var made: (any TextMeasurer)?
    private var make: (() -> any TextMeasurer)?

    init() {}

    init(_ measurer: (any TextMeasurer)?) { made = measurer }

    init(making make: @escaping () -> any TextMeasurer) { self.make = make }

    /// The labels to break into lines after the next layout. A label may have left the hierarchy
    /// meanwhile.
    private var awaitingLines: [Label] = []

    /// Whether there are such labels.
    var isAwaitingLines: Bool { !awaitingLines.isEmpty }

    mutating func awaitLines(of label: Label) { awaitingLines.append(label) }

    mutating func takeAwaitingLines() -> [Label] {
        defer { awaitingLines = [] }
        return awaitingLines
    }

    /// What measures the text; nil for none.
    var measurer: (any TextMeasurer)? {
        mutating get {
            if made == nil { made = make?() }
            return made
        }
    }
}

/// How far a word goes.
public struct TextAdvance: Hashable, Sendable {
    /// In units of 2⁻²⁰ em; not negative.
    public var units: Int
    /// Whether a character is drawn in a face that was not measured, so that renderers have to fit
    /// the line to its width.
    public var isFitted: Bool

    /// Makes an advance.
    public init(units: Int, isFitted: Bool) {
        self.units = units
        self.isFitted = isFitted
    }

    /// The units in an em.
    public static let unitsPerEm = 1 << 20
}

/// The lengths of a face that all lines share, in units of 2⁻²⁰ em. Apple, `UIFont`.
public struct LineMetrics: Hashable, Sendable {
    /// From the baseline to the top of a line.
    public var ascender: Int
    /// From the baseline to the bottom of a line; usually negative.
    public var descender: Int
    /// What lies between two lines.
    public var leading: Int
    /// The advance of a space.
    public var space: Int

    /// Makes metrics.
    public init(ascender: Int, descender: Int, leading: Int, space: Int) {
        self.ascender = ascender
        self.descender = descender
        self.leading = leading
        self.space = space
    }
}
