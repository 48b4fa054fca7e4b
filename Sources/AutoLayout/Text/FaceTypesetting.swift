import LayoutValues
import LineBreaking

/// Sets text in the faces of a hierarchy, at one size.
struct FaceTypesetting {
    let measurer: any TextMeasurer
    let font: Font
    /// Pixels in a point.
    let scale: Double
    private let metrics: LineMetrics

    init(measurer: any TextMeasurer, font: Font, scale: Double) {
        self.measurer = measurer
        self.font = font
        self.scale = scale > 0 ? scale : 1
        metrics = measurer.lineMetrics(weight: font.weight)
    }

    /// What the lengths of a text depend on, besides the measurer's faces.
    struct Setting: Equatable {
        var measurer: ObjectIdentifier
        var font: Font
        var scale: Double
    }

    var setting: Setting {
        Setting(measurer: ObjectIdentifier(measurer), font: font, scale: scale)
    }

    /// The same at another size.
    func resized(to size64: Int) -> Self {
        var font = font
        font.size64 = size64
        return Self(measurer: measurer, font: font, scale: scale)
    }

    // MARK: Lengths

    /// Parts of a point in a unit of 2⁻²⁰ em of text of 1/64 point.
    private static let unitsPerPoint = Double(TextAdvance.unitsPerEm * Font.subdivision)
    /// A width that the layout gives is exact but for the last digits.
    private static let widthTolerance = 1e-6
    /// No line is longer: more points than a scene has.
    private static let widthMaximum = 1e8

    func limit(in width: Double) -> Int {
        let width = min(max(0, width) + Self.widthTolerance, Self.widthMaximum)
        return Int(nearest: (width * Self.unitsPerPoint).rounded(.down)) / font.size64
    }

    /// The width of text in points, before it is rounded to pixels.
    private func points(_ units: Int) -> Double {
        Double(units) * Double(font.size64) / Self.unitsPerPoint
    }

    func width(of extent: Int) -> Double { grid(points(extent), .up) }

    var lineHeight: Double {
        grid(points(metrics.ascender - metrics.descender + metrics.leading), .up)
    }

    /// Apple rounds baselines to pixels, so that ink is as sharp in each line.
    var ascent: Double { grid(points(metrics.ascender), .toNearestOrAwayFromZero) }

    /// A length as whole pixels.
    func grid(_ length: Double, _ rule: FloatingPointRoundingRule) -> Double {
        // What is whole but for the last digits is whole.
        let pixels = length * scale
        let nearest = pixels.rounded()
        return (abs(pixels - nearest) < Self.widthTolerance ? nearest : pixels.rounded(rule))
            / scale
    }

    // MARK: Lines

    func lines(of text: String, limit: Int?, maximum: Int, mode: LineBreakMode)
        -> [Typesetting.Line]
    {
        FaceText(text, self).lines(limit: limit, maximum: maximum, mode: mode)
    }

    func line(of text: String, limit: Int, mode: LineBreakMode) -> Typesetting.Line {
        FaceText(text, self).line(limit: limit, mode: mode)
    }

    /// The natural extent of a text's first paragraph.
    func extent(of text: String) -> Int { FaceText(text, self).naturalExtent }

    // MARK: Extents

    var space: Int { metrics.space }

    /// The advance of text without line breaks.
    ///
    /// Words are measured by themselves, in pieces: so a browser's canvas does, and a piece that
    /// stands in many labels is measured once.
    ///
    /// - Parameter work: Increases by the units for shaping the first and the last piece, and for
    ///   looking the others up.
    func advance(of text: ArraySlice<Unicode.Scalar>, _ work: inout UInt64) -> TextAdvance {
        var sum = TextAdvance(units: 0, isFitted: false)
        var start = text.startIndex
        var last: ArraySlice<Unicode.Scalar> = []
        var first: Int?
        defer { if last.startIndex != first { work &+= LayoutEngine.Price.shaping(last) } }
        while start < text.endIndex {
            guard text[start] != " " else {
                sum.units += metrics.space
                start += 1
                continue
            }
            let end = TextPieces.end(of: text, from: start)
            last = text[start..<end]
            if first == nil {
                first = start
                work &+= LayoutEngine.Price.shaping(last)
            } else {
                work &+= LayoutEngine.Price.word
            }
            let advance = measurer.advance(of: Substring(last), weight: font.weight)
            sum.units += advance.units
            sum.isFitted = sum.isFitted || advance.isFitted
            start = end
        }
        return sum
    }

    /// Whether text without line breaks is longer than a limit; measures no more of it than decides
    /// that.
    func exceeds(
        _ limit: Int, _ text: ArraySlice<Unicode.Scalar>, _ work: inout UInt64
    ) -> Bool {
        var length = TextPieces.scalarMaximum
        while length < text.count {
            if advance(of: text.prefix(length), &work).units > limit { return true }
            length *= 2
        }
        return advance(of: text, &work).units > limit
    }
}

/// The parts of words that are measured by themselves.
enum TextPieces {
    /// The most scalars of a piece, besides marks on the last one.
    static let scalarMaximum = 64
    private static let markMaximum = 16

    /// The end of the piece that begins at a place: one ideograph, or a run without spaces and
    /// ideographs.
    static func end(of text: ArraySlice<Unicode.Scalar>, from start: Int) -> Int {
        var end = start + 1
        var marks = 0
        let isAlone = isIdeographic(text[start])
        while end < text.endIndex {
            let scalar = text[end]
            if isAttached(scalar) {
                marks += 1
                guard marks <= markMaximum else { return end }
            } else {
                marks = 0
                guard !isAlone, scalar != " ", !isIdeographic(scalar),
                    end - start < scalarMaximum
                else { return end }
            }
            end += 1
        }
        return end
    }

    /// Whether a scalar belongs to the one before it.
    private static func isAttached(_ scalar: Unicode.Scalar) -> Bool {
        // Before the first mark of Unicode.
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return true
        default: return scalar == "\u{200D}" || scalar.properties.isEmojiModifier
        }
    }

    /// Whether a character has its advance whatever stands beside it: ideographs, kana, bopomofo,
    /// and the punctuation and full-width forms among them.
    private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x2E80: false
        case 0x2E80...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0xFF00...0xFFEF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
