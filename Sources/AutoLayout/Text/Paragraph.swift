import LineBreaking

/// Text between two mandatory breaks, set in faces.
final class Paragraph {
    /// A run of scalars without spaces.
    private struct Word {
        var range: Range<Int>
        /// The extent of the whole.
        var advance: TextAdvance
    }

    /// Words from the start of a line on, where the line may end.
    private struct Fitting {
        /// The place after the last word.
        var end: Int
        /// Where the next line begins.
        var next: Int
        var advance: TextAdvance
    }

    /// What a line shows.
    enum Shown {
        case part(Range<Int>)
        /// A part with other characters at its ends.
        case scalars([Unicode.Scalar])
    }

    /// A line.
    struct Line {
        var shown: Shown
        var advance: TextAdvance
    }

    private let setting: FaceTypesetting
    /// The whole text, where the paragraph is all of it.
    private let text: String?
    private let scalars: [Unicode.Scalar]
    /// Where a line may end, ascending; nil until a line has to end before the text does.
    private var knownBreaks: [Int]?
    private lazy var words = measuredWords()
    /// The ends of the characters, as people count characters.
    private lazy var characterEnds = ends()

    /// The units of work of measuring parts of words; `takeWork` resets it.
    private var work: UInt64 = 0

    var count: Int { scalars.count }

    /// The units of work of measuring parts of words since the last call.
    func takeWork() -> UInt64 {
        defer { work = 0 }
        return work
    }

    /// The paragraphs of a text, one at least.
    static func all(of text: String, _ setting: FaceTypesetting) -> [Paragraph] {
        let scalars = Array(text.unicodeScalars)
        guard scalars.contains(where: isTerminator) else {
            return [Paragraph(scalars, setting, text: text, breaks: nil)]
        }
        let breaks = lineBreakOpportunities(in: scalars, strictness: .normal)
        var result: [Paragraph] = []
        var start = 0
        for index in scalars.indices where breaks[index + 1] == .mandatory {
            result.append(Paragraph(start..<(index + 1), of: scalars, breaks, setting))
            start = index + 1
        }
        // A text that ends in a break has an empty last line, as an empty text has one.
        if scalars.last.map(isTerminator) ?? true {
            result.append(Paragraph(start..<start, of: scalars, breaks, setting))
        }
        return result
    }

    private static func isTerminator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    private init(
        _ scalars: [Unicode.Scalar], _ setting: FaceTypesetting, text: String?, breaks: [Int]?
    ) {
        self.setting = setting
        self.text = text
        self.scalars = scalars
        knownBreaks = breaks
    }

    /// Makes a paragraph of a part of a text, from the line breaks of the whole text.
    private convenience init(
        _ range: Range<Int>, of scalars: [Unicode.Scalar], _ breaks: [LineBreakOpportunity],
        _ setting: FaceTypesetting
    ) {
        var end = range.upperBound
        while end > range.lowerBound, Self.isTerminator(scalars[end - 1]) { end -= 1 }
        let range = range.lowerBound..<end
        self.init(
            Array(scalars[range]), setting, text: nil, breaks: Self.allowed(breaks, in: range))
    }

    private static func allowed(_ breaks: [LineBreakOpportunity], in range: Range<Int>) -> [Int] {
        range.compactMap { breaks[$0] == .allowed ? $0 - range.lowerBound : nil }
    }

    /// Where a line may end, ascending.
    private var breaks: [Int] {
        if let knownBreaks { return knownBreaks }
        let breaks = Self.allowed(
            lineBreakOpportunities(in: scalars, strictness: .normal), in: 0..<count)
        knownBreaks = breaks
        return breaks
    }

    private func measuredWords() -> [Word] {
        var words: [Word] = []
        var start = 0
        while start < count {
            guard scalars[start] != " " else {
                start += 1
                continue
            }
            let end = scalars[start...].firstIndex(of: " ") ?? count
            // Paid for when the text changed.
            var paid: UInt64 = 0
            let advance = setting.advance(of: scalars[start..<end], &paid)
            words.append(Word(range: start..<end, advance: advance))
            start = end
        }
        return words
    }

