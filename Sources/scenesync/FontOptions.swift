import ArgumentParser
import SceneFaces
import SceneModel
import SceneDocument
import SceneServer
import TerminalViewer
import Typefaces

/// A folder of faces, besides those that ship with the program.
struct FontOptions: ParsableArguments {
    @Option(help: "A directory of .otf and .ttf files that documents may name as faces.")
    var fonts: String?

    /// Registers the faces of the folder.
    ///
    /// - Returns: All faces, and those that ship alone without a folder.
    @discardableResult
    func register() throws -> FaceFolder { try Self.register(fonts) }

    /// The same for a folder from the settings.
    @discardableResult
    static func register(_ folder: String?) throws -> FaceFolder {
        let faces: FaceFolder
        do { faces = try .registered(folder) } catch {
            throw Output.failure(
                .badConfiguration, "\(error)", try: "name another directory with --fonts")
        }
        for (path, reason) in faces.refused { Output.note("\(path): \(reason)") }
        return faces
    }
}

extension FaceFolder {
    /// Registers the faces of a folder, if one is named.
    ///
    /// - Returns: All faces.
    static func registered(_ folder: String?) throws(Unreadable) -> FaceFolder {
        guard let folder, !folder.isEmpty else { return .shippedAlone }
        let faces = try FaceFolder(folder: folder)
        RegisteredFaces.register(faces)
        return faces
    }

    /// The files that the server hands to browsers.
    var served: [ServedFace] {
        entries.map { ServedFace(hash: $0.spec.hash, file: $0.file) }
    }
}

/// The registered faces, for pictures that carry them along.
struct PictureFaces: FaceSource {
    private let folder = RegisteredFaces.library as? FaceFolder ?? .shippedAlone

    func chain(of faces: [FaceSpec], weight: Int) -> [FaceSpec] { faces.chain(weight: weight) }

    func subset(of face: FaceSpec, characters: Set<Unicode.Scalar>) -> [UInt8]? {
        folder.entry(of: face.hash)?.typeface.subset(characters: characters)
    }

    func outline(of line: String, faces: [FaceSpec], weight: Int, size: Double) -> String? {
        let chain = faces.chain(weight: weight).map { folder.entry(of: $0.hash)?.typeface }
        let known = chain.compactMap { $0 }
        guard known.count == chain.count,
            (1...TypefaceChain.faceMaximum).contains(known.count)
        else { return nil }
        return TypefaceChain(known).outline(of: line, size: size)
    }
}
