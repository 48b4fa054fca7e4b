/// How text is measured and drawn.
public enum Typography: String, CaseIterable, Sendable {
    /// Not said; text has the grid.
    case unspecified
    /// Characters stand in the cells of a grid, as in a terminal.
    case grid
    /// Text is set in faces, as on a screen of pixels.
    case faces
}

/// A role of text, by which people's settings size it. Apple, `UIFont.TextStyle`.
public enum TextStyle: String, CaseIterable, Sendable {
    /// The title of a screen: 34 points at `large`.
    case largeTitle
    /// A title of the first level: 28 points.
    case title1
    /// A title of the second level: 22 points.
    case title2
    /// A title of the third level: 20 points.
    case title3
    /// A heading: 17 points, semibold.
    case headline
    /// Text as such: 17 points.
    case body
    /// 16 points.
    case callout
    /// 15 points.
    case subheadline
    /// 13 points.
    case footnote
    /// 12 points.
    case caption1
    /// 11 points.
    case caption2

    /// The size of text, in points.
    ///
    /// - Source: Apple, Human Interface Guidelines, "Typography", as measured in iOS 13.3 for all
    ///   twelve categories.
    public func pointSize(_ category: ContentSizeCategory) -> Double {
        Double(sizes[category.place])
    }

    /// How heavy the style's strokes are.
    public var weight: FontWeight { self == .headline ? .semibold : .regular }

    /// From `extraSmall` to `accessibilityExtraExtraExtraLarge`.
    private var sizes: [Int] {
        switch self {
        case .largeTitle: [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60]
        case .title1: [25, 26, 27, 28, 30, 32, 34, 38, 43, 48, 53, 58]
        case .title2: [19, 20, 21, 22, 24, 26, 28, 34, 39, 44, 50, 56]
        case .title3: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55]
        case .headline, .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]
        case .callout: [13, 14, 15, 16, 18, 20, 22, 26, 32, 38, 44, 51]
        case .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49]
        case .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44]
        case .caption1: [11, 11, 11, 12, 14, 16, 18, 22, 26, 32, 37, 43]
        case .caption2: [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 41]
        }
    }
}

extension ContentSizeCategory {
    /// The category's place among the twelve, from the smallest; that of `large` where it is
    /// unspecified.
    fileprivate var place: Int {
        let categories = Self.allCases.filter { $0 != .unspecified }
        return categories.firstIndex(of: self == .unspecified ? .large : self) ?? 0
    }
}

/// How heavy the strokes of text are. Apple, `UIFont.Weight`.
public enum FontWeight: String, CaseIterable, Sendable {
    /// 100 of CSS and OpenType.
    case ultraLight
    /// 200.
    case thin
    /// 300.
    case light
    /// 400.
    case regular
    /// 500.
    case medium
    /// 600.
    case semibold
    /// 700.
    case bold
    /// 800.
    case heavy
    /// 900.
    case black

    /// The weight as OpenType's `usWeightClass` and CSS have it.
    public var number: Int {
        switch self {
        case .ultraLight: 100
        case .thin: 200
        case .light: 300
        case .regular: 400
        case .medium: 500
        case .semibold: 600
        case .bold: 700
        case .heavy: 800
        case .black: 900
        }
    }
}

/// What becomes of text that is wider than its view. Apple, `NSLineBreakMode`.
public enum LineBreakMode: String, CaseIterable, Sendable {
    /// Lines break between words; what does not fit is left out.
    case byWordWrapping
    /// Lines break between characters; what does not fit is left out.
    case byCharWrapping
    /// Lines break between words; the last one extends beyond the edge.
    case byClipping
    /// The last line ends as the text does, after an ellipsis.
    case byTruncatingHead
    /// The last line ends in an ellipsis.
    case byTruncatingTail
    /// The last line has an ellipsis in its middle.
    case byTruncatingMiddle
}
