/// The pictures of a wanted screen, by cells.
struct PictureCells {
    let width: Int
    let height: Int
    /// By tag; those that some cell shows.
    private(set) var pictures: [(tag: UInt16, picture: PlacedPicture)] = []
    /// The number of each tag.
    var numbers: [UInt16: UInt32] = [:]
    /// For each cell its tag until `resolve()`, then its picture's number; 0 for none.
    private(set) var wanted: [UInt32]

    /// - Parameter keepsBelowText: Whether pixels lie below characters that are on a picture.
    init(_ grid: CellGrid, keepsBelowText: Bool) {
        (width, height) = (grid.width, grid.height)
        wanted = [UInt32](repeating: 0, count: width * height)
        var seen: Set<UInt16> = []
        for (index, cell) in grid.cells.enumerated() where cell.picture > 0 {
            guard
                cell.isPicture || keepsBelowText && !cell.attributes.contains(.reverse)
            else { continue }
            wanted[index] = UInt32(cell.picture)
            seen.insert(cell.picture)
        }
        pictures = seen.sorted().compactMap { tag in grid.pictures[tag].map { (tag, $0) } }
    }

    /// Replaces tags by numbers.
    mutating func resolve() {
        for index in wanted.indices where wanted[index] != 0 {
            wanted[index] = numbers[UInt16(truncatingIfNeeded: wanted[index])] ?? 0
        }
    }

    mutating func drop(_ number: UInt32) {
        for index in wanted.indices where wanted[index] == number { wanted[index] = 0 }
    }

    mutating func drop(_ number: UInt32, in area: CellRect) {
        for row in area.top..<area.bottom {
            for index in row * width + area.left..<row * width + area.right
            where wanted[index] == number {
                wanted[index] = 0
            }
        }
    }

    mutating func dropLastRows(_ count: Int, of number: UInt32) {
        drop(
            number,
            in: CellRect(left: 0, top: max(0, height - count), right: width, bottom: height))
    }

    /// The cells for which something holds, as rectangles: runs of a row, those of equal ends one
    /// below the other joined.
    func rectangles(_ holds: (PictureCells, _ index: Int) -> Bool) -> [CellRect] {
        var done: [CellRect] = []
        var open: [CellRect] = []
        for row in 0..<height {
            var next: [CellRect] = []
            var column = 0
            while column < width {
                guard holds(self, row * width + column) else {
                    column += 1
                    continue
                }
                let start = column
                while column < width, holds(self, row * width + column) { column += 1 }
                next.append(CellRect(left: start, top: row, right: column, bottom: row + 1))
            }
            for index in next.indices {
                let run = next[index]
                if let above = open.firstIndex(where: {
                    $0.left == run.left && $0.right == run.right
                }) {
                    next[index].top = open.remove(at: above).top
                }
            }
            done += open
            open = next
        }
        return done + open
    }
}
