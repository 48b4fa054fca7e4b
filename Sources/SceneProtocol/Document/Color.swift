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
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "#"), bytes.count == 7 || bytes.count == 9 else {
            return nil
        }
        var value: UInt32 = 0
        for byte in bytes.dropFirst() {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        if bytes.count == 7 { value = value << 8 | 0xFF }
        self.init(rgba: value)
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
        func hexadecimal(_ byte: UInt8) -> String {
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "#" + hexadecimal(r) + hexadecimal(g) + hexadecimal(b)
            + (a == 255 ? "" : hexadecimal(a))
    }
}
