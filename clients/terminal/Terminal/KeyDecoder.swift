/// A key that was pressed.
public enum Key: Hashable, Sendable {
    /// A key that writes something.
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
    /// To the beginning.
    case home
    /// To the end.
    case end
    /// A page back.
    case pageUp
    /// A page on.
    case pageDown
    /// Return.
    case enter
    /// Tab.
    case tab
    /// Backspace.
    case backspace
    /// Escape.
    case escape
    /// A sequence that means nothing here.
    case unknown
}

/// Turns a terminal's bytes into keys; sequences may come in pieces.
///
/// - Source: ECMA-48, 5.4; XTerm Control Sequences, "PC-Style Function Keys".
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
    }

    /// Longer sequences are no keys; the bound keeps the memory small whatever comes.
    private static let sequenceMaximum = 32

    private var state = State.ground
    private var parameters: [UInt8] = []
    private var text: [UInt8] = []

    /// Makes a decoder at the beginning of a sequence.
    public init() {}

    /// Whether an ESC has come that may be the key or the beginning of a sequence.
    ///
    /// Call `flush()` if nothing follows within some 50 ms.
    public var isWaiting: Bool { state != .ground }

    /// The keys that these bytes complete.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// Ends an unfinished sequence: an ESC alone is the key.
    public mutating func flush() -> [Key] {
        defer { reset() }
        switch state {
        case .ground: return []
        case .escape: return [.escape]
        case .singleShift, .control, .text: return [.unknown]
        }
    }

    private mutating func reset() {
        state = .ground
        parameters = []
        text = []
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: takeGround(byte, &keys)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .control
            case UInt8(ascii: "O"): state = .singleShift
            case 0x1B: keys.append(.escape)
            default:
                // Alt with a key is the key: nothing here tells them apart.
                reset()
                takeGround(byte, &keys)
            }
        case .singleShift:
            reset()
            keys.append(Self.final(byte))
        case .control: takeControl(byte, &keys)
        case .text(let missing): takeText(byte, missing: missing, &keys)
        }
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
            keys.append(Self.numbered(String(decoding: number, as: UTF8.self)))
        case 0x40...0x7D:
            reset()
            keys.append(Self.final(byte))
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

    private static func final(_ byte: UInt8) -> Key {
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
        case "4", "8": .end
        case "5": .pageUp
        case "6": .pageDown
        default: .unknown
        }
    }
}
