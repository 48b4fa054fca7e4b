import EmbeddedFiles
import Foundation
import SeededRandom
import Testing

@testable import Typefaces

/// The faces that ship with the program.
func shippedFace(_ name: String) throws -> Typeface {
    let file = try #require(EmbeddedFile.fonts.first { $0.name == name + ".otf" })
    return try Typeface(file.plain)
}

@Suite("A face")
struct TypefaceTests {
    @Test("the names, weights and lines of the faces that ship")
    func shipped() throws {
        let regular = try shippedFace("Inter-Regular")
        // The numbers of the file: `ttx` shows 2816 units, and 2728, -680 and 0 in `hhea`.
        #expect(regular.familyName == "Inter")
        #expect(regular.weight == 400)
        #expect(regular.unitsPerEm == 2816)
        #expect(regular.ascender == 2728)
        #expect(regular.descender == -680)
        #expect(regular.lineGap == 0)
        #expect(
            regular.hash.description
                == "1435e1fbd18ed8acaaed3d41afd6b490f10c63e5453589e8a22fa2fb8f066e47")
        let semibold = try shippedFace("Inter-SemiBold")
        #expect(semibold.familyName == "Inter")
        #expect(semibold.weight == 600)
    }

    @Test("characters are covered where the face has a glyph")
    func coverage() throws {
        let face = try shippedFace("Inter-Regular")
        #expect(face.covers("A"))
        #expect(face.covers("Ж"))
        #expect(face.covers("…"))
        #expect(!face.covers("日"))
        #expect(!face.covers("😀"))
    }

    @Test("what is cut out has the characters, as wide and as kerned, and nothing else")
    func subset() throws {
        let face = try shippedFace("Inter-Regular")
        let wanted = "AVe\u{301}Ж".unicodeScalars
        let file = try #require(face.subset(characters: wanted))
        // The whole face has 176,280.
        #expect(file.count < 8_000)
        let cut = try Typeface(file)
        for scalar in wanted { #expect(cut.covers(scalar), "\(scalar)") }
        #expect(!cut.covers("B"))
        #expect(cut.unitsPerEm == face.unitsPerEm)
        #expect(cut.ascender == face.ascender && cut.descender == face.descender)
        for (text, script) in [("AV", Typeface.Script.latin), ("Ae\u{301}", .latin)] {
            let run = Array(text.unicodeScalars)[...]
            for isKerned in [true, false] {
                let (whole, part) = (
                    face.extent(of: run, script: script, isKerned: isKerned),
                    cut.extent(of: run, script: script, isKerned: isKerned)
                )
                #expect(part.units == whole.units && part.missing == 0, "\(text)")
            }
        }
        // The same bytes for the same characters, in any order.
        #expect(face.subset(characters: wanted.reversed()) == file)
        #expect(face.subset(characters: "日".unicodeScalars) == nil)
    }

    @Test("words are as long as another version of HarfBuzz has them")
    func vectors() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Vectors/advances.tsv")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count > 300)
        let faces = try [shippedFace("Inter-Regular"), shippedFace("Inter-SemiBold")]
        for line in lines {
            let parts = line.split(separator: "\t")
            let scalars = Array(parts[0].unicodeScalars)
            let script =
                scalars.lazy.map(Typeface.Script.init).first { !$0.isShared } ?? .latin
            for (face, expected) in zip(faces, parts.dropFirst()) {
                let extent = face.extent(of: scalars[...], script: script, isKerned: true)
                #expect(extent.units == Int(expected), "\(line)")
                #expect(extent.missing == 0, "\(line)")
            }
        }
    }

    @Test("files that are no face are refused with a reason")
    func refusals() throws {
        #expect(throws: TypefaceError.notAFont) { try Typeface([]) }
        #expect(throws: TypefaceError.notAFont) { try Typeface(Array("not a font".utf8)) }
        #expect(throws: TypefaceError.notAFont) {
            try Typeface([UInt8](repeating: 0, count: 100_000))
        }
        #expect(throws: TypefaceError.tooLarge(bytes: 32 << 20 + 1, maximum: 32 << 20)) {
            try Typeface([UInt8](repeating: 0, count: 32 << 20 + 1))
        }
        // A collection of two faces has a header of its own and two offsets.
        var collection = Array("ttcf".utf8) + [0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 20, 0, 0, 0, 20]
        collection += try #require(EmbeddedFile.fonts.first { $0.name == "Inter-Regular.otf" })
            .plain
        #expect(throws: TypefaceError.collection(faces: 2)) { try Typeface(collection) }
    }

    @Test("faces that are cut off or changed at random are refused or measured, never worse")
    func damage() throws {
        let file = try #require(EmbeddedFile.fonts.first { $0.name == "Inter-Regular.otf" }).plain
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            var damaged = file
            if Bool.random(using: &random) {
                damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random))
            }
            for _ in 0..<Int.random(in: 0...64, using: &random) where !damaged.isEmpty {
                // Mostly in the tables' directory and headers.
                let limit = Bool.random(using: &random) ? min(4096, damaged.count) : damaged.count
                damaged[Int.random(in: 0..<limit, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            guard let face = try? Typeface(damaged) else { continue }
            let advance = TypefaceChain([face]).advance(of: "AVATAR-fi-1,234-Ωж\u{301}")
            #expect(advance.units >= 0)
        }
    }
}