    private func ends() -> [Int] {
        var end = 0
        return String(scalars[...]).map { character in
            end += character.unicodeScalars.count
            return end
        }
    }

    // MARK: A line

    /// A line, and where the next one begins.
    struct Broken {
        var line: Line
        var next: Int
    }

    /// What a line says.
    func text(of line: Line) -> String {
        switch line.shown {
        case .part(let range):
            if let text, range == 0..<count { return text }
            return String(scalars[range])
        case .scalars(let scalars): return String(scalars[...])
        }
    }

    /// The line that begins at a place: as long as the limit allows, a character at least.
    ///
    /// - Parameter breaksWords: Whether it may end after any character.
    func line(from start: Int, limit: Int?, breaksWords: Bool) -> Broken {
        if breaksWords, let limit { return brokenWord(from: start, to: count, limit) }
        // Most texts fit in one line, for which line breaks need not be computed.
        if start == 0, let whole, limit.map({ whole.advance.units <= $0 }) ?? true {
            return broken(from: 0, whole)
        }
        // The last words that fit, where a line may end.
        var fitting: Fitting?
        var advance = TextAdvance(units: 0, isFitted: false)
        var place = start
        for word in words[firstWord(from: start)...] {
            let begin = max(word.range.lowerBound, start)
            let range = begin..<word.range.upperBound
            advance.units += (begin - place) * setting.space
            // A word that was broken before is measured from there on.
            let isWhole = begin == word.range.lowerBound
            if let limit {
                let room = limit - advance.units
                guard
                    isWhole
                        ? word.advance.units <= room : !setting.exceeds(room, scalars[range], &work)
                else {
                    return overflowing(from: start, at: range, room: room, fitting, limit)
                }
            }
            let own = isWhole ? word.advance : setting.advance(of: scalars[range], &work)
            advance.units += own.units
            advance.isFitted = advance.isFitted || own.isFitted
            place = range.upperBound
            let next = pastSpaces(place)
            if next == count || isBreak(next) {
                fitting = Fitting(end: place, next: next, advance: advance)
            }
        }
        let all = fitting ?? Fitting(end: start, next: count, advance: advance)
        return broken(from: start, all)
    }

    /// All words; nil where there is none.
    private var whole: Fitting? {
        guard let last = words.last else { return nil }
        var advance = TextAdvance(units: 0, isFitted: false)
        var place = 0
        for word in words {
            advance.units += (word.range.lowerBound - place) * setting.space + word.advance.units
            advance.isFitted = advance.isFitted || word.advance.isFitted
            place = word.range.upperBound
        }
        return Fitting(end: last.range.upperBound, next: count, advance: advance)
    }

    private func broken(from start: Int, _ fitting: Fitting) -> Broken {
        Broken(
            line: Line(shown: .part(start..<fitting.end), advance: fitting.advance),
            next: fitting.next)
    }

    /// The line that ends in a word that does not fit, or before it.
    private func overflowing(
        from start: Int, at word: Range<Int>, room: Int, _ fitting: Fitting?, _ limit: Int
    ) -> Broken {
        let first = Self.partition(breaks.count) { breaks[$0] <= word.lowerBound }
        // Prefixes grow with their ends, but for odd kerning.
        let count = Self.gallop(breaks.count - first) { index in
            let end = breaks[first + index]
            return end < word.upperBound
                && setting.advance(of: endScalars(word.lowerBound..<end), &work).units <= room
        }
        if count > 0 {
            let end = breaks[first + count - 1]
            return Broken(line: shown(start..<end), next: pastSpaces(end))
        }
        if let fitting { return broken(from: start, fitting) }
        return brokenWord(from: start, to: word.upperBound, limit)
    }

