import Pictures

/// The chunks of a WebP file.
///
/// - Source: RFC 9649, section 2.
struct WebPContainer {
    /// A file of one picture, and its place on the canvas.
    struct Picture {
        var bytes: [UInt8]
        var left = 0
        var top = 0
    }

    private let file: [UInt8]

    init(_ file: [UInt8]) { self.file = file }

    /// The file itself, or, if it moves, one of its first picture.
    func firstPicture() throws(PictureError) -> Picture {
        guard name(at: 12) == "VP8X", file.count > 30, file[20] & 0x02 != 0 else {
            return Picture(bytes: file)
        }
        var place = 12
        while let chunk = chunk(at: place) {
            guard name(at: place) == "ANMF" else {
                place = chunk.next
                continue
            }
            // Places are stored in pairs of pixels, sizes less one.
            guard chunk.body.count > 16 else { break }
            let start = chunk.body.lowerBound
            let body = Array(file[(start + 16)..<chunk.body.upperBound])
            var head = Array("WEBP".utf8)
            if body.starts(with: "ALPH".utf8) {
                head += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0]
                head += file[(start + 6)..<(start + 12)]
            }
            let count = head.count + body.count
            let size = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
            return Picture(
                bytes: Array("RIFF".utf8) + size + head + body, left: 2 * little24(start),
                top: 2 * little24(start + 3))
        }
        throw .malformed("it moves, and has no picture")
    }

    private func name(at place: Int) -> String {
        guard place + 4 <= file.count else { return "" }
        return String(decoding: file[place..<place + 4], as: UTF8.self)
    }

    private func little24(_ place: Int) -> Int {
        Int(file[place]) | Int(file[place + 1]) << 8 | Int(file[place + 2]) << 16
    }

    /// The body of a chunk that lies whole within the file, and the place of the next one.
    private func chunk(at place: Int) -> (body: Range<Int>, next: Int)? {
        guard place + 8 <= file.count else { return nil }
        let count = little24(place + 4) | Int(file[place + 7]) << 24
        guard count <= file.count - place - 8 else { return nil }
        let end = place + 8 + count
        return (place + 8..<end, end + count % 2)
    }
}
