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

    /// The library of the program, or of the task.
    public static var library: (any FaceLibrary)? {
        #if !hasFeature(Embedded)
        if let ofTask { return ofTask }
        #endif
        return registered.withLock { $0 }
    }

    #if !hasFeature(Embedded)
    @TaskLocal private static var ofTask: (any FaceLibrary)?

    /// Does something with another library, which no other task sees.
    public static func withLibrary<Result>(
        _ library: any FaceLibrary, _ body: () throws -> Result
    ) rethrows -> Result {
        try $ofTask.withValue(library, operation: body)
    }

    /// Does something with another library, which no other task sees.
    public static func withLibrary<Result>(
        _ library: any FaceLibrary, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $ofTask.withValue(library, operation: body)
    }
    #endif

    /// Sets the library of the program.
    public static func register(_ library: any FaceLibrary) {
        registered.withLock { $0 = library }
    }
}

extension SceneModel {
    /// The faces of text, which follow from the document.
    ///
    /// - Parameter lacksFaces: Whether faces may be missing; others stand for them.
    /// - Throws: `Refusal` with `badValue` for a face that the program does not have.
    func makeTextMeasurer(
        of document: SceneDocument, lacksFaces: Bool
    ) throws(Refusal) -> (() -> any TextMeasurer)? {
        guard let library = RegisteredFaces.library else {
            guard document.faces.isEmpty else {
                throw Refusal(
                    code: .badValue,
                    message: "faces: this program measures text on the grid alone")
            }
            return nil
        }
        let present = document.faces.filter(library.has)
        let isFitted = present.count < document.faces.count
        if isFitted, !lacksFaces, let face = document.faces.first(where: { !library.has($0) }) {
            throw Refusal(
                code: .badValue,
                message:
                    "faces: \(face.name) \(face.weight) is not here (SHA-256 \(face.hash)); put its file into the folder of --fonts"
            )
        }
        let model = Unowned(self)
        return {
            SceneTextMeasurer(of: model.object, isFitted: isFitted) {
                library.measurer(for: present.isEmpty ? library.standardFaces : present)
            }
        }
    }

    /// The document's faces without a file. Recorded measurements stay valid; new text is measured
    /// in substitute faces.
    public var missingFaces: [FaceSpec] {
        guard let library = RegisteredFaces.library else { return faces }
        return faces.filter { !library.has($0) }
    }

    /// The faces that the scene's text is set in, in the order in which characters look for a
    /// glyph; empty where the program has none.
    public var shownFaces: [FaceSpec] {
        faces.isEmpty ? RegisteredFaces.library?.standardFaces ?? [] : faces
    }
}
