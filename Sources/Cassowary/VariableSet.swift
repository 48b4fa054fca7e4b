/// A set of variable numbers: one bit for each, and one for each 64 of them, so that a walk in order skips what is empty.
struct VariableSet: ~Copyable {
    private var words = Buffer<UInt64>()
    private var summary = Buffer<UInt64>()

    init() {}

    init(copying other: borrowing VariableSet) {
        words = Buffer(copying: other.words)
        summary = Buffer(copying: other.summary)
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
        if isFirst { summary[word >> 6] |= 1 << UInt64(word & 63) }
    }

    /// Inserts the numbers from `64 * word` on whose bits are set.
    @inline(__always)
    mutating func insert(_ members: UInt64, inWord word: Int32) {
        guard members != 0 else { return }
        words[word] |= members
        summary[word >> 6] |= 1 << UInt64(word & 63)
    }

    mutating func removeAll() {
        for top in summary.indices where summary[top] != 0 {
            var rest = summary[top]
            while rest != 0 {
                words[top << 6 | rest.trailingZeroBitCount] = 0
                rest &= rest &- 1
            }
            summary[top] = 0
        }
    }

    /// Which of the 64 numbers from `64 * word` on are members, one bit for each.
    @inline(__always)
    func members(ofWord word: Int32) -> UInt64 { words[word] }

    /// The first word from `word` on that has members, or -1.
    @inline(__always)
    func nextWord(from word: Int32) -> Int32 {
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

    /// How many members there are.
    var count: Int {
        var result = 0
        var word = nextWord(from: 0)
        while word >= 0 {
            result += words[word].nonzeroBitCount
            word = nextWord(from: word &+ 1)
        }
        return result
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
