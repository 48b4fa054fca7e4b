/// A set of variable numbers: one bit for each, and one for each 64 of them, so that a walk in
/// order skips what is empty.
struct VariableSet: ~Copyable {
    private var words = Buffer<UInt64>()
    private var summary = Buffer<UInt64>()
    /// How many of the words have members.
    private(set) var wordCount = 0

    init() {}

    init(copying other: borrowing VariableSet) {
        words = Buffer(copying: other.words)
        summary = Buffer(copying: other.summary)
        wordCount = other.wordCount
    }

    /// How many members there are.
    ///
    /// - Complexity: O(largest number / 64).
    var count: Int {
        var count = 0
        for word in words.indices { count &+= words[word].nonzeroBitCount }
        return count
    }

    mutating func grow(to count: Int) {
        words.grow(to: (count + 63) / 64, filling: 0)
        summary.grow(to: (words.count + 63) / 64, filling: 0)
    }

    @inline(__always)
    mutating func insert(_ variable: Int32) {
        let word = variable >> 6
        let isFirst = words.modify(word) { members in
            let isFirst = members == 0
            members |= 1 << UInt64(variable & 63)
            return isFirst
        }
        if isFirst { note(word) }
    }

    @inline(__always)
    func contains(_ variable: Int32) -> Bool {
        words[variable >> 6] & 1 << UInt64(variable & 63) != 0
    }

    /// Notes that a word has its first members.
    @inline(__always)
    private mutating func note(_ word: Int32) {
        summary[word >> 6] |= 1 << UInt64(word & 63)
        wordCount &+= 1
    }

    /// Inserts the numbers from `64 * word` on whose bits are set.
    @inline(__always)
    mutating func insert(_ members: UInt64, inWord word: Int32) {
        guard members != 0 else { return }
        if words[word] == 0 { note(word) }
        words[word] |= members
    }

    /// Takes the members out, 64 numbers at a time in ascending order.
    ///
    /// - Parameter walk: Where the walk has got to.
    /// - Returns: The members among the 64 numbers from `64 * word` on, one bit for each; `nil`
    ///   when there are no more.
    @inline(__always)
    mutating func takeWord(_ walk: inout Walk) -> (word: Int32, members: UInt64)? {
        while walk.rest == 0 {
            guard wordCount > 0 else { return nil }
            walk.top &+= 1
            walk.rest = summary[walk.top]
            summary[walk.top] = 0
        }
        let word = walk.top << 6 | Int32(truncatingIfNeeded: walk.rest.trailingZeroBitCount)
        walk.rest &= walk.rest &- 1
        wordCount &-= 1
        let members = words[word]
        words[word] = 0
        return (word, members)
    }

    /// How far a walk that takes all members out has got.
    struct Walk {
        fileprivate var top: Int32 = -1
        fileprivate var rest: UInt64 = 0
    }

    /// The first word from `word` on that has members, or -1.
    private func nextWord(from word: Int32) -> Int32 {
        var top = word >> 6
        guard top < summary.count else { return -1 }
        var tops = summary[top] & (UInt64.max << UInt64(word & 63))
        while tops == 0 {
            top &+= 1
            guard top < summary.count else { return -1 }
            tops = summary[top]
        }
        return top << 6 | Int32(tops.trailingZeroBitCount)
    }

    /// The smallest member above `variable`, or -1.
    func next(after variable: Int32) -> Int32 {
        let start = variable &+ 1
        guard start >> 6 < words.count else { return -1 }
        let rest = words[start >> 6] >> UInt64(start & 63)
        if rest != 0 { return start &+ Int32(rest.trailingZeroBitCount) }
        let word = nextWord(from: start >> 6 &+ 1)
        return word < 0 ? -1 : word << 6 | Int32(words[word].trailingZeroBitCount)
    }
}
