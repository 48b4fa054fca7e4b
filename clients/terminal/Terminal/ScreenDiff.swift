/// The escape sequences that change one picture on a terminal into another.
public enum ScreenDiff {
    /// The bytes to write; empty if no visible change is needed.
    ///
    /// The bytes start and end with the terminal's own colours and no attributes, at any cursor
    /// position.
    /// - Parameters:
    ///   - old: The terminal's present contents; nil, or another size, if unknown.
    ///   - synchronized: Encloses the bytes in mode 2026, so that a terminal that supports it shows
    ///     them at once.
    /// - Complexity: O(cells + changed cells · log of the pens used).
    public static func bytes(
        from old: CellGrid?, to new: CellGrid, colors: ColorDepth, synchronized: Bool
    ) -> [UInt8] {
        var renderer = ScreenRenderer(colors: colors)
        return renderer.bytes(from: old, to: new, synchronized: synchronized, endsPlain: true)
    }
}

/// Converts a sequence of pictures to the bytes for a terminal that no other program writes to;
/// tracks the cursor and the present colours.
///
/// Only changed cells are written, and unchanged ones between them if that is shorter than moving
/// the cursor. Cells of the same colours are written together if that saves bytes. After an emoji
/// or a character of several scalars the cursor is placed absolutely, since terminals disagree on
/// the width of these; to the right of the latter the whole row is rewritten, in case the terminal
/// used more cells.
///
/// - Source: ECMA-48 (BS, CR, VT, CUU, CUD, CUF, CUB, CUP, ED, SGR). VT moves down a row like LF,
///   but no terminal driver converts it to CR LF.
public struct ScreenRenderer: ~Copyable {
    /// The number of bytes between two changes up to which writing costs no more than moving the
    /// cursor.
    private static let bridgeBytes = 4

    private var writer: ScreenWriter
    private var runs: [ScreenRun] = []
    private var pens = PenTable()
    /// The pixels on the terminal, if it shows any.
    private var layer: PictureLayer?

    /// Makes a renderer for a terminal with unknown contents.
    public init(colors: ColorDepth, encoding: TextEncoding = .utf8) {
        writer = ScreenWriter(colors: colors, encoding: encoding)
    }

    /// Marks the cursor position as unknown; assumes the terminal's own colours.
    public mutating func reset() { writer.reset() }

    /// The bytes that change `old` into `new`; empty if no visible change is needed.
    ///
    /// - Parameters:
    ///   - old: The terminal's present contents; nil, or another size, if unknown.
    ///   - synchronized: Encloses the bytes in mode 2026.
    ///   - endsPlain: Whether to restore the terminal's own colours at the end.
    ///   - isMoving: Whether the next picture will differ by itself.
    public mutating func bytes(
        from old: CellGrid?, to new: CellGrid, synchronized: Bool, endsPlain: Bool = false,
        isMoving: Bool = false
    ) -> [UInt8] {
        writer.begin(synchronized: synchronized)
        var known = old
        if old?.size != new.size {
            if let removals = layer?.forget() { writer.append(removals) }
            writer.clear()
            known = nil
        }
        let present = known ?? CellGrid(size: new.size)
        if let update = updateLayer(present, new, isMoving: isMoving) {
            writer.append(update.removals)
            collect(update.old, update.new)
            write(update.new)
            for (bytes, place) in update.drawings { writer.draw(bytes, at: place) }
        } else {
            collect(present, new)
            write(new)
        }
        return writer.end(plainly: endsPlain)
    }

    // MARK: Pixels

    /// The pixels that change; nil without any.
    private mutating func updateLayer(
        _ old: CellGrid, _ new: CellGrid, isMoving: Bool
    ) -> PictureLayer.Update? {
        guard let isEmpty = layer?.isEmpty, !(isEmpty && new.pictures.isEmpty) else { return nil }
        return layer?.update(from: old, to: new, isMoving: isMoving)
    }

