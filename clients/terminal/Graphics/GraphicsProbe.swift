import Glibc

/// Finds out what a terminal can show, from its answers alone.
///
/// A multiplexer answers for itself; what the terminal behind it can do is of no use, since the
/// multiplexer would not move or remove pictures. Only a terminal that tells its name is asked by
/// APC and OSC: old ones print what is in them, tmux takes it for a title, and screen passes it on.
///
/// - Source: XTerm Control Sequences (XTVERSION, DA1, DA2, XTWINOPS 14 and 16, XTSMGRAPHICS);
///   kitty, "Terminal graphics protocol", "Querying support and available transmission mediums";
///   iTerm2, "Proprietary Escape Codes", "ReportCellSize".
struct GraphicsProbe {
    /// The number of the picture in the question to kitty.
    static let kittyNumber: UInt32 = 31
    /// The size of cells: in pixels, and of the text area.
    static let sizeQuestions = "\u{1B}[16t\u{1B}[14t"
    /// The questions that every terminal at least ignores; DA1 follows them.
    static let questions = "\u{1B}[>q\u{1B}[>c" + sizeQuestions + "\u{1B}[?1;1;0S"
    private static let namedQuestions =
        "\u{1B}_Gi=\(kittyNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        + "\u{1B}]1337;ReportCellSize\u{7}"
    /// Multiplexers by their DA2: `S` and `T` of screen and tmux.
    private static let multiplexerKinds: Set = [83, 84]
    /// Terminals that show the inline images of iTerm2, by their names.
    private static let inlineNames = ["iTerm2", "WezTerm", "mintty"]

    private let choice: PictureChoice
    /// Whether the environment says that a multiplexer is in between.
    private let isMultiplexed: Bool
    /// Whether the environment says that it is iTerm2, whose old versions do not tell their name.
    private let isNamedByEnvironment: Bool
    private var name: String?
    private var kind: Int?
    private var hasSixel = false
    private var hasKitty = false
    private var reportsCellSize = false
    private var colorCount: Int?
    private var cell: CellPixels?
    private var textArea: (width: Int, height: Int)?
    /// The cell before the terminal's size changed.
    private var formerCell: CellPixels?
    /// The number of answers to DA1 until all is known.
    private var missingCount = 1
    private var hasAskedByName = false

    init(_ choice: PictureChoice, environment: [String: String]) {
        self.choice = choice
        isMultiplexed =
            ["TMUX", "STY", "ZELLIJ"].contains { environment[$0]?.isEmpty == false }
        isNamedByEnvironment = environment["TERM_PROGRAM"] == "iTerm.app"
    }

    /// The variables of this process that say what it runs in.
    static var environment: [String: String] {
        let names = ["TMUX", "STY", "ZELLIJ", "TERM_PROGRAM"]
        return names.reduce(into: [:]) { variables, name in
            variables[name] = getenv(name).map { String(cString: $0) }
        }
    }

    /// Registers that the terminal has another size.
    ///
    /// - Parameters:
    ///   - size: The former size in cells.
    ///   - former: The cell of that size.
    /// - Returns: Whether to ask for sizes again: the terminal has answered before.
    mutating func resized(from size: GridSize, cell former: CellPixels?) -> Bool {
        let hasAnswered = cell != nil || textArea != nil
        formerCell = fitted(textArea, in: size) ?? former
        textArea = nil
        return isNeeded && hasAnswered
    }

    /// Whether there is anything to ask.
    var isNeeded: Bool {
        switch choice {
        case .auto, .pixels: true
        case .blocks, .none: false
        }
    }

    private var isMultiplexer: Bool {
        isMultiplexed || kind.map { Self.multiplexerKinds.contains($0) } ?? false
            || name.map { $0.hasPrefix("tmux") || $0.hasPrefix("screen") } ?? false
    }

    /// Notes an answer.
    ///
    /// - Returns: Further questions, to be followed by DA1.
    mutating func take(_ reply: TerminalReply) -> String? {
        switch reply {
        case .mode, .status: break
        case .name(let text): name = text
        case .kind(let number): kind = number
        case .cellPixels(let width, let height):
            cell = CellPixels(width: width, height: height) ?? cell
        case .textAreaPixels(let width, let height): textArea = (width, height)
        case .colorRegisters(let count): colorCount = count
        case .cellSize: reportsCellSize = true
        case .kitty(let number, let isDone):
            if number == Self.kittyNumber { hasKitty = isDone }
        case .attributes(let numbers):
            missingCount = max(0, missingCount - 1)
            hasSixel = numbers.contains(4)
            guard choice == .auto, !hasAskedByName, !isMultiplexer,
                name != nil || isNamedByEnvironment
            else { break }
            hasAskedByName = true
            missingCount += 1
            return Self.namedQuestions
        }
        return nil
    }

    /// What the terminal shows; nil for blocks, and until all is known.
    ///
    /// - Parameters:
    ///   - size: The terminal's size in cells.
    ///   - pixels: Its size in pixels by the terminal's driver, or nothing.
    func graphics(size: GridSize, pixels: (width: Int, height: Int)) -> TerminalGraphics? {
        guard isNeeded, missingCount == 0 else { return nil }
        // The driver's pixels may be those of the window, with its border and a part of a cell.
        let former = formerCell.flatMap { $0.fits(size, in: pixels) ? $0 : nil }
        let measured =
            cell ?? fitted(textArea, in: size) ?? former ?? fitted(pixels, in: size)
        let method: GraphicsProtocol
        switch choice {
        case .blocks, .none: return nil
        case .pixels(let chosen): method = chosen
        case .auto:
            let isInline =
                reportsCellSize
                || Self.inlineNames.contains { name?.hasPrefix($0) == true }
            if hasKitty {
                method = .kitty
            } else if isInline, !isMultiplexer {
                method = .iterm2
            } else if hasSixel {
                method = .sixel
            } else {
                return nil
            }
        }
        // A sixel is a pixel, so that cells have to be known; others are scaled by the terminal.
        guard let cell = measured ?? (method == .sixel ? nil : .usual) else { return nil }
        var graphics = TerminalGraphics(method: method, cell: cell)
        if let colorCount { graphics.colorMaximum = min(max(colorCount, 2), 256) }
        return graphics
    }

    private func fitted(_ pixels: (width: Int, height: Int)?, in size: GridSize) -> CellPixels? {
        guard let pixels, size.columns > 0, size.rows > 0 else { return nil }
        return CellPixels(
            width: pixels.width / size.columns, height: pixels.height / size.rows)
    }
}
