/// A scalar as the rules see it.
struct LineBreakUnit {
    var kind: LineBreakClass
    /// Whether `East_Asian_Width` is wide, full-width or half-width.
    var isEastAsian: Bool
    /// Whether it is an unassigned `Extended_Pictographic`.
    var isUnassignedPictograph = false
    /// Whether it is U+25CC, on which marks without a base are shown.
    var isDottedCircle = false
}

/// Classes by scalar: a table of two stages, expanded once from its runs.
struct LineBreakClasses: Sendable {
    static let shared = LineBreakClasses()

    private static let blockBits = 7
    private static let blockLength = 1 << blockBits
    private static let wideFlag: UInt8 = 0x40
    private static let pictographFlag: UInt8 = 0x80

    /// The block of each 128 scalars.
    private let blocks: [UInt16]
    /// The distinct blocks, one after another.
    private let entries: [UInt8]

    private init() {
        var blocks: [UInt16] = []
        var entries: [UInt8] = []
        var known: [[UInt8]: UInt16] = [:]
        let runs = LineBreakTable.runs
        var run = 0
        var scalar: UInt32 = 0
        var block: [UInt8] = []
        block.reserveCapacity(Self.blockLength)
        while scalar <= 0x10FFFF {
            while run + 1 < runs.count, runs[run + 1] >> 8 <= scalar { run += 1 }
            block.append(UInt8(truncatingIfNeeded: runs[run]))
            scalar += 1
            guard block.count == Self.blockLength else { continue }
            if let number = known[block] {
                blocks.append(number)
            } else {
                let number = UInt16(entries.count >> Self.blockBits)
                known[block] = number
                blocks.append(number)
                entries += block
            }
            block.removeAll(keepingCapacity: true)
        }
        self.blocks = blocks
        self.entries = entries
    }

    func unit(of scalar: Unicode.Scalar) -> LineBreakUnit {
        let value = Int(scalar.value)
        let block = Int(blocks[value >> Self.blockBits])
        let entry = entries[block << Self.blockBits | value & (Self.blockLength - 1)]
        let number = entry & ~(Self.wideFlag | Self.pictographFlag)
        return LineBreakUnit(
            kind: LineBreakClass(rawValue: number) ?? .al,
            isEastAsian: entry & Self.wideFlag != 0,
            isUnassignedPictograph: entry & Self.pictographFlag != 0,
            isDottedCircle: scalar == "\u{25CC}")
    }
}
