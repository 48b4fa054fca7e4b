/// How many columns of a character grid a character takes.
///
/// The one place that decides it, for the engine's text metrics and for every renderer of ours,
/// from a table with a pinned Unicode version: C libraries and terminals disagree with one another.
/// It knows neither layouts nor terminals and may be used from any thread.

/// The number of columns, 0 to 2, that a character (a grapheme cluster) takes.
///
/// A cluster takes as many as its widest scalar; one that asks for emoji presentation (U+FE0F)
/// takes two.
/// - Complexity: O(log *n*) in the size of the tables for each scalar.
/// - Source: Unicode Standard Annex #11; Unicode Technical Standard #51 for emoji.
public func displayWidth(of character: Character) -> Int {
    var widest = 0
    var count = 0
    for scalar in character.unicodeScalars {
        count += 1
        if scalar.value == 0xFE0F, count > 1 { return 2 }
        if count == 2, (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
        widest = max(widest, columns(of: scalar))
    }
    return widest
}

/// The number of columns that a text without line breaks takes.
public func displayWidth(of text: some StringProtocol) -> Int {
    var total = 0
    for character in text { total += displayWidth(of: character) }
    return total
}

/// The version of Unicode whose tables are used.
public var characterWidthUnicodeVersion: String { WidthTables.unicodeVersion }

private func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value >= 0x20, value < 0x7F { return 1 }
    if value < 0x20 || (0x7F..<0xA0).contains(value) { return 0 }
    if contains(WidthTables.zero, value) { return 0 }
    return contains(WidthTables.wide, value) ? 2 : 1
}

private func contains(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
        let middle = (low + high) / 2
        if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
}
