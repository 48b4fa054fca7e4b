import ConstraintLanguage
import InterfaceBuilder
import JSON
import LayoutValues
import SceneDocument

/// A scene to check: its documents, and where everything of it stands in its file.
struct LintScene {
    /// Where something stands and what the author calls it.
    struct Item {
        var name: String
        var line: Int
        var id: String
        var element: XMLElement?
    }

    var path: String
    /// The name for people; empty for a document that is the only one of its file.
    var title: String
    var id: String
    var line: Int
    /// The scene as Xcode's canvas has it, or the document itself.
    var canvas: SceneDocument
    /// The scene in one language for all devices.
    var languages: [Language] = []
    var views: [String: Item] = [:]
    var constraints: [String: Item] = [:]
    /// The frames that the file stores; empty for documents.
    var stored: [String: Rect] = [:]
    /// The conversion, of a file of Interface Builder.
    var conversion: InterfaceConversion?
    /// Whether its height follows its content, as a cell's does.
    var isFlexible = false

    struct Language {
        /// The name; empty for the development language.
        var name: String
        var isRightToLeft: Bool
        var document: SceneDocument
    }

    func view(_ id: String) -> Item { views[id] ?? Item(name: id, line: line, id: id) }
    func constraint(_ id: String) -> Item {
        constraints[id] ?? Item(name: id, line: line, id: id)
    }
}

extension LintScene {
    /// A scene of a file of Interface Builder.
    ///
    /// - Throws: `InterfaceError` for one that cannot be laid out.
    init(
        _ scene: InterfaceScene, strings: [LocalizedStrings], options given: ConversionOptions
    ) throws(InterfaceError) {
        var options = given
        options.contentSizes = .stored
        options.addsDevices = false
        let stored = try InterfaceConversion(scene, options: options)
        options.contentSizes = .measured
        options.addsDevices = true
        path = scene.file.path
        title = scene.title
        id = scene.id
        line = scene.root.line
        canvas = stored.document
        conversion = stored
        isFlexible = scene.kind != .controller
        self.stored = stored.storedFrames
        for (id, origin) in stored.views { views[id] = Item(id, origin) }
        for (id, origin) in stored.constraints { constraints[id] = Item(id, origin) }
        for language in [nil] + strings.map(Optional.some) {
            options.strings = language
            let converted = try InterfaceConversion(scene, options: options)
            for (id, origin) in converted.views where views[id] == nil {
                views[id] = Item(id, origin)
            }
            for (id, origin) in converted.constraints where constraints[id] == nil {
                constraints[id] = Item(id, origin)
            }
            languages.append(
                Language(
                    name: language?.language ?? "", isRightToLeft: language?.isRightToLeft ?? false,
                    document: converted.document))
        }
    }

    /// A document of ours.
    init(_ document: SceneDocument, json: JSONValue, path: String) {
        self.path = path
        title = ""
        id = ""
        line = 1
        canvas = document
        canvas.devices = []
        languages = [Language(name: "", isRightToLeft: false, document: document)]
        if let list = json["views"]?.array {
            for view in list {
                guard let id = view["id"]?.string else { continue }
                views[id] = Item(name: id, line: view.line, id: id)
            }
        }
        note(document.constraints, json["constraints"], set: nil)
        for set in document.sets {
            note(set.constraints, json["sets"]?[set.id]?["constraints"], set: set.id)
        }
    }

    private mutating func note(_ specs: [ConstraintSpec], _ json: JSONValue?, set: String?) {
        guard let list = json?.array else { return }
        for (index, spec) in specs.enumerated() where index < list.count {
            let id = spec.resolvedID(index: index, set: set)
            switch spec.body {
            case .rule(let rule):
                constraints[id] = Item(name: rule.description, line: list[index].line, id: id)
            case .visualFormat(let format, _):
                for k in 0..<spec.ruleCount {
                    let part = ConstraintSpec.ruleID(id, k)
                    constraints[part] = Item(name: format.source, line: list[index].line, id: part)
                }
            }
        }
    }
}

extension LintScene.Item {
    fileprivate init(_ id: String, _ origin: InterfaceConversion.Origin) {
        self.init(
            name: origin.name, line: origin.element.line, id: origin.element["id"] ?? id,
            element: origin.element)
    }
}