    /// Whether pictures wait for the next call of `bytes`.
    var isIncomplete: Bool { layer?.isIncomplete ?? false }

    /// What the terminal can show besides cells.
    var graphics: TerminalGraphics? { layer?.graphics }

    /// Registers what the terminal can show.
    ///
    /// - Returns: Whether pixels are on the terminal that the renderer does not know any more.
    mutating func show(_ graphics: TerminalGraphics?, firstNumber: UInt32) -> Bool {
        let hadPixels = layer.map { !$0.isEmpty } ?? false
        let colors = writer.colors
        layer = graphics.map { PictureLayer($0, colors: colors, firstNumber: firstNumber) }
        return hadPixels
    }

    /// Registers that the terminal could not take a picture.
    mutating func refuse(picture number: UInt32) { layer?.refuse(upload: number) }

    // MARK: What changed

    /// Finds the runs of changed cells.
    private mutating func collect(_ old: CellGrid, _ new: CellGrid) {
        runs.removeAll(keepingCapacity: true)
        pens.removeAll()
        let (width, height) = (new.width, new.height)
        guard width > 0 else { return }
        old.cells.withUnsafeBufferPointer { old in
            new.cells.withUnsafeBufferPointer { new in
                guard let old = old.baseAddress, let new = new.baseAddress else { return }
                for start in stride(from: 0, to: width * height, by: width) {
                    collectRow(start / width, width, old + start, new + start)
                }
            }
        }
    }

    /// - Parameters:
    ///   - old: The first of `width` present cells.
    ///   - new: The first of the wanted cells.
    private mutating func collectRow(
        _ row: Int, _ width: Int, _ old: UnsafePointer<Cell>, _ new: UnsafePointer<Cell>
    ) {
        var rewritesRow = false
        var open: ScreenRun?
        var column = -1
        while true {
            column += 1
            // Most cells stay as they are.
            if !rewritesRow {
                while column < width, new[column] == old[column] { column += 1 }
            }
            guard column < width else { break }
            let cell = new[column]
            guard !cell.isContinuation, rewritesRow || !writer.looksAlike(cell, old[column])
            else { continue }
            let pen = writer.pen(for: cell)
            let end = column + Int(cell.columns)
            if cell.isCluster { rewritesRow = true }
            if var run = open, !cell.isCluster || run.isOrdered,
                let joined = run.pen.joined(with: pen),
                canBridge(from: run.end, to: column, joined, new)
            {
                run.pen = joined
                run.end = end
                open = run
                continue
            }
            if let open { close(open) }
            open = ScreenRun(row: row, start: column, end: end, pen: pen, isOrdered: rewritesRow)
        }
        if let open { close(open) }
    }

    /// Whether to rewrite the unchanged cells between two changed ones.
    private func canBridge(
        from end: Int, to column: Int, _ pen: Pen, _ cells: UnsafePointer<Cell>
    ) -> Bool {
        guard column > end else { return true }
        guard column - end <= Self.bridgeBytes else { return false }
        var bytes = 0
        for index in end..<column {
            let cell = cells[index]
            guard cell.columns == 1, !cell.isCluster, writer.pen(for: cell).joined(with: pen) == pen
            else { return false }
            bytes += GlyphTable.byteCount(cell.glyph)
        }
        return bytes <= Self.bridgeBytes
    }

    private mutating func close(_ run: ScreenRun) {
        var run = run
        if !run.isOrdered { run.penPlace = pens.place(of: run.pen) }
        runs.append(run)
    }

    // MARK: Writing

