import Foundation
import Pictures
import SeededRandom
import Testing

@Suite("The sizes of pictures")
struct PictureInfoTests {
    static func bytes(_ name: String) throws -> [UInt8] {
        let sample = try #require(SamplePictures.all.first { $0.name == name })
        return [UInt8](try #require(Data(base64Encoded: sample.base64)))
    }

    @Test("files of other programs have the type and the size that these wrote")
    func samples() throws {
        for (name, _) in SamplePictures.all {
            let info = try PictureInfo(of: try Self.bytes(name))
            let isTurned = name == "jpegTurned6" || name == "jpegTurned8"
            #expect(name.hasPrefix(info.type.rawValue), "\(name)")
            #expect((info.width, info.height) == (isTurned ? (20, 40) : (40, 20)), "\(name)")
        }
    }

    @Test("a JPEG is turned as its EXIF says, other files are not")
    func turns() throws {
        for (name, _) in SamplePictures.all {
            let expected: PictureTurn =
                switch name {
                case "jpegTurned3": .half
                case "jpegTurned6": .right
                case "jpegTurned8": .left
                default: .none
                }
            #expect(try PictureTurn(of: try Self.bytes(name)) == expected, "\(name)")
        }
    }

    @Test("the corners of a stored picture of 3 by 2 pixels, in each of the eight turns")
    func corners() {
        // The places of the shown picture's top left and top right pixels in the stored one.
        let expected: [PictureTurn: [[Int]]] = [
            .none: [[0, 0], [2, 0]], .mirrored: [[2, 0], [0, 0]], .half: [[2, 1], [0, 1]],
            .flipped: [[0, 1], [2, 1]], .transposed: [[0, 0], [0, 1]],
            .right: [[0, 1], [0, 0]], .transversed: [[2, 1], [2, 0]], .left: [[2, 0], [2, 1]],
        ]
        for turn in PictureTurn.allCases {
            let width = turn.exchangesSides ? 2 : 3
            let found = [0, width - 1].map { x -> [Int] in
                let place = turn.stored(x: x, y: 0, width: 3, height: 2)
                return [place.x, place.y]
            }
            #expect(found == expected[turn], "\(turn)")
        }
    }

    @Test("sizes beyond the limits are refused, those at the limits are taken")
    func limits() throws {
        func png(_ width: UInt32, _ height: UInt32) throws -> [UInt8] {
            var bytes = try Self.bytes("png")
            for (place, value) in [(16, width), (20, height)] {
                for index in 0..<4 {
                    let shift = 24 - 8 * UInt32(index)
                    bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift)
                }
            }
            return bytes
        }
        #expect(try PictureInfo(of: png(8192, 2048)).width == 8192)
        #expect(throws: PictureError.tooLarge(width: 8193, height: 1)) {
            try PictureInfo(of: png(8193, 1))
        }
        #expect(throws: PictureError.tooLarge(width: 8192, height: 2049)) {
            try PictureInfo(of: png(8192, 2049))
        }
        #expect(throws: PictureError.tooLarge(width: 4_294_967_295, height: 4_294_967_295)) {
            try PictureInfo(of: png(.max, .max))
        }
        #expect(throws: PictureError.malformed("it has no area")) {
            try PictureInfo(of: png(0, 20))
        }
    }

    @Test("files of other types are refused, whatever they are called or begin with")
    func others() throws {
        let files = [
            "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!DOCTYPE html><script>1</script>",
            "%PDF-1.7", "BM", "II*\0", "RIFF\u{4}\0\0\0WAVE", "\u{FEFF}<svg/>", "PK\u{3}\u{4}",
            "\0\0\0\u{18}ftypavif", "GIF88a", "PNG",
        ]
        for file in files {
            #expect(throws: PictureError.unknownType) { try PictureInfo(of: Array(file.utf8)) }
        }
    }

    @Test("a file that is cut off is an error, but for what follows its head")
    func truncated() throws {
        for (name, _) in SamplePictures.all {
            let whole = try Self.bytes(name)
            let info = try PictureInfo(of: whole)
            for count in 0..<whole.count {
                // The pixels of JPEG and GIF are not looked at.
                if let cut = try? PictureInfo(of: Array(whole.prefix(count))) {
                    #expect(cut == info, "\(name) of \(count) bytes")
                    #expect(info.type == .jpeg || info.type == .gif, "\(name) of \(count) bytes")
                }
            }
        }
    }

    @Test("200 hostile files end in an error or in a size within the limits")
    func hostile() throws {
        var random = SplitMix64(seed: 0x5EED)
        var (refused, taken) = (0, 0)
        for index in 0..<200 {
            let sample = SamplePictures.all[index % SamplePictures.all.count]
            var file = try Self.bytes(sample.name)
            switch index % 5 {
            case 0:
                for _ in 0..<(1 + random.below(8)) {
                    file[random.below(file.count)] = UInt8(random.below(256))
                }
            case 1: file.removeLast(random.below(file.count))
            case 2:
                let place = random.below(file.count)
                file.insert(
                    contentsOf: (0..<random.below(64)).map { _ in 0xFF }, at: place)
            case 3:
                // Another format behind the head of this one.
                let other = try Self.bytes(random.pick(SamplePictures.all.map(\.name)))
                file = Array(file.prefix(8 + random.below(16))) + other
            default:
                // Lengths and sizes at the ends of their ranges.
                let place = min(4 + random.below(28), file.count - 4)
                let value = random.pick([0, 127, 128, 255] as [UInt8])
                for offset in 0..<4 { file[place + offset] = value }
            }
            do {
                let info = try PictureInfo(of: file)
                #expect((1...PictureInfo.sideMaximum).contains(info.width))
                #expect((1...PictureInfo.sideMaximum).contains(info.height))
                #expect(info.width * info.height <= PictureInfo.pixelMaximum)
                taken += 1
            } catch {
                #expect(!"\(error)".isEmpty)
                refused += 1
            }
        }
        // Bytes that nothing reads may change; most do more.
        #expect(refused >= 100 && taken >= 10, "\(refused) refused, \(taken) taken")
    }

    @Test("each byte of a JPEG's EXIF may be any other")
    func exif() throws {
        let file = try Self.bytes("jpegTurned6")
        let start = try #require(
            file.indices.first { file[$0...].starts(with: Array("Exif".utf8)) })
        for place in start..<(start + 32) {
            for value in UInt8.min...UInt8.max {
                var changed = file
                changed[place] = value
                let info = try PictureInfo(of: changed)
                #expect(info.width + info.height == 60)
            }
        }
    }
}
