/// What rows and citations have in common: they are ascending numbers, of views or of slots, each
/// with few bits and up to four deltas.
///
/// They are counted first, by `EntrySums`; then it is known how they are written.
struct EntryCode {
    let gaps: RiceCode
    let deltas: RiceCode
    /// How many bits an entry may have that is written as one word: none has so few where numbers
    /// may be written whole.
    private let countMaximum: UInt64
    private var next: UInt32 = 0

    @inline(__always)
    init(_ sums: EntrySums) {
        gaps = RiceCode(sums.gaps)
        deltas = RiceCode(sums.deltas)
        countMaximum = gaps.hasEscape || deltas.hasEscape ? 0 : BitWord.countMaximum
    }

    /// The most bytes that entries take, besides the bits of their own.
    var bytesMaximum: Int { gaps.bytesMaximum &+ deltas.bytesMaximum }

    /// Writes an entry.
    ///
    /// - Parameters:
    ///   - own: Its few bits, at most 8.
    ///   - values: Its deltas as they are written.
    ///   - lanes: All ones in the place of each delta; elsewhere 0, as is `values`.
    ///   - mayExceedTwo: Whether one of the last two lanes may be.
    @inline(__always)
    mutating func put(
        _ number: UInt32, _ own: BitWord, _ values: SIMD4<UInt32>, _ lanes: SIMD4<UInt32>,
        mayExceedTwo: Bool, _ writer: inout BitWriter, to bytes: inout MutableRawSpan
    ) {
        let gap = number &- next
        next = number &+ 1
        var word = gaps.word(gap)
        word.append(own)
        word.append(deltas.word(values, in: lanes, mayExceedTwo: mayExceedTwo))
        if word.count <= countMaximum {
            writer.put(word, to: &bytes)
        } else {
            // By value, so that the writer stays in the processor's registers.
            writer = putSingly(gap, own, values, lanes, writer, to: &bytes)
        }
    }

    /// Writes what does not fit into one word.
    ///
    /// - Returns: The writer after it.
    @inline(never)
    private func putSingly(
        _ gap: UInt32, _ own: BitWord, _ values: SIMD4<UInt32>, _ lanes: SIMD4<UInt32>,
        _ writer: BitWriter, to bytes: inout MutableRawSpan
    ) -> BitWriter {
        var writer = writer
        writer.rice(gap, gaps, to: &bytes)
        writer.put(own, to: &bytes)
        for side in 0..<4 where lanes[side] != 0 {
            writer.rice(values[side], deltas, to: &bytes)
        }
        return writer
    }
}

/// The sums of entries.
struct EntrySums {
    private var count = 0
    private var next: UInt32 = 0
    private var gapSum: UInt64 = 0
    private var gapUnion: UInt32 = 0
    private var deltaSums = SIMD2<UInt64>.zero
    private var deltaUnion = SIMD4<UInt32>.zero
    private var deltaCount = 0

    /// - Parameters:
    ///   - values: An entry's deltas as they are written; 0 where there is none.
    ///   - valueCount: How many deltas there are.
    @inline(__always)
    mutating func add(_ number: UInt32, _ values: SIMD4<UInt32>, _ valueCount: Int) {
        let gap = number &- next
        next = number &+ 1
        count &+= 1
        gapSum &+= UInt64(gap)
        gapUnion |= gap
        deltaSums &+= values.pairSums
        deltaUnion |= values
        deltaCount &+= valueCount
    }

    var gaps: RiceSums { RiceSums(sum: gapSum, union: gapUnion, count: count) }

    var deltas: RiceSums {
        RiceSums(
            sum: deltaSums.wrappedSum(),
            union: deltaUnion[0] | deltaUnion[1] | deltaUnion[2] | deltaUnion[3],
            count: deltaCount)
    }
}
