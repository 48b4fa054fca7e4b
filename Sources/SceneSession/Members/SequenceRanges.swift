/// Numbers that mostly follow one another, as ranges. Of many gaps the earliest numbers are
/// forgotten.
struct SequenceRanges: Sendable, Equatable {
    /// How many ranges are remembered.
    static let countMaximum = 64

    /// In order; no two touch.
    private(set) var ranges: [ClosedRange<UInt64>] = []

    /// Adds a number.
    ///
    /// - Complexity: O(1) for the next number, O(ranges) for others.
    mutating func insert(_ number: UInt64) { insert(number...number) }

    /// Adds a range.
    ///
    /// - Complexity: O(ranges).
    mutating func insert(_ new: ClosedRange<UInt64>) {
        var merged = new
        var index = ranges.count
        while index > 0 {
            let range = ranges[index - 1]
            if range.upperBound < merged.lowerBound {
                guard range.upperBound + 1 == merged.lowerBound else { break }
            } else if merged.upperBound < range.lowerBound,
                merged.upperBound + 1 < range.lowerBound
            {
                index -= 1
                continue
            }
            merged =
                min(
                    range.lowerBound, merged.lowerBound)...max(
                    range.upperBound, merged.upperBound)
            ranges.remove(at: index - 1)
            index -= 1
        }
        ranges.insert(merged, at: index)
        if ranges.count > Self.countMaximum { ranges.removeFirst() }
    }

    /// Whether a number is in one of the ranges.
    ///
    /// - Complexity: O(ranges).
    func contains(_ number: UInt64) -> Bool { ranges.contains { $0.contains(number) } }
}
