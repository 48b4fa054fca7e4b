/// An editable line of text.
struct LineEditor: Hashable {
    private static let characterMaximum = 4096

    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(text.prefix(Self.characterMaximum))
        cursor = characters.count
    }

    var text: String { String(characters) }
    var beforeCursor: String { String(characters[..<cursor]) }

    mutating func insert(_ text: String) {
        let new = Array(text.prefix(max(0, Self.characterMaximum - characters.count)))
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    /// Replaces a number of characters before the cursor.
    mutating func replace(last count: Int, with text: String) {
        let start = max(0, cursor - count)
        characters.removeSubrange(start..<cursor)
        cursor = start
        insert(text)
    }

    /// Places the cursor before a character, or after the last one.
    mutating func move(to place: Int) { cursor = min(max(place, 0), characters.count) }

    /// Handles a key; returns false if it has no meaning in a line.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            characters.remove(at: cursor)
        case .delete, .control("d"):
            guard cursor < characters.count else { return true }
            characters.remove(at: cursor)
        case .control("u"):
            characters.removeSubrange(..<cursor)
            cursor = 0
        case .control("k"): characters.removeSubrange(cursor...)
        case .control("w"):
            var start = cursor
            while start > 0, characters[start - 1] == " " { start -= 1 }
            while start > 0, characters[start - 1] != " " { start -= 1 }
            characters.removeSubrange(start..<cursor)
            cursor = start
        default: return false
        }
        return true
    }
}
