import CharacterWidth

/// The last row of the screen.
struct StatusLine: Hashable {
    var room: String
    var connection: ConnectionState
    /// Nil before the first picture.
    var tick: UInt64?
    var viewCount = 0
    /// The scene's natural size.
    var sceneSize = GridSize(columns: 0, rows: 0)
    var zoom: String

    private static let hint = "q quits  ? help"

    /// The line, exactly so many columns wide; what matters least goes first where there is no room.
    func text(columns: Int) -> String {
        // Pieces by their place in the line; a higher rank goes earlier.
        var pieces: [(text: String, rank: Int)] = [(room, 1), (connection.text, 0)]
        if let tick {
            pieces.append(("tick \(tick)", 3))
            pieces.append((viewCount == 1 ? "1 view" : "\(viewCount) views", 5))
            pieces.append(("\(sceneSize.columns)x\(sceneSize.rows) \(zoom)", 4))
        }
        pieces.append((Self.hint, 2))
        pieces.removeAll { $0.text.isEmpty }
        while pieces.count > 1, Self.width(of: pieces.map(\.text)) > columns {
            let highest = pieces.map(\.rank).max()
            pieces.removeAll { $0.rank == highest }
        }
        let texts = pieces.map(\.text)
        let total = Self.width(of: texts)
        guard total <= columns else { return Self.padded(texts.first ?? "", to: columns) }
        if texts.count > 1, texts.last == Self.hint {
            // The hint stands at the right end.
            let left = " " + texts.dropLast().joined(separator: "  ")
            let room = max(0, columns - displayWidth(of: Self.hint) - 1)
            return Self.padded(left, to: room) + Self.hint + " "
        }
        return Self.padded(" " + texts.joined(separator: "  "), to: columns)
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
