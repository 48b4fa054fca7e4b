import PicturePixels

/// Pixels as sixels: rows of six, one colour after the other.
///
/// | bytes | meaning |
/// |---|---|
/// | `ESC P 0;1;0 q` | begins; what is not drawn stays as it is |
/// | `"1;1;W;H` | pixels are square; the size |
/// | `#N;2;R;G;B` | colour N, in hundredths |
/// | `#N` | the colour of what follows |
/// | `?` to `~` | six pixels from the top down, the lowest bit first, plus 63 |
/// | `!N` | N times the next one |
/// | `$` `-` | back to the left edge; to the next six rows |
/// | `ESC \` | ends |
enum SixelEncoder {
    /// - Parameter colorMaximum: 1 to 256.
    /// - Complexity: O(pixels + rows / 6 · colours used there · columns).
    static func encode(_ image: PixelImage, colorMaximum: Int) -> [UInt8] {
        let palette = SixelPalette(image, maximum: colorMaximum)
        var output = Array("\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)".utf8)
        for (number, color) in palette.colors.enumerated() {
            func share(_ value: UInt8) -> Int { (Int(value) * 100 + 127) / 255 }
            output += Array(
                "#\(number);2;\(share(color.r));\(share(color.g));\(share(color.b))".utf8)
        }
        for top in stride(from: 0, to: image.height, by: 6) {
            if top > 0 { output.append(UInt8(ascii: "-")) }
            append(palette, top, image, to: &output)
        }
        output += [0x1B, UInt8(ascii: "\\")]
        return output
    }

    /// Appends six rows.
    private static func append(
        _ palette: SixelPalette, _ top: Int, _ image: PixelImage, to output: inout [UInt8]
    ) {
        let rows = min(6, image.height - top)
        var sixels = [UInt8](repeating: 0, count: palette.colors.count * image.width)
        var isUsed = [Bool](repeating: false, count: palette.colors.count)
        for row in 0..<rows {
            let start = (top + row) * image.width
            for column in 0..<image.width {
                let number = Int(palette.numbers[start + column])
                guard number >= 0 else { continue }
                sixels[number * image.width + column] |= 1 << UInt8(row)
                isUsed[number] = true
            }
        }
        var isFirst = true
        for number in palette.colors.indices where isUsed[number] {
            if !isFirst { output.append(UInt8(ascii: "$")) }
            isFirst = false
            output += Array("#\(number)".utf8)
            let line = sixels[number * image.width..<(number + 1) * image.width]
            appendRuns(line, to: &output)
        }
    }

    private static func appendRuns(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var place = line.startIndex
        // Nothing has to be drawn behind the last pixel of a colour.
        let end = (line.lastIndex { $0 != 0 } ?? place - 1) + 1
        while place < end {
            var next = place + 1
            while next < end, line[next] == line[place] { next += 1 }
            let count = next - place
            let byte = 63 + line[place]
            if count > 3 {
                output += Array("!\(count)".utf8)
                output.append(byte)
            } else {
                for _ in 0..<count { output.append(byte) }
            }
            place = next
        }
    }
}

/// The colours of a picture: its own where they are few, otherwise those of a median cut.
///
/// - Source: Heckbert, "Color Image Quantization for Frame Buffer Display", SIGGRAPH 1982.
struct SixelPalette {
    struct RGB: Hashable {
        var r: UInt8
        var g: UInt8
        var b: UInt8
    }

    private(set) var colors: [RGB] = []
    /// The number of each pixel's colour; -1 for one that is not drawn.
    private(set) var numbers: [Int16]

    /// - Parameter maximum: 1 to 256.
    init(_ image: PixelImage, maximum: Int) {
        let maximum = min(max(maximum, 1), 256)
        numbers = [Int16](repeating: -1, count: image.width * image.height)
        if !takeOwn(image, maximum) { cut(image, maximum) }
    }

    /// A pixel's colour; nil for one that is more than half transparent.
    private static func color(_ bytes: UnsafeBufferPointer<UInt8>, _ pixel: Int) -> RGB? {
        let alpha = Int(bytes[4 * pixel + 3])
        guard alpha >= 128 else { return nil }
        func whole(_ value: UInt8) -> UInt8 {
            alpha == 255 ? value : UInt8(clamping: (Int(value) * 255 + alpha / 2) / alpha)
        }
        return RGB(
            r: whole(bytes[4 * pixel]), g: whole(bytes[4 * pixel + 1]),
            b: whole(bytes[4 * pixel + 2]))
    }

