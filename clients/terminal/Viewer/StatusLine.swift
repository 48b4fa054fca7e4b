import CharacterWidth
import SceneDocument

/// The figures that change with every state; updated a few times a second.
struct Figures: Hashable {
    /// The minimum number of seconds that figures are shown.
    static let interval = 0.1

    var tick: UInt64 = 0
    /// States received per second.
    var frameRate = 0
    /// The round-trip time; nil before it was measured.
    var latency: String?
    /// Bytes per second.
    var traffic = ""
}

/// The last row of the screen.
struct StatusLine: Hashable {
    var room: String
    var connection: String
    var connectionTone = Tone.plain
    /// The member's role; empty before the room is known.
    var role = ""
    /// The changing figures; nil before the first picture.
    var figures: Figures?
    /// The server's ticks per second.
    var tickRate: UInt32 = 0
    /// The number of present members, including this one.
    var memberCount = 1
    var viewCount = 0
    /// The scene's natural size.
    var sceneSize = GridSize()
    var zoom: String

    private static let hint = "? help"
    private static let connectionRank = 0

    /// A piece of the line; pieces of higher rank are dropped first if space is short.
    private struct Piece: Hashable {
        var text: String
        var rank: Int
    }

    init(room: String, connection: String, zoom: String) {
        self.room = room
        self.connection = connection
        self.zoom = zoom
    }

    private var pieces: [Piece] {
        var pieces = [
            Piece(text: room, rank: 1), Piece(text: connection, rank: Self.connectionRank),
        ]
        guard let figures else { return pieces + [Piece(text: Self.hint, rank: 2)] }
        pieces.append(Piece(text: role, rank: 4))
        pieces.append(Piece(text: "\(figures.frameRate)/\(tickRate) Hz", rank: 6))
        pieces.append(Piece(text: figures.latency ?? "", rank: 5))
        pieces.append(Piece(text: figures.traffic, rank: 7))
        pieces.append(
            Piece(text: memberCount == 1 ? "alone" : "\(memberCount) here", rank: 3))
        pieces.append(Piece(text: "tick \(figures.tick)", rank: 8))
        pieces.append(
            Piece(text: viewCount == 1 ? "1 view" : "\(viewCount) views", rank: 10))
        pieces.append(
            Piece(text: "\(sceneSize.columns)x\(sceneSize.rows) \(zoom)", rank: 9))
        pieces.append(Piece(text: Self.hint, rank: 2))
        return pieces
    }

    /// The pieces that fit.
    private func pieces(columns: Int) -> [Piece] {
        var pieces = pieces.filter { !$0.text.isEmpty }
        while pieces.count > 1, Self.width(of: pieces) > columns {
            let highest = pieces.map(\.rank).max()
            pieces.removeAll { $0.rank == highest }
        }
        return pieces
    }

    /// The line with an exact number of columns; the least important pieces are dropped first.
    func text(columns: Int) -> String { text(of: pieces(columns: columns), columns: columns) }

    private func text(of pieces: [Piece], columns: Int) -> String {
        guard Self.width(of: pieces) <= columns else {
            return Self.padded(pieces.first?.text ?? "", to: columns)
        }
        if pieces.count > 1, pieces.last?.text == Self.hint {
            // The hint stands at the right end.
            let room = max(0, columns - displayWidth(of: Self.hint) - 1)
            return Self.padded(" " + Self.joined(pieces.dropLast()), to: room) + Self.hint + " "
        }
        return Self.padded(" " + Self.joined(pieces[...]), to: columns)
    }

    /// Draws the line in reverse, with the connection in the colour of its state.
    func draw(on grid: inout CellGrid, row: Int) {
        let pieces = pieces(columns: grid.width)
        grid.write(
            text(of: pieces, columns: grid.width), column: 0, row: row, clip: grid.bounds,
            attributes: .reverse)
        guard let place = pieces.firstIndex(where: { $0.rank == Self.connectionRank }),
            let color = connectionTone.color
        else { return }
        let isCut = Self.width(of: pieces) > grid.width
        let before = place == 0 ? "" : Self.joined(pieces[..<place]) + "  "
        let start = isCut ? 0 : 1 + displayWidth(of: before)
        let area = CellRect(
            left: start, top: row, right: start + displayWidth(of: connection), bottom: row + 1)
        // In reverse the foreground fills the cell.
        grid.restyle(area) { cell in
            cell.ink = Cell.pack(color)
            cell.paper = Cell.pack(Color(rgba: 0x1A1B_26FF))
            cell.attributes.insert(.bold)
        }
    }

    /// With a space at either end and two between pieces.
    private static func width(of pieces: [Piece]) -> Int {
        2 + displayWidth(of: joined(pieces[...]))
    }

    private static func joined(_ pieces: ArraySlice<Piece>) -> String {
        pieces.map(\.text).joined(separator: "  ")
    }

    private static func padded(_ text: String, to columns: Int) -> String {
        let text = fitted(text, columns: columns)
        return text + String(repeating: " ", count: max(0, columns - displayWidth(of: text)))
    }
}

/// The last drawn status line: most states do not change it.
struct StatusRow {
    private var line: StatusLine?
    private var cells: [Cell] = []

    /// Draws a line, or copies the cells of the last one if it is equal.
    mutating func show(_ new: StatusLine, on grid: inout CellGrid, row: Int) {
        if line == new, cells.count == grid.width {
            grid.setRow(row, cells)
        } else {
            new.draw(on: &grid, row: row)
            line = new
            cells = Array(grid.row(row))
        }
    }
}
