import SceneDocument

/// The symbols of a message's looks, as an extension of its own beside them: renderers that do not
/// know it draw the looks without.
struct ViewSymbols: WireValue, Equatable {
    private var symbols: [SymbolOfLook] = []

    init() {}

    /// The symbols of looks; nil where none has one.
    init?(of looks: [ViewLook]) {
        for (place, look) in looks.enumerated() {
            guard let symbol = look.symbol else { continue }
            symbols.append(SymbolOfLook(look: UInt32(place + 1), symbol: symbol))
        }
        guard !symbols.isEmpty else { return nil }
    }

    /// The symbols with the places of their looks, from 0; −1 for none.
    var byLook: [(look: Int, symbol: LookSymbol)] {
        symbols.map { (Int(clamping: $0.look) - 1, $0.symbol) }
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("symbols", &symbols, maximum: coder.limits.viewMaximum + 1)
    }
}

private struct SymbolOfLook: WireValue, Equatable {
    /// The place of its look, from 1.
    var look: UInt32 = 0
    var symbol = LookSymbol()

    init() {}

    init(look: UInt32, symbol: LookSymbol) {
        self.look = look
        self.symbol = symbol
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("look", &look)
        try symbol.code(&coder)
    }
}