    /// Numbers the colours in the order in which they appear.
    ///
    /// - Returns: Whether there are no more than allowed.
    private mutating func takeOwn(_ image: PixelImage, _ maximum: Int) -> Bool {
        var known: [RGB: Int16] = [:]
        var last: (color: RGB, number: Int16)?
        return image.bytes.withUnsafeBufferPointer { bytes in
            for pixel in numbers.indices {
                guard let color = Self.color(bytes, pixel) else { continue }
                if let last, last.color == color {
                    numbers[pixel] = last.number
                    continue
                }
                var number = known[color]
                if number == nil {
                    guard colors.count < maximum else { return false }
                    number = Int16(colors.count)
                    known[color] = number
                    colors.append(color)
                }
                last = (color, number ?? 0)
                numbers[pixel] = number ?? 0
            }
            return true
        }
    }

    // MARK: Median cut

    /// A box of colours of five bits a channel.
    private struct Box {
        var entries: ArraySlice<Entry>
        var count: Int

        /// The channel that varies most, and by how much.
        var longest: (channel: Int, length: Int) {
            var best = (channel: 0, length: -1)
            for channel in 0..<3 {
                let values = entries.map { $0.channel(channel) }
                let length = (values.max() ?? 0) - (values.min() ?? 0)
                if length > best.length { best = (channel, length) }
            }
            return best
        }
    }

    private struct Entry {
        var code: Int
        var count: Int
        var sum: SIMD3<Int>

        func channel(_ index: Int) -> Int { code >> (10 - 5 * index) & 31 }
    }

    private static func code(_ color: RGB) -> Int {
        Int(color.r >> 3) << 10 | Int(color.g >> 3) << 5 | Int(color.b >> 3)
    }

    private mutating func cut(_ image: PixelImage, _ maximum: Int) {
        colors = []
        var counts = [Int](repeating: 0, count: 1 << 15)
        var sums = [SIMD3<Int>](repeating: .zero, count: 1 << 15)
        image.bytes.withUnsafeBufferPointer { bytes in
            for pixel in numbers.indices {
                guard let color = Self.color(bytes, pixel) else { continue }
                let code = Self.code(color)
                counts[code] += 1
                sums[code] &+= SIMD3(Int(color.r), Int(color.g), Int(color.b))
            }
        }
        let entries = counts.indices.filter { counts[$0] > 0 }
            .map { Entry(code: $0, count: counts[$0], sum: sums[$0]) }
        var numberOfCode = [Int16](repeating: 0, count: 1 << 15)
        for box in Self.boxes(entries, maximum) {
            var sum = SIMD3<Int>.zero
            for entry in box.entries {
                sum &+= entry.sum
                numberOfCode[entry.code] = Int16(colors.count)
            }
            let half = box.count / 2
            colors.append(
                RGB(
                    r: UInt8(clamping: (sum.x + half) / box.count),
                    g: UInt8(clamping: (sum.y + half) / box.count),
                    b: UInt8(clamping: (sum.z + half) / box.count)))
        }
        image.bytes.withUnsafeBufferPointer { bytes in
            for pixel in numbers.indices {
                numbers[pixel] =
                    Self.color(bytes, pixel).map { numberOfCode[Self.code($0)] } ?? -1
            }
        }
    }

    /// Cuts the box with the most pixels at its median, until there are as many as allowed.
    private static func boxes(_ entries: [Entry], _ maximum: Int) -> [Box] {
        guard !entries.isEmpty else { return [] }
        var boxes = [Box(entries: entries[...], count: entries.reduce(0) { $0 + $1.count })]
        while boxes.count < maximum {
            let candidates = boxes.indices.filter { boxes[$0].entries.count > 1 }
            guard let place = candidates.max(by: { boxes[$0].count < boxes[$1].count }) else {
                break
            }
            let box = boxes[place]
            let channel = box.longest.channel
            let sorted = box.entries.sorted {
                ($0.channel(channel), $0.code) < ($1.channel(channel), $1.code)
            }
            var (left, index) = (0, 0)
            repeat {
                left += sorted[index].count
                index += 1
            } while index < sorted.count - 1 && left * 2 < box.count
            boxes[place] = Box(entries: sorted[..<index], count: left)
            boxes.append(Box(entries: sorted[index...], count: box.count - left))
        }
        return boxes
    }
}
