import SceneDocument
import Synchronization

/// The number of colours of a terminal.
public enum ColorDepth: Hashable, Sendable {
    /// None; attributes remain.
    case none
    /// The 16 of ECMA-48 and aixterm.
    case ansi16
    /// xterm's 256.
    case ansi256
    /// 8 bits a channel.
    case trueColor

    /// The depth requested by the environment: `NO_COLOR` (no-color.org), then `COLORTERM`, then
    /// `TERM`.
    public static func detect(environment: [String: String]) -> ColorDepth {
        if let value = environment["NO_COLOR"], !value.isEmpty { return .none }
        let terminal = environment["TERM"] ?? ""
        if terminal.isEmpty || terminal == "dumb" || terminal.hasSuffix("-mono")
            || terminal.hasPrefix("vt")
        {
            return .none
        }
        let colors = environment["COLORTERM"] ?? ""
        if colors == "truecolor" || colors == "24bit" { return .trueColor }
        if terminal.hasSuffix("-direct") || terminal.hasSuffix("-truecolor") { return .trueColor }
        if ["xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot"].contains(terminal) {
            return .trueColor
        }
        return terminal.hasSuffix("-256color") ? .ansi256 : .ansi16
    }

    /// The code of a colour at this depth: 0 for the default colour, else 1 + its number or
    /// `0xrrggbb`.
    func code(_ color: Color?) -> UInt32 {
        guard let color else { return 0 }
        return switch self {
        case .none: 0
        case .ansi16: 1 + UInt32(Palette.nearest16(color))
        case .ansi256: 1 + UInt32(Palette.nearest256(color))
        case .trueColor: 1 + (color.rgba >> 8)
        }
    }

    /// Appends the SGR parameters for a colour code, without separators around them.
    ///
    /// - Source: ECMA-48, 8.3.117; XTerm Control Sequences, "Character Attributes (SGR)".
    func append(code: UInt32, isBackground: Bool, to bytes: inout ByteBuffer) {
        let base: UInt32 = isBackground ? 10 : 0
        guard code > 0 else { return bytes.append(decimal: 39 + base) }
        let value = code - 1
        switch self {
        case .none: bytes.append(decimal: 39 + base)
        case .ansi16: bytes.append(decimal: (value < 8 ? 30 + value : 82 + value) + base)
        case .ansi256:
            bytes.append(decimal: 38 + base)
            bytes.append(";5;")
            bytes.append(decimal: value)
        case .trueColor:
            bytes.append(decimal: 38 + base)
            bytes.append(";2;")
            bytes.append(decimal: value >> 16)
            bytes.append(UInt8(ascii: ";"))
            bytes.append(decimal: value >> 8 & 0xFF)
            bytes.append(UInt8(ascii: ";"))
            bytes.append(decimal: value & 0xFF)
        }
    }

    /// The SGR parameters for a colour; nil is the default colour.
    func parameters(_ color: Color?, isBackground: Bool) -> String {
        var bytes = ByteBuffer()
        append(code: code(color), isBackground: isBackground, to: &bytes)
        return String(decoding: bytes.array, as: UTF8.self)
    }
}

/// The palettes of terminals with few colours.
enum Palette {
    /// xterm's first 16 colours, as `0xrrggbb`.
    static let first16: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    /// The levels of a channel in xterm's colour cube.
    private static let levels = [0, 95, 135, 175, 215, 255]

    private static func distance(_ color: Color, _ r: Int, _ g: Int, _ b: Int) -> Int {
        let (x, y, z) = (Int(color.r) - r, Int(color.g) - g, Int(color.b) - b)
        return x * x + y * y + z * z
    }

    /// The nearest of the 16; the lower number of two equally near ones.
    static func nearest16(_ color: Color) -> Int {
        var best = (index: 0, distance: Int.max)
        for (index, rgb) in first16.enumerated() {
            let distance = distance(
                color, Int(rgb >> 16), Int(rgb >> 8 & 0xFF), Int(rgb & 0xFF))
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    /// The nearest of the colour cube (16 to 231) and the greys (232 to 255); the first 16 are
    /// excluded, since users change them.
    static func nearest256(_ color: Color) -> Int {
        func level(_ value: UInt8) -> Int {
            var best = 0
            for index in levels.indices
            where abs(levels[index] - Int(value)) < abs(levels[best] - Int(value)) {
                best = index
            }
            return best
        }
        let (r, g, b) = (level(color.r), level(color.g), level(color.b))
        let inCube = distance(color, levels[r], levels[g], levels[b])
        let mean = (Int(color.r) + Int(color.g) + Int(color.b)) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let value = 8 + 10 * grey
        let inGreys = distance(color, value, value, value)
        return inGreys < inCube ? 232 + grey : 16 + 36 * r + 6 * g + b
    }
}

/// A cache of nearest colours: scenes have few colours, and a search is slow.
enum PaletteCache {
    private static let codes = Mutex<(ansi16: [UInt32: UInt32], ansi256: [UInt32: UInt32])>(
        ([:], [:]))
    /// The maximum size, after which the cache is cleared; gradients have many colours.
    private static let countMaximum = 4096

    /// The code of a colour as `Cell.pack` has it.
    static func code(_ packed: UInt32, _ depth: ColorDepth) -> UInt32 {
        codes.withLock { codes in
            let is16 = depth == .ansi16
            if let code = is16 ? codes.ansi16[packed] : codes.ansi256[packed] { return code }
            let code = depth.code(Cell.unpack(packed))
            if codes.ansi16.count + codes.ansi256.count >= countMaximum { codes = ([:], [:]) }
            if is16 { codes.ansi16[packed] = code } else { codes.ansi256[packed] = code }
            return code
        }
    }
}
