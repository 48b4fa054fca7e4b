public import SceneDocument
import SceneWire

/// Where pictures that carry their faces along have them from.
public protocol FaceSource {
    /// Of each family the face that sets text of a weight.
    func chain(of faces: [FaceSpec], weight: Int) -> [FaceSpec]

    /// A font file with the outlines of some characters of a face; `nil` for a face that is not
    /// there, and where it has none of them.
    func subset(of face: FaceSpec, characters: Set<Unicode.Scalar>) -> [UInt8]?

    /// The outlines of a line as the data of an SVG path, in points from the left end of its
    /// baseline; `nil` where they cannot be had.
    ///
    /// - Parameters:
    ///   - faces: The files that text looks for a glyph in.
    ///   - size: The points of an em.
    func outline(of line: String, faces: [FaceSpec], weight: Int, size: Double) -> String?
}

/// How a picture shows text that is set in faces.
public enum PictureText {
    /// As text, in the faces of the reader's machine.
    case plain
    /// As text, with the faces that it needs in the picture.
    case embedded(any FaceSource)
    /// As outlines, for programs that do not read the fonts of a picture; a line that runs from
    /// right to left, or has a character of no face, stays text.
    case outlined(any FaceSource)
}

/// The characters that pictures set in each face, so that the pictures look the same where the
/// faces are not installed.
struct EmbeddedFaces {
    private let source: any FaceSource
    private var characters: [FaceSpec: Set<Unicode.Scalar>] = [:]

    init(_ source: any FaceSource) { self.source = source }

    /// For a picture with text that carries its faces along; nil for another one.
    init?(_ text: PictureText) {
        switch text {
        case .plain, .outlined: return nil
        case .embedded(let source): self.init(source)
        }
    }

    /// Notes a line. Every face of the chain may be asked for any character.
    mutating func note(_ text: String, in face: TextFace) {
        for file in source.chain(of: face.files, weight: Int(face.weight)) {
            characters[file, default: []].formUnion(text.unicodeScalars)
        }
    }

    /// A style sheet with the faces, or nothing.
    ///
    /// - Complexity: O(bytes of the faces).
    /// - Source: W3C, CSS Fonts Module Level 4, "@font-face".
    var styleElement: String {
        var rules = ""
        let inOrder = characters.sorted {
            ($0.key.name, $0.key.weight, $0.key.hash) < ($1.key.name, $1.key.weight, $1.key.hash)
        }
        for (face, characters) in inOrder {
            guard let file = source.subset(of: face, characters: characters) else { continue }
            rules += "@font-face{font-family:\"\(Self.quoted(face.name))\";"
            rules += "font-weight:\(face.weight);src:url(data:font/otf;base64,"
            rules += String(decoding: Base64.encode(file), as: UTF8.self) + ")}\n"
        }
        return rules.isEmpty ? "" : "<style>\n\(rules)</style>\n"
    }

    /// A name as the inside of a string of CSS in an element of XML. Source: W3C, CSS Syntax Module
    /// Level 3, "Consume an escaped code point".
    static func quoted(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\", "<", "&", ">", "\u{0}"..<"\u{20}", "\u{7F}":
                text += "\\" + String(scalar.value, radix: 16) + " "
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
