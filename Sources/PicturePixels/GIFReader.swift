import Pictures

/// Decodes the first picture of a GIF on its canvas, which is transparent elsewhere.
///
/// Read here, in checked Swift, rather than by giflib: it is a table and a loop.
///
/// - Source: CompuServe, GIF89a specification, sections 17 to 23 and appendix F.
struct GIFReader {
    private let file: [UInt8]
    private var place = 13

    init(_ file: [UInt8]) { self.file = file }

    /// The canvas, row by row, colours not multiplied by alpha.
    mutating func read() throws(PictureError) -> [UInt8] {
        let (width, height) = (try little16(6), try little16(8))
        var colors = try palette(flags: try byte(10))
        var transparent: Int?
        while true {
            switch try next() {
            case 0x21:
                let label = try next()
                let body = try subBlocks()
                if label == 0xF9, body.count >= 4, body[0] & 1 == 1 { transparent = Int(body[3]) }
            case 0x2C:
                var frame = Frame()
                (frame.left, frame.top) = (try little16(place), try little16(place + 2))
                (frame.width, frame.height) = (try little16(place + 4), try little16(place + 6))
                let flags = try byte(place + 8)
                place += 9
                guard frame.width * frame.height <= PictureInfo.pixelMaximum else {
                    throw .tooLarge(width: frame.width, height: frame.height)
                }
                frame.isInterlaced = flags & 0x40 != 0
                if flags & 0x80 != 0 { colors = try palette(flags: flags) }
                let bits = try next()
                let data = try subBlocks()
                let indices = try LZW(bits: bits).decode(data, count: frame.width * frame.height)
                var canvas = [UInt8](repeating: 0, count: 4 * width * height)
                frame.draw(indices, colors, transparent, on: &canvas, width, height)
                return canvas
            case 0x3B: throw .malformed("it has no picture")
            default: throw .malformed("a block of an unknown type")
            }
        }
    }

    private func byte(_ place: Int) throws(PictureError) -> Int {
        guard place < file.count else { throw .truncated }
        return Int(file[place])
    }

    private func little16(_ place: Int) throws(PictureError) -> Int {
        try byte(place) | byte(place + 1) << 8
    }

    private mutating func next() throws(PictureError) -> Int {
        defer { place += 1 }
        return try byte(place)
    }

    /// The colours at the present place, if the flags say that there are any.
    private mutating func palette(flags: Int) throws(PictureError) -> [UInt8] {
        guard flags & 0x80 != 0 else { return [] }
        let count = 3 << (flags & 7 + 1)
        guard place + count <= file.count else { throw .truncated }
        defer { place += count }
        return Array(file[place..<place + count])
    }

    private mutating func subBlocks() throws(PictureError) -> [UInt8] {
        var body: [UInt8] = []
        while case let count = try next(), count > 0 {
            guard place + count <= file.count else { throw .truncated }
            body += file[place..<place + count]
            place += count
        }
        return body
    }
}

/// The place of a picture on the canvas.
private struct Frame {
    var left = 0
    var top = 0
    var width = 0
    var height = 0
    var isInterlaced = false

    /// The first row and the distance of rows of each pass.
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    func draw(
        _ indices: [UInt8], _ colors: [UInt8], _ transparent: Int?, on canvas: inout [UInt8],
        _ canvasWidth: Int, _ canvasHeight: Int
    ) {
        var rows = Array(0..<height)
        if isInterlaced {
            rows = Self.passes.flatMap { first, step in
                Array(stride(from: first, to: height, by: step))
            }
        }
        for (line, row) in rows.enumerated() where top + row < canvasHeight {
            for column in 0..<min(width, max(0, canvasWidth - left)) {
                let index = Int(indices[line * width + column])
                guard index != transparent, 3 * index + 2 < colors.count else { continue }
                let target = 4 * ((top + row) * canvasWidth + left + column)
                for channel in 0..<3 { canvas[target + channel] = colors[3 * index + channel] }
                canvas[target + 3] = 255
            }
        }
    }
}

/// The compression of GIF. Source: GIF89a specification, appendix F.
private struct LZW {
    private static let codeMaximum = 4096

    private let bits: Int

    init(bits: Int) throws(PictureError) {
        guard (2...8).contains(bits) else { throw .malformed("the size of its codes") }
        self.bits = bits
    }

    /// - Returns: `count` indices of colours.
    /// - Complexity: O(count + bytes).
    func decode(_ data: [UInt8], count: Int) throws(PictureError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count)
        let clear = 1 << bits
        var prefix = [Int](repeating: 0, count: Self.codeMaximum)
        var suffix = [UInt8](repeating: 0, count: Self.codeMaximum)
        for code in 0..<clear { suffix[code] = UInt8(code) }
        var (size, used, last) = (bits + 1, clear + 2, -1)
        var first: UInt8 = 0
        var reversed: [UInt8] = []
        var (pending, pendingBits, place) = (0, 0, 0)
        while output.count < count {
            while pendingBits < size {
                guard place < data.count else { throw .truncated }
                pending |= Int(data[place]) << pendingBits
                pendingBits += 8
                place += 1
            }
            let code = pending & (1 << size - 1)
            pending >>= size
            pendingBits -= size
            if code == clear {
                (size, used, last) = (bits + 1, clear + 2, -1)
                continue
            }
            guard code != clear + 1 else { throw .truncated }
            if last < 0 {
                guard code < clear else { throw .malformed("a code") }
                (last, first) = (code, UInt8(code))
                output.append(first)
                continue
            }
            guard code <= used, code < Self.codeMaximum, code < used || used < Self.codeMaximum
            else { throw .malformed("a code") }
            var next = code
            // A code that is made just now is the last one and its own beginning.
            if code == used {
                reversed.append(first)
                next = last
            }
            // Each prefix is a smaller code.
            while next >= clear {
                reversed.append(suffix[next])
                next = prefix[next]
            }
            first = UInt8(next)
            output.append(first)
            output.append(contentsOf: reversed.reversed())
            reversed.removeAll(keepingCapacity: true)
            if used < Self.codeMaximum {
                (prefix[used], suffix[used]) = (last, first)
                used += 1
                if used == 1 << size, size < 12 { size += 1 }
            }
            last = code
        }
        return Array(output.prefix(count))
    }
}
