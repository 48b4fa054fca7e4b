/// An answer of a terminal.
public enum TerminalReply: Hashable, Sendable {
    /// To DECRQM: the private mode, and whether the terminal supports changing it.
    case mode(Int, isKnown: Bool)
    /// To DA1, which every terminal answers; what it can do, by numbers.
    case attributes([Int])
    /// To DA2: the kind of terminal.
    case kind(Int)
    /// To XTVERSION: name and version.
    case name(String)
    /// To XTWINOPS 16: the size of a cell in pixels.
    case cellPixels(width: Int, height: Int)
    /// To XTWINOPS 14: the size of the text area in pixels.
    case textAreaPixels(width: Int, height: Int)
    /// To XTSMGRAPHICS: the number of a sixel picture's colours.
    case colorRegisters(Int)
    /// To iTerm2's `ReportCellSize`.
    case cellSize
    /// To a command of kitty's graphics protocol: the number of a picture, and whether it was done.
    case kitty(UInt32, isDone: Bool)
    /// To DSR: the terminal has processed everything written before.
    case status
}

extension TerminalReply {
    /// Reads a control sequence; `nil` for one that is no reply.
    ///
    /// - Parameters:
    ///   - byte: The byte with which it ends.
    ///   - parameters: What stands before, without the introducer.
    init?(final byte: UInt8, _ parameters: String) {
        let fields = Self.numbers(parameters.drop { $0 == "?" || $0 == ">" })
        switch (byte, parameters.first) {
        case (UInt8(ascii: "y"), "?"):
            let mode = parameters.dropFirst().prefix { $0 != "$" }.split(separator: ";")
            guard mode.count == 2, let number = Int(mode[0]) else { return nil }
            // 1 is set, 2 is reset; 0 is unknown, 3 and 4 cannot be changed.
            self = .mode(number, isKnown: mode[1] == "1" || mode[1] == "2")
        case (UInt8(ascii: "c"), "?"): self = .attributes(fields)
        case (UInt8(ascii: "c"), ">"):
            guard let kind = fields.first else { return nil }
            self = .kind(kind)
        case (UInt8(ascii: "t"), _):
            guard fields.count == 3 else { return nil }
            switch fields[0] {
            case 4: self = .textAreaPixels(width: fields[2], height: fields[1])
            case 6: self = .cellPixels(width: fields[2], height: fields[1])
            default: return nil
            }
        case (UInt8(ascii: "S"), "?"):
            // The item, the status, the value.
            guard fields.count == 3, fields[0] == 1, fields[1] == 0 else { return nil }
            self = .colorRegisters(fields[2])
        case (UInt8(ascii: "n"), "0"): self = .status
        default: return nil
        }
    }

    /// Reads a control string; `nil` for one that is no reply.
    ///
    /// - Parameter kind: The byte after ESC: `P` for DCS, `]` for OSC, `_` for APC.
    init?(string kind: UInt8, _ content: String) {
        switch kind {
        case UInt8(ascii: "P"):
            guard content.hasPrefix(">|") else { return nil }
            self = .name(String(content.dropFirst(2)))
        case UInt8(ascii: "]"):
            guard content.hasPrefix("1337;ReportCellSize=") else { return nil }
            self = .cellSize
        default:
            // `Gi=N,…;OK`, or an error in the place of `OK`.
            let parts = content.dropFirst().split(separator: ";", maxSplits: 1)
            guard parts.count == 2,
                let number = parts[0].split(separator: ",").first(where: { $0.hasPrefix("i=") })
                    .flatMap({ UInt32($0.dropFirst(2)) })
            else { return nil }
            self = .kitty(number, isDone: parts[1] == "OK")
        }
    }

    private static func numbers(_ parameters: Substring) -> [Int] {
        parameters.split(separator: ";").compactMap { Int($0) }
    }
}
