import Bytes

/// A colour of the sRGB space with 8 bits a channel. Text: `#rrggbb` or `#rrggbbaa`.
public struct Color: Hashable, Sendable {
    /// Red.
    public var r: UInt8
    /// Green.
    public var g: UInt8
    /// Blue.
    public var b: UInt8
    /// Opacity; 255 hides what is behind.
    public var a: UInt8

    /// Makes a colour from its channels.
    public init(r: UInt8, g: UInt8, b: UInt8, a: UInt8 = 255) {
        self.r = r
        self.g = g
        self.b = b
        self.a = a
    }

    /// Reads `#rrggbb` or `#rrggbbaa`, digits in either case; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "#"), let bytes = Hexadecimal.bytes(text.dropFirst()),
            bytes.count == 3 || bytes.count == 4
        else { return nil }
        self.init(r: bytes[0], g: bytes[1], b: bytes[2], a: bytes.count == 4 ? bytes[3] : 255)
    }

    /// Makes a colour from `0xrrggbbaa`.
    public init(rgba: UInt32) {
        self.init(
            r: UInt8(truncatingIfNeeded: rgba >> 24), g: UInt8(truncatingIfNeeded: rgba >> 16),
            b: UInt8(truncatingIfNeeded: rgba >> 8), a: UInt8(truncatingIfNeeded: rgba))
    }

    /// The colour as `0xrrggbbaa`.
    public var rgba: UInt32 { UInt32(r) << 24 | UInt32(g) << 16 | UInt32(b) << 8 | UInt32(a) }

    /// `#rrggbb`, with `aa` unless the colour is opaque; lower case.
    public var text: String {
        "#" + Hexadecimal.text([r, g, b] + (a == 255 ? [] : [a]))
    }
}