    /// The line that ends after a character.
    private func brokenWord(from start: Int, to end: Int, _ limit: Int) -> Broken {
        let first = Self.partition(characterEnds.count) { characterEnds[$0] <= start }
        let count = Self.gallop(characterEnds.count - first) { index in
            characterEnds[first + index] <= end
                && setting.advance(of: scalars[start..<characterEnds[first + index]], &work).units
                    <= limit
        }
        guard first < characterEnds.count else {
            return Broken(line: shown(start..<end), next: end)
        }
        let last = characterEnds[first + max(0, count - 1)]
        return Broken(line: shown(start..<last), next: pastSpaces(last))
    }

    // MARK: What does not fit

    /// The last visible line of a text that does not fit.
    func lastLine(
        from start: Int, _ broken: Broken, limit: Int?, mode: LineBreakMode
    ) -> Line {
        switch mode {
        case .byWordWrapping, .byCharWrapping: return broken.line
        case .byClipping: return shown(start..<count)
        case .byTruncatingHead, .byTruncatingTail, .byTruncatingMiddle: break
        }
        let first = Self.partition(characterEnds.count) { characterEnds[$0] <= start }
        let total = characterEnds.count - first
        func place(_ character: Int) -> Int {
            character == 0 ? start : characterEnds[first + character - 1]
        }
        func kept(_ number: Int) -> [Unicode.Scalar] {
            let (head, tail) =
                switch mode {
                case .byTruncatingHead: (0, number)
                case .byTruncatingMiddle: (number - number / 2, number / 2)
                default: (number, 0)
                }
            var before = scalars[start..<place(head)]
            while before.last == " " { before.removeLast() }
            let after = scalars[place(total - tail)...].drop { $0 == " " }
            return before + [Self.ellipsis] + after
        }
        guard let limit else { return line(kept(total)) }
        let count = Self.gallop(total + 1) {
            setting.advance(of: kept($0)[...], &work).units <= limit
        }
        return line(kept(max(0, count - 1)))
    }

    private static let ellipsis: Unicode.Scalar = "…"

    // MARK: Parts

    /// The first indices that satisfy a condition, which none satisfies after them.
    private static func partition(_ count: Int, where fits: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if fits(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The same, where few do: nothing far beyond them is asked.
    private static func gallop(_ count: Int, where fits: (Int) -> Bool) -> Int {
        var high = 1
        while high <= count, fits(high - 1) { high *= 2 }
        let low = high / 2
        return low + partition(min(high - 1, count) - low) { fits(low + $0) }
    }

    private func firstWord(from place: Int) -> Int {
        Self.partition(words.count) { words[$0].range.upperBound <= place }
    }

    private func isBreak(_ place: Int) -> Bool {
        let index = Self.partition(breaks.count) { breaks[$0] < place }
        return index < breaks.count && breaks[index] == place
    }

    private func pastSpaces(_ place: Int) -> Int {
        var place = place
        while place < count, scalars[place] == " " { place += 1 }
        return place
    }

    private static let softHyphen: Unicode.Scalar = "\u{AD}"

    /// What a line that ends within the paragraph shows: a soft hyphen is seen there alone.
    private func endScalars(_ range: Range<Int>) -> ArraySlice<Unicode.Scalar> {
        guard scalars[range].last == Self.softHyphen else { return scalars[range] }
        return scalars[range].dropLast() + ["-"]
    }

    /// A part of the paragraph as a line: spaces at a break are left out.
    private func shown(_ range: Range<Int>) -> Line {
        var end = range.upperBound
        while end > range.lowerBound, scalars[end - 1] == " " { end -= 1 }
        let part = range.lowerBound..<end
        guard end == count || scalars[part].last != Self.softHyphen else {
            return line(Array(endScalars(part)))
        }
        return Line(shown: .part(part), advance: setting.advance(of: scalars[part], &work))
    }

    private func line(_ shown: [Unicode.Scalar]) -> Line {
        Line(shown: .scalars(shown), advance: setting.advance(of: shown[...], &work))
    }
}

extension String {
    /// By bytes: a view of scalars takes them one by one through its generic interface, twenty
    /// times as slowly.
    init(_ scalars: ArraySlice<Unicode.Scalar>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count)
        for scalar in scalars {
            if scalar.isASCII {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    init(_ scalars: ArraySlice<Unicode.Scalar>) { self = String(scalars)[...] }
}
