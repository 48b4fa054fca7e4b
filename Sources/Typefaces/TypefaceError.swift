/// Why a file is not used as a face.
public enum TypefaceError: Error, Equatable, CustomStringConvertible {
    /// It has more bytes than a face may have.
    case tooLarge(bytes: Int, maximum: Int)
    /// It is no OpenType or TrueType font, or its tables are damaged.
    case notAFont
    /// It holds several faces, or none.
    case collection(faces: Int)
    /// Its outlines depend on axes.
    case variable
    /// Its numbers are outside the ranges of the format.
    case badMetrics(String)
    /// It has a glyph for no character.
    case noCharacters

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let bytes, let maximum):
            "the file has \(bytes) bytes, at most \(maximum) are read; make a subset of it"
        case .notAFont:
            "the file is no OpenType or TrueType font, or is damaged; give an .otf or .ttf file"
        case .collection(let faces):
            "the file holds \(faces) faces; extract the one that is wanted into a file of its own"
        case .variable:
            "the face has variable axes; make an instance of it, as with `fonttools varLib.instancer`"
        case .badMetrics(let what):
            "the face has \(what); repair it or use another one"
        case .noCharacters:
            "the face has a glyph for no character; repair it or use another one"
        }
    }
}
