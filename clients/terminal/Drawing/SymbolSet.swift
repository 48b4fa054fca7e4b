import EmbeddedFiles
import JSON

/// The symbols that ship with the program: what a terminal writes of each, and its outline.
struct SymbolSet: Sendable {
    /// A symbol of the set.
    struct Entry: Sendable {
        /// At most two columns; empty where no character stands for the symbol.
        var text: String
        /// The data of an SVG path in a square of `box` units.
        var outline: String
    }

    /// The set, read when the first symbol is drawn.
    static let shared = SymbolSet(EmbeddedFile.symbols[0].plain)

    /// The units along a side of an outline's square.
    let box: Double
    private let entries: [String: Entry]

    /// Reads a file of scripts/symbols.py, which is a part of the program.
    private init(_ file: [UInt8]) {
        guard let json = try? JSONReader.read(file), let box = json["box"]?.number,
            let symbols = json["symbols"]?.members
        else { preconditionFailure("symbols.json is damaged; build the program again") }
        self.box = box
        var entries: [String: Entry] = [:]
        for symbol in symbols {
            guard let parts = symbol.value.array, parts.count == 2, let text = parts[0].string,
                let outline = parts[1].string
            else { preconditionFailure("symbols.json is damaged at \(symbol.key)") }
            entries[symbol.key] = Entry(text: text, outline: outline)
        }
        self.entries = entries
    }

    /// The symbol of a name; nil where the set has none such, as one that a newer server knows.
    subscript(name: String) -> Entry? { entries[name] }
}
