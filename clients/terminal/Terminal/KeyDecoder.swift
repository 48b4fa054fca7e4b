/// A key press.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    /// Control together with a lower-case letter.
    case control(Character)
    /// An arrow.
    case up
    /// An arrow.
    case down
    /// An arrow.
    case left
    /// An arrow.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// Return.
    case enter
    /// Tab.
    case tab
    /// Backspace.
    case backspace
    /// Escape.
    case escape
    /// Tab together with shift.
    case backTab
    /// Delete.
    case delete
    /// The mouse.
    case mouse(MouseEvent)
    /// A pasted text, without control characters.
    case paste(String)
    /// The terminal's answer to a question.
    case reply(TerminalReply)
    /// An unknown sequence.
    case unknown
}

/// A mouse event.
public struct MouseEvent: Hashable, Sendable {
    /// The kind of a mouse event.
    public enum Kind: Hashable, Sendable {
        /// The first button was pressed.
        case press
        /// The mouse moved with the first button pressed.
        case drag
        /// The mouse moved without a button.
        case move
        /// The first button was released.
        case release
        /// The wheel was turned away from the user.
        case wheelUp
        /// The wheel was turned towards the user.
        case wheelDown
        /// Another button.
        case other
    }

    /// The kind.
    public var kind: Kind
    /// The cell, from the top left corner of the screen.
    public var place: GridPoint

    /// Makes an event.
    public init(_ kind: Kind, at place: GridPoint) {
        self.kind = kind
        self.place = place
    }
}

/// Decodes a terminal's bytes into keys; sequences may arrive in pieces.
///
/// - Source: ECMA-48, 5.4; XTerm Control Sequences, "PC-Style Function Keys", "Extended
///   coordinates" (SGR 1006), "Bracketed Paste Mode", DECRQM, DA1, DA2, DSR, XTVERSION, XTWINOPS
///   and XTSMGRAPHICS; kitty, "Terminal graphics protocol"; iTerm2, "Proprietary Escape Codes".
public struct KeyDecoder: Sendable {
    private enum State: Hashable, Sendable {
        case ground
        /// After ESC.
        case escape
        /// After ESC O.
        case singleShift
        /// After ESC [.
        case control
        /// Within a UTF-8 sequence.
        case text(missing: Int)
        /// Between the brackets of a paste.
        case paste
        /// After ESC and `P`, `]` or `_`: in a string, which ST or BEL ends.
        case string(UInt8)
        /// In such a string, after ESC.
        case stringEscape(UInt8)
    }

    /// What the strings begin with that answer a question.
    private static let stringStarts: [UInt8: UInt8] = [
        UInt8(ascii: "P"): UInt8(ascii: ">"), UInt8(ascii: "]"): UInt8(ascii: "1"),
        UInt8(ascii: "_"): UInt8(ascii: "G"),
    ]

    /// The maximum bytes of a paste, more than fit into one line.
    private static let pasteMaximum = 65_536
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    /// Longer sequences are not keys; the bound limits the memory.
    private static let sequenceMaximum = 128

    private var state = State.ground
    private var parameters: [UInt8] = []
    private var text: [UInt8] = []
    private var pasted: [UInt8] = []

    /// Makes a decoder at the start of a sequence.
    public init() {}

    /// Whether an ESC has arrived that may be the key or the start of a sequence.
    ///
    /// Call `flush()` if nothing follows within about 50 ms.
    public var isWaiting: Bool {
        switch state {
        case .ground, .paste: false
        // An answer that has begun goes on, however slow the connection.
        case .string: text.isEmpty
        case .escape, .singleShift, .control, .text, .stringEscape: true
        }
    }

    /// The keys completed by these bytes.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// Ends an incomplete sequence: a single ESC is the key.
    public mutating func flush() -> [Key] {
        defer { reset() }
        switch state {
        case .ground: return []
        case .escape: return [.escape]
        case .string(let kind) where text.isEmpty:
            // Alt with a key, as for others.
            return [.character(Character(Unicode.Scalar(kind)))]
        case .singleShift, .control, .text, .paste, .string, .stringEscape: return [.unknown]
        }
    }

