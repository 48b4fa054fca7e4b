/// Decodes picture files to pixels, scales pixels, and encodes them as PNG.
///
/// Files come from outside: their size is checked before anything is decoded, and of any bytes the
/// result is an image or an error.

/// Pixels of eight bits a channel in sRGB: red, green, blue and alpha, colours multiplied by alpha.
public struct PixelImage: Hashable, Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Row by row, four bytes a pixel.
    public let bytes: [UInt8]

    /// Makes an image of pixels whose colours are multiplied by alpha.
    ///
    /// - Parameter bytes: `4 · width · height` of them.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width >= 0 && height >= 0 && bytes.count == 4 * width * height)
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Makes an image of pixels whose colours are not multiplied yet.
    ///
    /// - Complexity: O(pixels).
    init(straight bytes: consuming [UInt8], width: Int, height: Int) {
        var bytes = bytes
        bytes.withUnsafeMutableBufferPointer { bytes in
            for place in stride(from: 0, to: bytes.count, by: 4) where bytes[place + 3] != 255 {
                let alpha = Int(bytes[place + 3])
                for channel in place..<place + 3 {
                    bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 127) / 255)
                }
            }
        }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// Whether no pixel lets anything through. Complexity: O(pixels).
    public var isOpaque: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for place in stride(from: 3, to: bytes.count, by: 4) where bytes[place] != 255 {
                return false
            }
            return true
        }
    }

    /// The pixels with colours that are not multiplied. Complexity: O(pixels).
    var straight: [UInt8] {
        var result = bytes
        result.withUnsafeMutableBufferPointer { result in
            for place in stride(from: 0, to: result.count, by: 4) {
                let alpha = Int(result[place + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in place..<place + 3 {
                    result[channel] = UInt8(
                        clamping: (Int(result[channel]) * 255 + alpha / 2) / alpha)
                }
            }
        }
        return result
    }

    /// The image over a colour, at a share of its own opacity.
    ///
    /// - Parameters:
    ///   - color: Red, green and blue; nil keeps what is let through.
    ///   - opacity: From 0 to 1.
    /// - Complexity: O(pixels).
    public func over(_ color: (UInt8, UInt8, UInt8)?, opacity: Double) -> PixelImage {
        let share = Int((min(max(opacity, 0), 1) * 256).rounded())
        guard color != nil || share < 256 else { return self }
        var result = bytes
        let below = color.map { [Int($0.0), Int($0.1), Int($0.2)] }
        result.withUnsafeMutableBufferPointer { result in
            for place in stride(from: 0, to: result.count, by: 4) {
                let alpha = Int(result[place + 3]) * share / 256
                for channel in 0..<3 {
                    var value = Int(result[place + channel]) * share / 256
                    if let below { value += (below[channel] * (255 - alpha) + 127) / 255 }
                    result[place + channel] = UInt8(clamping: value)
                }
                result[place + 3] = below == nil ? UInt8(clamping: alpha) : 255
            }
        }
        return PixelImage(width: width, height: height, bytes: result)
    }

    /// The picture that a turn shows. Complexity: O(pixels).
    func turned(
        to width: Int, _ height: Int, _ stored: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
    ) -> PixelImage {
        var result = [UInt8](repeating: 0, count: 4 * width * height)
        var place = 0
        for y in 0..<height {
            for x in 0..<width {
                let (from, row) = stored(x, y)
                let source = 4 * (row * self.width + from)
                for channel in 0..<4 { result[place + channel] = bytes[source + channel] }
                place += 4
            }
        }
        return PixelImage(width: width, height: height, bytes: result)
    }

    /// Each two by two pixels as one, their mean; a last odd row or column alone.
    ///
    /// - Complexity: O(pixels).
    func halved() -> PixelImage {
        let (wide, high) = ((width + 1) / 2, (height + 1) / 2)
        var result = [UInt8](repeating: 0, count: 4 * wide * high)
        bytes.withUnsafeBufferPointer { bytes in
            result.withUnsafeMutableBufferPointer { result in
                for y in 0..<high {
                    let top = 2 * y * width
                    let bottom = min(2 * y + 1, height - 1) * width
                    for x in 0..<wide {
                        let (left, right) = (2 * x, min(2 * x + 1, width - 1))
                        for channel in 0..<4 {
                            let sum =
                                Int(bytes[4 * (top + left) + channel])
                                + Int(bytes[4 * (top + right) + channel])
                                + Int(bytes[4 * (bottom + left) + channel])
                                + Int(bytes[4 * (bottom + right) + channel])
                            result[4 * (y * wide + x) + channel] = UInt8((sum + 2) / 4)
                        }
                    }
                }
            }
        }
        return PixelImage(width: wide, height: high, bytes: result)
    }
}
