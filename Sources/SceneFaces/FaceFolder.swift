public import AutoLayout
import EmbeddedFiles
import FoundationEssentials
public import SceneDocument
public import SceneModel
import Synchronization
public import Typefaces

/// The faces that ship with the program, and those of an operator's folder.
///
/// Members of a room can never add one: font files are a large surface for attacks.
public final class FaceFolder: FaceLibrary {
    /// A face with its file.
    public struct Entry: Sendable {
        /// The face as documents name it.
        public let spec: FaceSpec
        /// The face that measures.
        public let typeface: Typeface
        /// The bytes that renderers draw with: compressed as WOFF 2 where the program has that.
        public let file: [UInt8]
        /// Where the file is; nil for a face that ships with the program.
        public let path: String?
    }

    /// The faces of the folder, by name.
    private let added: [Entry]
    /// The files of the folder that are no face, with the reasons.
    public let refused: [(path: String, reason: TypefaceError)]
    private let measurers = Mutex<[[FaceSpec]: FaceMeasurer]>([:])

    /// All faces: those that ship first.
    public var entries: [Entry] { Self.shipped + added }

    /// A folder that cannot be read.
    public struct Unreadable: Error, CustomStringConvertible {
        /// The folder.
        public let path: String
        /// What is wrong, and what to do.
        public var description: String {
            "the folder of faces \(path) cannot be read; see that it exists and may be read"
        }
    }

    /// Reads the faces.
    ///
    /// - Parameter folder: A folder with `.otf` and `.ttf` files.
    /// - Throws: `Unreadable`.
    public init(folder: String) throws(Unreadable) {
        var added: [Entry] = []
        var refused: [(path: String, reason: TypefaceError)] = []
        for (path, file) in try Self.files(of: folder) {
            do throws(TypefaceError) {
                let typeface = try Typeface(file)
                guard !added.contains(where: { $0.typeface.hash == typeface.hash }) else {
                    continue
                }
                added.append(
                    Entry(
                        spec: Self.spec(of: typeface), typeface: typeface, file: file, path: path))
            } catch {
                refused.append((path, error))
            }
        }
        self.added = added
        self.refused = refused
    }

    private init() {
        added = []
        refused = []
    }

    /// The faces that ship, without a folder.
    public static let shippedAlone = FaceFolder()

    private static func spec(of typeface: Typeface) -> FaceSpec {
        FaceSpec(
            name: typeface.familyName, weight: typeface.weight, hash: typeface.hash.description)
    }

    private static func files(of folder: String) throws(Unreadable) -> [(String, [UInt8])] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw Unreadable(path: folder)
        }
        return names.sorted().filter { $0.hasSuffix(".otf") || $0.hasSuffix(".ttf") }
            .map { name in
                let path = folder + "/" + name
                // A file that cannot be read is refused as one that is no font.
                return (path, FileManager.default.contents(atPath: path).map(Array.init) ?? [])
            }
    }

    /// Inter Regular and SemiBold.
    private static let shipped: [Entry] = ["Inter-Regular", "Inter-SemiBold"].map { name in
        guard let file = EmbeddedFile.fonts.first(where: { $0.name == name + ".otf" }),
            let web = EmbeddedFile.fonts.first(where: { $0.name == name + ".woff2" }),
            let typeface = try? Typeface(file.plain)
        else {
            preconditionFailure("the face \(name) is damaged; build the program again")
        }
        return Entry(
            spec: spec(of: typeface), typeface: typeface, file: web.plain, path: nil)
    }

    // MARK: FaceLibrary

    /// Those that ship.
    public var standardFaces: [FaceSpec] { Self.shipped.map(\.spec) }

    /// Whether the file of a face is there.
    public func has(_ face: FaceSpec) -> Bool { entry(of: face.hash) != nil }

    /// The face of a hash.
    public func entry(of hash: String) -> Entry? {
        added.first { $0.spec.hash == hash } ?? Self.shipped.first { $0.spec.hash == hash }
    }

    /// Measures text in a chain of faces.
    ///
    /// - Precondition: All are there.
    public func measurer(for faces: [FaceSpec]) -> any TextMeasurer {
        measurers.withLock { measurers in
            if let known = measurers[faces] { return known }
            let made = FaceMeasurer(
                faces.map { spec in
                    guard let entry = entry(of: spec.hash) else {
                        preconditionFailure("the face \(spec.hash) is not in the library")
                    }
                    return (spec, entry.typeface)
                })
            measurers[faces] = made
            return made
        }
    }
}
