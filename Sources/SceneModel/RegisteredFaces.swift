public import AutoLayout
public import SceneDocument
import Synchronization

/// The faces that a program has for text.
public protocol FaceLibrary: AnyObject, Sendable {
    /// The faces of documents that name none.
    var standardFaces: [FaceSpec] { get }

    /// Whether the file of a face is there.
    func has(_ face: FaceSpec) -> Bool

    /// Measures text in a chain of faces, all of which are there. May be used from any thread.
    func measurer(for faces: [FaceSpec]) -> any TextMeasurer
}

/// The faces of the program: registered once, before the first scene is made, as fonts are with
/// Core Text. Without any, text stands on the grid, and a document that names faces is refused.
public enum RegisteredFaces {
    private static let registered = Mutex<(any FaceLibrary)?>(nil)

    /// The library of the program.
    public static var library: (any FaceLibrary)? { registered.withLock { $0 } }

    /// Sets the library of the program.
    public static func register(_ library: any FaceLibrary) {
        registered.withLock { $0 = library }
    }
}

extension SceneModel {
    /// The faces of text, which follow from the document.
    ///
    /// - Throws: `Refusal` with `badValue` for a face that the program does not have.
    func makeTextMeasurer(
        of document: SceneDocument
    ) throws(Refusal) -> (() -> any TextMeasurer)? {
        guard let library = RegisteredFaces.library else {
            guard document.faces.isEmpty else {
                throw Refusal(
                    code: .badValue,
                    message: "faces: this program measures text on the grid alone")
            }
            return nil
        }
        for face in document.faces where !library.has(face) {
            throw Refusal(
                code: .badValue,
                message:
                    "faces: \(face.name) \(face.weight) is not here (SHA-256 \(face.hash)); put its file into the folder of --fonts"
            )
        }
        let faces = document.faces
        return { library.measurer(for: faces.isEmpty ? library.standardFaces : faces) }
    }

    /// The faces that the scene's text is set in, in the order in which characters look for a
    /// glyph; empty where the program has none.
    public var shownFaces: [FaceSpec] {
        faces.isEmpty ? RegisteredFaces.library?.standardFaces ?? [] : faces
    }
}
