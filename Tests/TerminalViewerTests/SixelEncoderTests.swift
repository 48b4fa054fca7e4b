import PicturePixels
import SeededRandom
import Testing

@testable import TerminalViewer

@Suite("Pictures in the languages of terminals")
struct PictureEncodingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "base64 is that of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ plain: String, _ encoded: String) {
        #expect(text(Base64.encode(Array(plain.utf8))) == encoded)
    }

    @Test("a sixel picture: colours in hundredths, six rows at a time, runs, what is not drawn")
    func sixel() {
        let red: [UInt8] = [255, 0, 0, 255]
        let blue: [UInt8] = [0, 0, 128, 255]
        let none: [UInt8] = [0, 0, 0, 0]
        // Five columns, seven rows: red above, then a row with a blue pixel and nothing else.
        var rows = Array(repeating: Array(repeating: red, count: 5), count: 6)
        rows[5][4] = none
        rows.append([none, none, blue, none, none])
        let image = PixelImage(width: 5, height: 7, bytes: rows.flatMap { $0.flatMap { $0 } })
        // Six pixels are 63 + 63, `~`; five of them 63 + 31, `^`.
        #expect(
            text(SixelEncoder.encode(image, colorMaximum: 256))
                == "\u{1B}P0;1;0q\"1;1;5;7#0;2;100;0;0#1;2;0;0;50#0!4~^-#1??@\u{1B}\\")
    }

    @Test("two colours in the same rows are drawn one after the other")
    func colors() {
        let image = PixelImage(
            width: 2, height: 2,
            bytes: [255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255])
        #expect(
            text(SixelEncoder.encode(image, colorMaximum: 2))
                == "\u{1B}P0;1;0q\"1;1;2;2#0;2;100;100;100#1;2;0;0;0#0@A$#1A@\u{1B}\\")
    }

    @Test("more colours than allowed are cut at the median, each colour the mean of its pixels")
    func palette() {
        // The median is between the second and the third: (0 + 16) / 2 and (32 + 240) / 2.
        let greys: [UInt8] = [0, 16, 32, 240]
        let image = PixelImage(
            width: 4, height: 1, bytes: greys.flatMap { [$0, $0, $0, 255] })
        let palette = SixelPalette(image, maximum: 2)
        #expect(Set(palette.colors.map(\.r)) == [8, 136])
        #expect(palette.numbers[0] == palette.numbers[1])
        #expect(palette.numbers[2] == palette.numbers[3])
        #expect(palette.numbers[0] != palette.numbers[2])
    }

    @Test("no palette has more colours than allowed, and each pixel is near its own")
    func manyColors() {
        var random = SplitMix64(seed: 11)
        var bytes: [UInt8] = []
        for _ in 0..<4096 {
            for _ in 0..<3 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
            bytes.append(255)
        }
        let image = PixelImage(width: 64, height: 64, bytes: bytes)
        for maximum in [2, 16, 256] {
            let palette = SixelPalette(image, maximum: maximum)
            #expect(palette.colors.count == maximum)
            var error = 0
            for (pixel, number) in palette.numbers.enumerated() {
                let color = palette.colors[Int(number)]
                error += abs(Int(color.r) - Int(bytes[4 * pixel]))
            }
            // Random values differ from 128 by 64 on average; from the mean of one of n boxes
            // by an n-th root of n of that in each channel.
            #expect(error / 4096 < [2: 66, 16: 40, 256: 18][maximum, default: 0])
        }
    }

    @Test("kitty gets a file in pieces of 4096 bytes, and a part of it at the cursor")
    func kitty() {
        #expect(
            text(KittyCommand.send([1, 2, 3], number: 7))
                == "\u{1B}_Ga=t,f=100,i=7,q=1;AQID\u{1B}\\")
        let pieces = text(KittyCommand.send([UInt8](repeating: 0, count: 3072 * 2 + 3), number: 9))
        let line = String(repeating: "A", count: 4096)
        #expect(
            pieces == "\u{1B}_Ga=t,f=100,i=9,q=1,m=1;\(line)\u{1B}\\"
                + "\u{1B}_Gq=1,m=1;\(line)\u{1B}\\\u{1B}_Gq=1,m=0;AAAA\u{1B}\\")
        let source = CellRect(left: 10, top: 20, right: 30, bottom: 60)
        #expect(
            text(
                KittyCommand.place(
                    number: 7, placement: 3, source: source, columns: 2, rows: 4))
                == "\u{1B}_Ga=p,i=7,p=3,x=10,y=20,w=20,h=40,c=2,r=4,C=1,z=-1,q=1\u{1B}\\")
        #expect(
            text(KittyCommand.remove(number: 7, placement: 3))
                == "\u{1B}_Ga=d,d=i,i=7,p=3,q=1\u{1B}\\")
        #expect(text(KittyCommand.forget(number: 7)) == "\u{1B}_Ga=d,d=I,i=7,q=1\u{1B}\\")
    }

    @Test("iTerm2 gets a file with its size in bytes and in cells")
    func inline() {
        #expect(
            text(InlineImage.show([1, 2, 3], columns: 4, rows: 2))
                == "\u{1B}]1337;File=inline=1;size=3;width=4;height=2;preserveAspectRatio=0;"
                + "doNotMoveCursor=1:AQID\u{7}")
    }
}
