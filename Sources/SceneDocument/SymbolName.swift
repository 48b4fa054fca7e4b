/// The name of a symbol of the set that ships with the program, by SF Symbols' naming. Apple,
/// `UIImage(systemName:)`.
public struct SymbolName: Hashable, Sendable {
    /// The name, such as `square.and.arrow.up`.
    public let text: String

    /// The bytes of the longest name that the wire carries.
    public static let byteMaximum = 64

    /// Finds a name; nil where the set has none such.
    ///
    /// - Complexity: O(log *n*), *n* being the names of the set.
    public init?(_ text: String) {
        var range = Self.all.indices
        // By bytes, which is the order of the list: a comparison of texts would bring Unicode's
        // tables into the module for browsers.
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let name = Self.all[middle]
            if name.utf8.elementsEqual(text.utf8) {
                self.text = name
                return
            }
            range =
                name.utf8.lexicographicallyPrecedes(text.utf8)
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The most names that are suggested.
    private static let suggestionMaximum = 3

    /// The names that differ from a text in the fewest letters, the nearest first; those that share
    /// less than half of their letters are left out.
    ///
    /// - Complexity: O(*n* · *m*), *n* being the letters of all names, *m* those of the text; O(1)
    ///   for a text longer than any name.
    static func closest(to text: String) -> [String] {
        let wanted = Array(text.utf8)
        guard !wanted.isEmpty, wanted.count <= byteMaximum else { return [] }
        var found: [(distance: Int, name: String)] = []
        for name in all {
            let longer = max(wanted.count, name.utf8.count)
            // The letters that one has too many are a part of the distance. So a refused name costs
            // tens of microseconds, however long it is.
            guard 2 * abs(wanted.count - name.utf8.count) <= longer else { continue }
            let letters = Array(name.utf8)
            let distance = distance(wanted, letters)
            guard 2 * distance <= longer else { continue }
            let place = found.firstIndex { distance < $0.distance } ?? found.count
            found.insert((distance, name), at: place)
            if found.count > suggestionMaximum { found.removeLast() }
        }
        return found.map { $0.name }
    }

    /// The letters that have to be added, removed and changed. Source: Levenshtein's distance, by
    /// the algorithm of Wagner and Fischer.
    private static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var row = Array(0...to.count)
        for (index, letter) in from.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in to.indices {
                let changed = diagonal + (letter == to[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, min(diagonal, row[column]) + 1)
            }
        }
        return row[to.count]
    }
}
