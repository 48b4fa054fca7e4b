/// Finds the size of a JPEG and the turn that its EXIF asks for.
///
/// - Source: ITU-T T.81, annex B; CIPA DC-008 (EXIF 2.32), sections 4.5 and 4.6.
struct JPEGReader {
    private let bytes: PictureBytes

    init(_ bytes: PictureBytes) { self.bytes = bytes }

    /// The picture, and the turn by which it is shown.
    func read() throws(PictureError) -> (info: PictureInfo, turn: PictureTurn) {
        var size: (width: Int, height: Int)?
        var turn = PictureTurn.none
        var place = 2
        while true {
            guard try bytes.byte(place) == 0xFF else { throw .malformed("a marker is missing") }
            let marker = try bytes.byte(place + 1)
            place += 1
            // A marker may be padded.
            if marker == 0xFF { continue }
            place += 1
            switch marker {
            case 0x01, 0xD0...0xD7: continue
            case 0x00, 0xD8: throw .malformed("a marker within the head")
            // The pixels begin, or the file ends.
            case 0xDA, 0xD9:
                guard let size else { throw .malformed("it has no frame") }
                let info =
                    turn.exchangesSides
                    ? try PictureInfo.checked(.jpeg, size.height, size.width)
                    : try PictureInfo.checked(.jpeg, size.width, size.height)
                return (info, turn)
            default: break
            }
            let length = try bytes.big16(place)
            guard length >= 2 else { throw .malformed("a segment's length") }
            guard place + length <= bytes.count else { throw .truncated }
            if Self.isFrame(marker) {
                guard size == nil else { throw .malformed("it has two frames") }
                guard length >= 8 else { throw .malformed("a frame's length") }
                size = (try bytes.big16(place + 5), try bytes.big16(place + 3))
            } else if marker == 0xE1, bytes.has(Self.exif, at: place + 2) {
                turn = Self.turn(
                    bytes, from: place + 2 + Self.exif.count, to: place + length)
            }
            place += length
        }
    }

    private static let exif: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// Whether a marker begins a frame: SOF0 to SOF15 without DHT, JPG and DAC.
    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    /// The turn that EXIF asks for. EXIF that cannot be read turns nothing, as in browsers.
    private static func turn(
        _ bytes: PictureBytes, from start: Int, to end: Int
    ) -> PictureTurn {
        do throws(PictureError) {
            let isLittle = bytes.has("II", at: start)
            guard isLittle || bytes.has("MM", at: start) else { return .none }
            func short(_ place: Int) throws(PictureError) -> Int {
                guard place >= start, place + 2 <= end else { throw .truncated }
                return isLittle ? try bytes.little16(place) : try bytes.big16(place)
            }
            func long(_ place: Int) throws(PictureError) -> Int {
                guard place >= start, place + 4 <= end else { throw .truncated }
                return Int(isLittle ? try bytes.little32(place) : try bytes.big32(place))
            }
            guard try short(start + 2) == 42 else { return .none }
            let directory = start + (try long(start + 4))
            for index in 0..<(try short(directory)) {
                let entry = directory + 2 + 12 * index
                // Orientation, one short.
                guard try short(entry) == 0x0112 else { continue }
                guard try short(entry + 2) == 3, try long(entry + 4) == 1 else { return .none }
                return PictureTurn(rawValue: try short(entry + 8)) ?? .none
            }
            return .none
        } catch {
            return .none
        }
    }
}
