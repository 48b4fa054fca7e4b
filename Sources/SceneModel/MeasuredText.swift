import AutoLayout
import LayoutValues

/// How long the words of a scene were in its faces when they were first measured.
///
/// A journal has them, so that a scene is laid out again as it was: without the files of its faces,
/// and with another shaper. Text on the grid needs none.
public struct MeasuredText: Sendable, Equatable {
    /// A word of one weight.
    struct Key: Hashable {
        var weight: FontWeight
        var word: String

        /// By bytes: texts that Unicode calls equal may have other glyphs.
        static func == (left: Key, right: Key) -> Bool {
            left.weight == right.weight && left.word.utf8.elementsEqual(right.word.utf8)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(weight)
            var word = word
            word.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// A word's length as it is kept: below zero, less one, where the line is to be fitted.
    struct Length: Equatable {
        let signed: Int32

        init(signed: Int32) { self.signed = signed }

        init(_ advance: TextAdvance) {
            let units = Int32(clamping: max(advance.units, 0))
            signed = advance.isFitted ? -1 - units : units
        }

        var advance: TextAdvance {
            TextAdvance(units: Int(signed < 0 ? -1 - signed : signed), isFitted: signed < 0)
        }
    }

    /// What is known of words and lines.
    struct Lengths: Equatable {
        var words: [Key: Length] = [:]
        var lines: [FontWeight: LineMetrics] = [:]

        var isEmpty: Bool { words.isEmpty && lines.isEmpty }

        /// Adds what another has, which counts where both differ. Loops, since Embedded Swift has
        /// no `merge`.
        mutating func formUnion(_ other: Lengths) {
            for (key, length) in other.words { words[key] = length }
            for (weight, line) in other.lines { lines[weight] = line }
        }

        /// Adds what another has besides.
        mutating func add(_ other: Lengths) {
            for (key, length) in other.words where words[key] == nil { words[key] = length }
            for (weight, line) in other.lines where lines[weight] == nil { lines[weight] = line }
        }
    }

    /// What the scene that is built now has asked for.
    private var used = Lengths()
    /// What the journal has besides: of words that are not on show any more, or not yet.
    private var recorded = Lengths()
    /// What the journal does not have yet.
    private var untold = Lengths()

    /// Nothing is measured.
    public init() {}

    init(recorded: Lengths) { self.recorded = recorded }

    /// Whether nothing is known.
    public var isEmpty: Bool { used.isEmpty && recorded.isEmpty }

    /// All that is known.
    var all: Lengths {
        var all = recorded
        all.formUnion(used)
        return all
    }

    /// The approximate memory in bytes.
    ///
    /// - Complexity: O(words).
    var byteEstimate: Int {
        var bytes = 0
        for key in used.words.keys { bytes += Self.wordBytes + key.word.utf8.count }
        for key in recorded.words.keys { bytes += Self.wordBytes + key.word.utf8.count }
        return bytes
    }

    private static let wordBytes = 60

    /// A word's length, if it is known.
    mutating func advance(of key: Key) -> TextAdvance? {
        if let known = used.words[key] { return known.advance }
        guard let known = recorded.words[key] else { return nil }
        used.words[key] = known
        return known.advance
    }

    /// The lengths that lines share, if they are known.
    mutating func lineMetrics(_ weight: FontWeight) -> LineMetrics? {
        if let known = used.lines[weight] { return known }
        guard let known = recorded.lines[weight] else { return nil }
        used.lines[weight] = known
        return known
    }

    /// - Returns: The length as it is kept: no word is longer than 2,048 em.
    mutating func note(_ advance: TextAdvance, of key: Key) -> TextAdvance {
        let length = Length(advance)
        used.words[key] = length
        untold.words[key] = length
        return length.advance
    }

    mutating func note(_ metrics: LineMetrics, of weight: FontWeight) {
        used.lines[weight] = metrics
        untold.lines[weight] = metrics
    }

    /// Takes what another record of the journal says.
    mutating func add(_ lengths: Lengths) {
        recorded.formUnion(lengths)
        used.formUnion(lengths)
    }

    /// Adds what the same scene needs on a device.
    public mutating func formUnion(_ device: MeasuredText) {
        used.add(device.used)
    }

    /// A scene is built from a snapshot that has these lengths.
    mutating func beginScene() {
        recorded = all
        used = Lengths()
    }

    /// Forgets what the scene that was built last did not ask for: a snapshot that has the rest has
    /// all that the scene needs.
    public mutating func forgetUnused() {
        recorded = Lengths()
        untold = Lengths()
    }

    /// Whether the journal lacks anything.
    public var isUntold: Bool { !untold.isEmpty }

    /// Removes and returns what the journal does not have yet.
    mutating func takeUntold() -> Lengths {
        defer { untold = Lengths() }
        return untold
    }

    /// Takes over what the journal lacks of a device.
    public mutating func takeUntold(of device: inout MeasuredText) {
        let (others, known) = (device.takeUntold(), all)
        for (key, length) in others.words where known.words[key] == nil {
            untold.words[key] = length
        }
        for (weight, line) in others.lines where known.lines[weight] == nil {
            untold.lines[weight] = line
        }
        formUnion(device)
    }

    /// Whether two know the same; what was told of it does not matter.
    public static func == (left: MeasuredText, right: MeasuredText) -> Bool {
        left.all == right.all
    }
}