    private mutating func reset() {
        state = .ground
        parameters = []
        text = []
        pasted = []
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: takeGround(byte, &keys)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .control
            case UInt8(ascii: "O"): state = .singleShift
            case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"): state = .string(byte)
            case 0x1B: keys.append(.escape)
            default:
                // Alt with a key is the key: nothing here tells them apart.
                reset()
                takeGround(byte, &keys)
            }
        case .singleShift:
            reset()
            keys.append(Self.final(byte, ""))
        case .control: takeControl(byte, &keys)
        case .text(let missing): takeText(byte, missing: missing, &keys)
        case .paste: takePaste(byte, &keys)
        case .string(let kind): takeString(byte, kind, &keys)
        case .stringEscape(let kind):
            guard byte == UInt8(ascii: "\\") else {
                // The string was cut off by another sequence.
                reset()
                keys.append(.unknown)
                state = .escape
                return take(byte, &keys)
            }
            endString(kind, &keys)
        }
    }

    private mutating func takeString(_ byte: UInt8, _ kind: UInt8, _ keys: inout [Key]) {
        if text.isEmpty, byte != Self.stringStarts[kind] {
            // Alt with a key, and another key.
            reset()
            keys.append(.character(Character(Unicode.Scalar(kind))))
            return take(byte, &keys)
        }
        switch byte {
        case 0x07: endString(kind, &keys)
        case 0x1B: state = .stringEscape(kind)
        case 0x20...0xFF where text.count < Self.sequenceMaximum: text.append(byte)
        default:
            reset()
            keys.append(.unknown)
            takeGround(byte, &keys)
        }
    }

    private mutating func endString(_ kind: UInt8, _ keys: inout [Key]) {
        let content = String(decoding: text, as: UTF8.self)
        reset()
        let reply = TerminalReply(string: kind, content)
        keys.append(reply.map { .reply($0) } ?? .unknown)
    }

    private mutating func takeGround(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x7F, 0x08: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: begin(byte, missing: 1)
        case 0xE0...0xEF: begin(byte, missing: 2)
        case 0xF0...0xF4: begin(byte, missing: 3)
        default: keys.append(.unknown)
        }
    }

    private mutating func begin(_ byte: UInt8, missing: Int) {
        text = [byte]
        state = .text(missing: missing)
    }

    private mutating func takeText(_ byte: UInt8, missing: Int, _ keys: inout [Key]) {
        guard byte & 0xC0 == 0x80 else {
            reset()
            keys.append(.unknown)
            takeGround(byte, &keys)
            return
        }
        text.append(byte)
        guard missing == 1 else {
            state = .text(missing: missing - 1)
            return
        }
        let decoded = String(validating: text, as: UTF8.self)
        reset()
        keys.append(decoded?.first.map { .character($0) } ?? .unknown)
    }

    private mutating func takeControl(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F:
            parameters.append(byte)
            guard parameters.count > Self.sequenceMaximum else { return }
            reset()
            keys.append(.unknown)
        case UInt8(ascii: "~"):
            let number = parameters.prefix { $0 != UInt8(ascii: ";") }
            reset()
            guard number != Array("200".utf8)[...] else {
                state = .paste
                return
            }
            keys.append(Self.numbered(String(decoding: number, as: UTF8.self)))
        case 0x40...0x7D:
            let parameters = String(decoding: parameters, as: UTF8.self)
            reset()
            keys.append(Self.final(byte, parameters))
        case 0x1B:
            // The sequence was cut off by another one.
            reset()
            keys.append(.unknown)
            state = .escape
        default:
            reset()
            keys.append(.unknown)
            takeGround(byte, &keys)
        }
    }

    private mutating func takePaste(_ byte: UInt8, _ keys: inout [Key]) {
        pasted.append(byte)
        if pasted.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
            let bytes = pasted.dropLast(Self.pasteEnd.count)
            reset()
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
                $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
            }
            var kept = String.UnicodeScalarView()
            kept.append(contentsOf: scalars)
            keys.append(.paste(String(kept)))
        } else if pasted.count > Self.pasteMaximum {
            pasted.removeFirst(pasted.count - Self.pasteEnd.count)
        }
    }

    private static func final(_ byte: UInt8, _ parameters: String) -> Key {
        switch (byte, parameters.first) {
        case (UInt8(ascii: "M"), "<"), (UInt8(ascii: "m"), "<"):
            return mouse(parameters.dropFirst(), isRelease: byte == UInt8(ascii: "m"))
        case (UInt8(ascii: "Z"), _): return .backTab
        default:
            return TerminalReply(final: byte, parameters).map { .reply($0) } ?? arrow(byte)
        }
    }

    private static func mouse(_ parameters: Substring, isRelease: Bool) -> Key {
        let fields = parameters.split(separator: ";").compactMap { Int($0) }
        guard fields.count == 3, fields[1] > 0, fields[2] > 0, fields[1] < 1 << 16,
            fields[2] < 1 << 16
        else { return .unknown }
        // Shift, meta and control do not matter here.
        let button = fields[0] & ~0x1C
        let kind: MouseEvent.Kind =
            switch button {
            case 0: isRelease ? .release : .press
            case 32: .drag
            // With release among the buttons of a motion: none is down.
            case 35: .move
            case 64: .wheelUp
            case 65: .wheelDown
            default: .other
            }
        return .mouse(MouseEvent(kind, at: GridPoint(column: fields[1] - 1, row: fields[2] - 1)))
    }

    private static func arrow(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: .unknown
        }
    }

    private static func numbered(_ number: String) -> Key {
        switch number {
        case "1", "7": .home
        case "3": .delete
        case "4", "8": .end
        case "5": .pageUp
        case "6": .pageDown
        default: .unknown
        }
    }
}
