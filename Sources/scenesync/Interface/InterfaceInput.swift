import AutoLayout
import Essentials
import InterfaceBuilder
import JSON
import SceneDocument
import SceneLint
import SceneModel
import SceneServer
import SceneWire

/// Reads scenes of Interface Builder's files where documents are expected.
enum InterfaceInput {
    /// Whether bytes are such a file.
    static func accepts(_ bytes: [UInt8], _ path: String) -> Bool {
        InterfaceFile.accepts(bytes, path: path)
    }

    /// A scene of a file, converted.
    ///
    /// - Parameters:
    ///   - scene: The scene's id; `nil` for the one with which the file begins.
    ///   - language: The language of its texts; `nil` for that of development.
    static func conversion(
        _ bytes: [UInt8], _ path: String, scene: String?, language: String?,
        contentSizes: ConversionOptions.ContentSizes
    ) throws(InputFailure) -> InterfaceConversion {
        let (scene, options) = try self.scene(
            bytes, path, scene: scene, language: language, contentSizes: contentSizes)
        do throws(InterfaceError) {
            return try InterfaceConversion(scene, options: options)
        } catch {
            throw InputFailure(kind: .malformed, text: "\(path): \(error)")
        }
    }

    /// A scene of a file, and how it is converted; the parameters are those of `conversion`.
    static func scene(
        _ bytes: [UInt8], _ path: String, scene: String?, language: String?,
        contentSizes: ConversionOptions.ContentSizes
    ) throws(InputFailure) -> (InterfaceScene, ConversionOptions) {
        let chosen = try self.scene(scene, of: try file(bytes, path))
        var options = ConversionOptions()
        options.contentSizes = contentSizes
        // The margins of cells on the canvas are known in scenes of their own alone.
        options.hasContents = contentSizes == .measured
        options.measureWidth = TextRuler.registered?.width
        let folder = ProjectFolder(beside: path)
        options.assets = folder.assets
        if let language {
            guard let strings = folder.strings.first(where: { $0.language == language }) else {
                let known = folder.strings.map(\.language).joined(separator: ", ")
                throw InputFailure(
                    kind: .malformed,
                    text: "\(path): there are no texts in \"\(language)\" beside it"
                        + (known.isEmpty ? "" : "; there are \(known)"))
            }
            options.strings = strings
        }
        return (chosen, options)
    }

    /// Converts files that are dropped on a page. Nothing beside a file is read: it has no place
    /// on this machine.
    static let converter = FileConverter { (bytes, name, scene) throws(FileConverter.Failure) in
        guard accepts(bytes, name) else {
            throw FileConverter.Failure("\(name) is no .storyboard or .xib")
        }
        do throws(InputFailure) {
            let file = try file(bytes, name)
            let chosen = try InterfaceInput.scene(scene, of: file)
            var options = ConversionOptions()
            options.hasContents = true
            options.measureWidth = TextRuler.registered?.width
            let conversion: InterfaceConversion
            do throws(InterfaceError) {
                conversion = try InterfaceConversion(chosen, options: options)
            } catch {
                throw InputFailure(kind: .malformed, text: "\(name): \(error)")
            }
            let scenes = file.scenes.prefix(200).map { scene in
                JSONValue.object([
                    JSONMember("id", .string(scene.id)), JSONMember("title", .string(scene.title)),
                ])
            }
            return .object([
                JSONMember("scene", .string(chosen.id)), JSONMember("scenes", .array(scenes)),
                JSONMember("document", conversion.document.json),
            ])
        } catch {
            throw FileConverter.Failure(error.text)
        }
    }

    /// A scene for all devices, with measured texts.
    static func document(
        _ bytes: [UInt8], _ path: String, scene: String?
    ) throws(InputFailure) -> SceneDocument {
        try conversion(bytes, path, scene: scene, language: nil, contentSizes: .measured).document
    }

    static func file(_ bytes: [UInt8], _ path: String) throws(InputFailure) -> InterfaceFile {
        do throws(InterfaceError) { return try InterfaceFile(bytes, path: path) } catch {
            throw InputFailure(kind: .malformed, text: "\(path): \(error)")
        }
    }

    private static func scene(
        _ id: String?, of file: InterfaceFile
    ) throws(InputFailure) -> InterfaceScene {
        if let id {
            if let scene = file.scene(id) { return scene }
            let known = file.scenes.prefix(20).map { "\($0.id) (\($0.title))" }
            throw InputFailure(
                kind: .malformed,
                text: "\(file.path) has no scene \"\(id)\"; it has "
                    + known.joined(separator: ", "))
        }
        guard let scene = file.initialScene else {
            throw InputFailure(kind: .malformed, text: "\(file.path) has no view to lay out")
        }
        return scene
    }

    /// The reason why a file of Interface Builder is too large to be read into memory at all.
    static func excess(_ path: String) -> String? {
        guard path.hasSuffix(".storyboard") || path.hasSuffix(".xib"),
            let size = FileSize.bytes(atPath: path), size > XMLLimits().bytesMaximum
        else { return nil }
        return "the file has \(size) bytes, the most are \(XMLLimits().bytesMaximum); split it"
    }

    /// A path and the scene that it may name: `Main.storyboard#login`.
    static func split(_ path: String) -> (path: String, scene: String?) {
        guard let mark = path.lastIndex(of: "#") else { return (path, nil) }
        let file = String(path[..<mark])
        guard file.hasSuffix(".storyboard") || file.hasSuffix(".xib") else { return (path, nil) }
        return (file, String(path[path.index(after: mark)...]))
    }
}

extension TextRuler {
    /// The widths of the program's faces; `nil` without any.
    static var registered: TextRuler? {
        guard let library = RegisteredFaces.library else { return nil }
        return TextRuler { text, size, weight in
            let measurer = library.measurer(for: library.standardFaces)
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            var units = measurer.lineMetrics(weight: weight).space * max(0, words.count - 1)
            for word in words { units += measurer.advance(of: word, weight: weight).units }
            return Double(units) / Double(TextAdvance.unitsPerEm) * size
        }
    }
}