    private mutating func write(_ grid: CellGrid) {
        guard !runs.isEmpty else { return }
        // What follows a cluster must come after it, row by row.
        for run in runs where run.isOrdered { writer.write(run, of: grid) }
        guard savesByPens() else {
            for run in runs where !run.isOrdered { writer.write(run, of: grid) }
            return
        }
        // A stable counting sort by pen; pens that share a background stand together.
        let order = pens.order()
        var heads = [Int32](repeating: -1, count: order.count)
        var next = [Int32](repeating: -1, count: runs.count)
        for index in runs.indices.reversed() where !runs[index].isOrdered {
            let place = runs[index].penPlace
            next[index] = heads[place]
            heads[place] = Int32(truncatingIfNeeded: index)
        }
        for place in order {
            var index = Int(heads[place])
            while index >= 0 {
                writer.write(runs[index], of: grid)
                index = Int(next[index])
            }
        }
    }

    /// Whether writing pen by pen saves more colour changes than it adds cursor movements.
    private func savesByPens() -> Bool {
        var switches = 0
        var joints = 0
        var last: ScreenRun?
        for run in runs where !run.isOrdered {
            if let last {
                if last.pen.joined(with: run.pen) == nil { switches += 1 }
                if last.row == run.row, last.end == run.start { joints += 1 }
            }
            last = run
        }
        let saved = (switches - pens.count) * writer.colors.typicalBytes
        return saved > joints * 5
    }
}

/// Neighbouring cells of one row that are written together.
struct ScreenRun {
    var row: Int
    var start: Int
    /// The first column after it.
    var end: Int
    var pen: Pen
    /// Whether it must be written in order.
    var isOrdered: Bool
    /// The index of the pen among those of the picture.
    var penPlace = 0
}

/// The properties that determine a character's look on a terminal with certain colours.
struct Pen: Hashable {
    /// The foreground of a cell without ink.
    static let anyForeground: UInt32 = .max

    /// As `ColorDepth.code`.
    var foreground: UInt32 = 0
    /// As `ColorDepth.code`.
    var background: UInt32 = 0
    var attributes: Cell.Attributes = []

    /// The pen that can write both.
    func joined(with other: Pen) -> Pen? {
        if self == other { return self }
        guard background == other.background else { return nil }
        if foreground == Self.anyForeground { return other.suitsBlanks ? other : nil }
        if other.foreground == Self.anyForeground { return suitsBlanks ? self : nil }
        return nil
    }

    /// Whether a space looks as if written without attributes.
    private var suitsBlanks: Bool {
        attributes.isDisjoint(with: [.reverse, .underline])
    }
}

/// The pens of a picture's changes, numbered in order of appearance.
private struct PenTable {
    private var pens: [Pen] = []
    /// Indices plus one by the pens' hashes, with linear probing; 0 is free. Always less than half
    /// full.
    private var slots = [Int32](repeating: 0, count: 256)

    var count: Int { pens.count }

    mutating func removeAll() {
        pens.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
    }

    private static func hash(_ pen: Pen) -> Int {
        let mixed =
            pen.foreground &* 0x9E37_79B1 ^ pen.background &* 0x85EB_CA6B
            ^ UInt32(pen.attributes.rawValue) &* 0xC2B2_AE35
        return Int(mixed ^ mixed >> 15)
    }

    /// The pen's number; assigned if new.
    mutating func place(of pen: Pen) -> Int {
        var slot = Self.hash(pen) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if pens[place] == pen { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        pens.append(pen)
        slots[slot] = Int32(truncatingIfNeeded: pens.count)
        if pens.count * 2 >= slots.count { grow() }
        return pens.count - 1
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 2)
        for (place, pen) in pens.enumerated() {
            var slot = Self.hash(pen) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: place + 1)
        }
    }

    /// The pens' numbers sorted by background, then by ink; those without ink are last.
    func order() -> [Int] {
        // Attributes are numbered by the order in which they came.
        let keys = pens.enumerated().map { place, pen in
            (UInt64(pen.background) << 32 | UInt64(pen.foreground), place)
        }
        return keys.sorted { $0 < $1 }.map(\.1)
    }
}

extension ColorDepth {
    /// The bytes of a typical colour change.
    fileprivate var typicalBytes: Int {
        switch self {
        case .none: 4
        case .ansi16: 5
        case .ansi256: 10
        case .trueColor: 18
        }
    }
}
