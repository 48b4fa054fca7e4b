import CharacterWidth
import SceneProtocol

/// The last row of the screen.
struct StatusLine: Hashable {
    var room: String
    var connection: String
    var connectionTone = Tone.plain
    /// What one may do; empty before the room is known.
    var role = ""
    /// Nil before the first picture.
    var tick: UInt64?
    /// Ticks a second, as the server announced.
    var tickRate: UInt32 = 0
    /// States a second that came.
    var frameRate = 0
    /// There and back; nil until it was measured.
    var latency: String?
    var traffic = ""
    /// How many people are known to be there, oneself included.
    var memberCount = 1
    var viewCount = 0
    /// The scene's natural size.
    var sceneSize = GridSize()
    var zoom: String

    private static let hint = "? help"

    /// A part of the line; a higher rank goes earlier where there is no room.
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
        var pieces = [Piece(text: room, rank: 1), Piece(text: connection, rank: 0)]
        guard let tick else { return pieces + [Piece(text: Self.hint, rank: 2)] }
        pieces.append(Piece(text: role, rank: 4))
        pieces.append(Piece(text: "\(frameRate)/\(tickRate) Hz", rank: 6))
        pieces.append(Piece(text: latency ?? "", rank: 5))
        pieces.append(Piece(text: traffic, rank: 7))
        pieces.append(
            Piece(text: memberCount == 1 ? "alone" : "\(memberCount) here", rank: 3))
        pieces.append(Piece(text: "tick \(tick)", rank: 8))
        pieces.append(
            Piece(text: viewCount == 1 ? "1 view" : "\(viewCount) views", rank: 10))
        pieces.append(
            Piece(text: "\(sceneSize.columns)x\(sceneSize.rows) \(zoom)", rank: 9))
        pieces.append(Piece(text: Self.hint, rank: 2))
        return pieces
    }

    /// The texts that fit.
    private func texts(columns: Int) -> [String] {
        var pieces = pieces.filter { !$0.text.isEmpty }
        while pieces.count > 1, Self.width(of: pieces.map(\.text)) > columns {
            let highest = pieces.map(\.rank).max()
            pieces.removeAll { $0.rank == highest }
        }
        return pieces.map(\.text)
    }

    /// The line, exactly so many columns wide; what matters least goes first where there is no room.
    func text(columns: Int) -> String {
        let texts = texts(columns: columns)
        guard Self.width(of: texts) <= columns else {
            return Self.padded(texts.first ?? "", to: columns)
        }
        if texts.count > 1, texts.last == Self.hint {
            // The hint stands at the right end.
            let left = " " + texts.dropLast().joined(separator: "  ")
            let room = max(0, columns - displayWidth(of: Self.hint) - 1)
            return Self.padded(left, to: room) + Self.hint + " "
        }
        return Self.padded(" " + texts.joined(separator: "  "), to: columns)
    }

    /// Draws the line in reverse, the connection in the colour that says how it is.
    func draw(on grid: inout CellGrid, row: Int) {
        let text = text(columns: grid.width)
        grid.write(text, column: 0, row: row, clip: grid.bounds, attributes: .reverse)
        guard let place = text.firstRange(of: connection), let color = connectionTone.color else {
            return
        }
        let start = displayWidth(of: text[..<place.lowerBound])
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
    private static func width(of texts: [String]) -> Int {
        2 + displayWidth(of: texts.joined(separator: "  "))
    }

    private static func padded(_ text: String, to columns: Int) -> String {
        let text = fitted(text, columns: columns)
        return text + String(repeating: " ", count: max(0, columns - displayWidth(of: text)))
    }
}
