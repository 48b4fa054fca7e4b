import FoundationEssentials
import JSON
import LayoutValues
import Glibc
import Synchronization

/// Asset catalogues by folder, each read once. May be used from any thread.
public final class AssetCache: Sendable {
    private let catalogs = Mutex<[String: AssetCatalog]>([:])

    /// Creates an empty cache.
    public init() {}

    /// The catalogues directly in a folder.
    func catalog(of folder: String) -> AssetCatalog {
        if let known = catalogs.withLock({ $0[folder] }) { return known }
        var catalog = AssetCatalog()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var reader = AssetReader()
        for name in names.sorted() where name.hasSuffix(".xcassets") {
            reader.read("\(folder)/\(name)", into: &catalog)
        }
        catalogs.withLock { $0[folder] = catalog }
        return catalog
    }
}

/// Reads the colours and the sizes of images of a catalogue.
private struct AssetReader {
    /// Entries that are left to be read, for catalogues without end.
    private var left = 20_000

    mutating func read(_ root: String, into catalog: inout AssetCatalog) {
        var folders = [root]
        while let folder = folders.popLast(), left > 0 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where left > 0 {
                left -= 1
                let path = "\(folder)/\(name)"
                if name.hasSuffix(".colorset") {
                    guard let bytes = ProjectFolder.bytes("\(path)/Contents.json") else { continue }
                    catalog.addColor(String(name.dropLast(".colorset".count)), contents: bytes)
                } else if name.hasSuffix(".imageset") {
                    let image = String(name.dropLast(".imageset".count))
                    if let size = Self.imageSize(path) { catalog.addImage(image, size: size) }
                } else if !name.contains(".") {
                    folders.append(path)
                }
            }
        }
    }

    /// The size of an image in points, from the header of its PNG file.
    private static func imageSize(_ folder: String) -> Size? {
        guard let bytes = ProjectFolder.bytes("\(folder)/Contents.json"),
            let json = try? JSONReader.read(bytes), let images = json["images"]?.array
        else { return nil }
        for image in images {
            guard let name = image["filename"]?.string, name.hasSuffix(".png"),
                !name.contains("/"), let pixels = pixels("\(folder)/\(name)")
            else { continue }
            var scale = 1.0
            if let text = image["scale"]?.string {
                scale = Double(text.dropLast()) ?? 1
            }
            guard scale > 0 else { continue }
            return Size(width: pixels.width / scale, height: pixels.height / scale)
        }
        return nil
    }

    /// PNG (ISO/IEC 15948), 11.2.1: width and height follow the first chunk's type.
    private static func pixels(_ path: String) -> Size? {
        guard let handle = fopen(path, "rb") else { return nil }
        defer { fclose(handle) }
        var head = [UInt8](repeating: 0, count: 24)
        guard fread(&head, 1, 24, handle) == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            return nil
        }
        func number(_ start: Int) -> Double {
            Double(head[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        let size = Size(width: number(16), height: number(20))
        return size.width <= 1e5 && size.height <= 1e5 ? size : nil
    }
}
