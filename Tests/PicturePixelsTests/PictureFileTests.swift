import Pictures
import SeededRandom
import Testing

@testable import PicturePixels

@Suite("Files of pictures")
struct PictureFileTests {
    @Test(
        "each type is read as Pillow reads it",
        arguments: SampleFiles.all)
    func reads(_ sample: SampleFile) throws {
        let image = try PictureFile.decode(sample.file)
        #expect((image.width, image.height) == (sample.width, sample.height))
        let expected = PixelImage(
            straight: sample.pixels, width: sample.width, height: sample.height)
        for (place, (got, wanted)) in zip(image.bytes, expected.bytes).enumerated() {
            let difference = abs(Int(got) - Int(wanted))
            #expect(difference <= sample.tolerance, "\(sample.name), byte \(place)")
        }
    }

    @Test("a PNG that was written is read again")
    func png() throws {
        let opaque = PixelImage(width: 2, height: 1, bytes: [1, 2, 3, 255, 4, 5, 6, 255])
        let clear = PixelImage(width: 1, height: 2, bytes: [0, 0, 0, 0, 64, 32, 0, 128])
        for image in [opaque, clear] {
            #expect(try PictureFile.decode(PictureFile.png(of: image)) == image)
        }
    }

    @Test("a PNG of noise, however narrow, is written whole")
    func noise() throws {
        var random = SplitMix64(seed: 3)
        for (width, height) in [(1, 4000), (4000, 1), (97, 61)] {
            var bytes: [UInt8] = []
            for _ in 0..<width * height {
                for _ in 0..<3 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
                bytes.append(255)
            }
            let image = PixelImage(width: width, height: height, bytes: bytes)
            #expect(try PictureFile.decode(PictureFile.png(of: image)) == image)
        }
    }

    @Test("of damaged files the result is an image or an error, for each place of damage")
    func damaged() {
        var random = SplitMix64(seed: 7)
        for sample in SampleFiles.all {
            for count in stride(from: 0, to: sample.file.count, by: 3) {
                _ = try? PictureFile.decode(Array(sample.file[..<count]))
            }
            for _ in 0..<300 {
                var file = sample.file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: file.indices, using: &random)
                    file[place] = UInt8.random(in: 0...255, using: &random)
                }
                if let image = try? PictureFile.decode(file) {
                    #expect(image.width * image.height <= PictureInfo.pixelMaximum)
                }
            }
        }
    }

    @Test(
        "a file that ends within its pixels is damaged, and one that claims too many is too large")
    func refused() throws {
        let gif = try #require(SampleFiles.all.first { $0.name == "gif" }).file
        #expect(throws: PictureError.truncated) {
            try PictureFile.decode(Array(gif.dropLast(8)))
        }
        // The logical screen of 8192 by 8192.
        var large = gif
        large.replaceSubrange(6..<10, with: [0, 0x20, 0, 0x20])
        #expect(throws: PictureError.tooLarge(width: 8192, height: 8192)) {
            try PictureFile.decode(large)
        }
        var png = try #require(SampleFiles.all.first { $0.name == "png" }).file
        // Within the pixels' data, whose sum is checked.
        let place = try #require(png.firstRange(of: Array("IDAT".utf8))).upperBound + 4
        png[place] ^= 0xFF
        #expect(throws: PictureError.malformed("its pixels cannot be read")) {
            try PictureFile.decode(png)
        }
    }
}
