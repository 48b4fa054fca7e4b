import FoundationEssentials

/// What lies beside a file of a project on a disk: its texts in other languages, and the asset
/// catalogues of its folders.
public struct ProjectFolder: Sendable {
    /// The texts of each language, by its name.
    public private(set) var strings: [LocalizedStrings] = []
    /// The asset catalogues.
    public private(set) var assets = AssetCatalog()
    /// Files that could not be read.
    public private(set) var faults: [(path: String, error: InterfaceError)] = []

    /// The most folders above a file in which catalogues are looked for.
    private static let levelMaximum = 4

    /// Looks around a file.
    ///
    /// - Parameter cache: The catalogues of folders that were read already.
    public init(beside path: String, cache: AssetCache = AssetCache()) {
        let url = URL(fileURLWithPath: path)
        readStrings(url)
        var folder = url.deletingLastPathComponent()
        for _ in 0..<Self.levelMaximum {
            assets.merge(cache.catalog(of: folder.path))
            if Self.exists(folder.appending(path: ".git").path) { break }
            let above = folder.deletingLastPathComponent()
            guard above.path != folder.path else { break }
            folder = above
        }
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    private mutating func readStrings(_ url: URL) {
        let base = url.deletingPathExtension().lastPathComponent
        let folder = url.deletingLastPathComponent()
        guard folder.pathExtension == "lproj" else { return }
        let own = folder.deletingPathExtension().lastPathComponent
        let parent = folder.deletingLastPathComponent()
        let siblings = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in siblings.sorted() where name.hasSuffix(".lproj") {
            let language = String(name.dropLast(".lproj".count))
            let folder = parent.appending(path: name)
            if language == "mul" || language == own {
                readCatalog(folder.appending(path: "\(base).xcstrings").path, own: own)
            }
            guard language != own, language != "Base", language != "mul" else { continue }
            let path = folder.appending(path: "\(base).strings").path
            guard Self.exists(path), let bytes = Self.bytes(path) else { continue }
            do throws(InterfaceError) {
                strings.append(try LocalizedStrings(bytes, language: language))
            } catch { faults.append((path, error)) }
        }
    }

    private mutating func readCatalog(_ path: String, own: String) {
        guard Self.exists(path), let bytes = Self.bytes(path) else { return }
        do throws(InterfaceError) {
            strings += try LocalizedStrings.catalog(bytes).filter { $0.language != own }
        } catch { faults.append((path, error)) }
    }

    static func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) }
    }
}

extension AssetCatalog {
    /// Takes over what another catalogue has and this one has not.
    mutating func merge(_ other: AssetCatalog) {
        for (name, color) in other.colors where colors[name] == nil { add(color, name) }
        for (name, size) in other.imageSizes where imageSizes[name] == nil {
            addImage(name, size: size)
        }
    }
}
