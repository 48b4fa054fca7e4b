import ConstraintLanguage
public import JSON
import LayoutValues
public import SceneDocument
import SceneModel

/// The differences of two versions of a scene: what was changed in the document, and what of that
/// moves on a device.
public struct SceneComparison: Sendable {
    /// A difference.
    public struct Change: Sendable, Hashable {
        /// What was done.
        public enum Kind: String, Sendable {
            case added, removed, changed, moved
        }
        /// What was done.
        public var kind: Kind
        /// `view` or `constraint`.
        public var subject: String
        /// The name in the document.
        public var id: String
        /// The difference as a sentence without a full stop.
        public var text: String
    }

    /// A device's frames before and after, in the root's coordinates.
    public struct Screen: Sendable {
        /// The device.
        public var name: String
        /// The size before and after, in points.
        var sizes: [(width: Double, height: Double)]
        var before: [ScreenView]
        var after: [ScreenView]
    }

    /// A view on a screen.
    struct ScreenView: Sendable, Hashable {
        var id: String
        var frame: Rect
        var text: String
        var isHidden: Bool
    }

    /// The name of the scene; empty for documents.
    public var title: String
    /// The changes of the document, then the views that move on the main device.
    public private(set) var changes: [Change] = []
    /// The devices on which something moves; the main one is first.
    public private(set) var screens: [Screen] = []

    /// Whether both versions say the same.
    public var isEmpty: Bool { changes.isEmpty }

    /// Compares two documents.
    ///
    /// - Parameters:
    ///   - names: The author's names for views and constraints, by the document's; others have
    ///     their own.
    ///   - devices: Whether the devices that both name are compared as well.
    public init(
        title: String, from old: SceneDocument, to new: SceneDocument, names: [String: String],
        devices: Bool = true
    ) {
        self.title = title
        let words = Words(names: names)
        changes = ViewComparison.changes(old, new, words)
        changes += ConstraintComparison.changes(old, new, words)
        let specs: [DeviceSpec?] =
            [nil]
            + (devices
                ? new.devices.filter { device in
                    old.devices.contains { $0.id == device.id }
                }.map(Optional.some) : [])
        for device in specs {
            let (before, oldSize) = Self.layout(old, device)
            let (after, newSize) = Self.layout(new, device)
            let screen = Screen(
                name: device?.id ?? "canvas", sizes: [oldSize, newSize], before: before,
                after: after)
            guard before != after || device == nil else { continue }
            screens.append(screen)
            if device == nil { noteMoves(screen, words) }
        }
    }

    private static func layout(
        _ document: SceneDocument, _ device: DeviceSpec?
    ) -> ([ScreenView], (Double, Double)) {
        var document = document
        document.viewport.unsatisfiable = .break
        guard let model = try? SceneModel(document, on: device?.viewport) else {
            return ([], (document.viewport.width, document.viewport.height))
        }
        var frames: [String: Rect] = [:]
        for frame in model.frames() { frames[frame.id] = frame.rect }
        var parents: [String: String] = [:]
        for view in document.views { parents[view.id] = view.parent }
        var result: [ScreenView] = []
        for view in document.views {
            guard var frame = frames[view.id] else { continue }
            var parent = view.parent
            while parent != "root", let outer = frames[parent], let next = parents[parent] {
                frame.origin.x += outer.minX
                frame.origin.y += outer.minY
                parent = next
            }
            result.append(
                ScreenView(
                    id: view.id, frame: frame, text: view.properties.text ?? "",
                    isHidden: view.properties.hidden == true))
        }
        let root = frames["root"] ?? .zero
        return (result, (root.width, root.height))
    }

    private mutating func noteMoves(
        _ screen: Screen, _ words: Words
    ) {
        var before: [String: Rect] = [:]
        for view in screen.before { before[view.id] = view.frame }
        for view in screen.after {
            guard let frame = before[view.id],
                let text = FrameWords.difference(from: frame, to: view.frame)
            else { continue }
            changes.append(
                Change(
                    kind: .moved, subject: "view", id: view.id,
                    text: "\(words.view(view.id)) \(text)"))
        }
    }

    /// The changes as JSON.
    public var json: JSONText {
        JSONText(
            value: .object([
                JSONMember("scene", .string(title)),
                JSONMember(
                    "changes",
                    .array(
                        changes.map { change in
                            .object([
                                JSONMember("kind", .string(change.kind.rawValue)),
                                JSONMember("subject", .string(change.subject)),
                                JSONMember("id", .string(change.id)),
                                JSONMember("text", .string(change.text)),
                            ])
                        })),
                JSONMember("devices", .array(screens.dropFirst().map { .string($0.name) })),
            ]))
    }
}

/// A JSON value of a comparison.
public struct JSONText: Sendable {
    /// The value.
    public let value: JSONValue

    /// A list of comparisons as text.
    public static func list(_ parts: [JSONText]) -> String {
        JSONValue.object([JSONMember("scenes", .array(parts.map(\.value)))]).text(pretty: true)
    }
}

/// Names for people.
struct Words {
    var names: [String: String]

    func view(_ id: String) -> String { names[id] ?? id }
    func constraint(_ id: String, _ rule: String) -> String { names[id] ?? rule }
}

/// How a frame differs, in words: `moved 12 down and is 8 wider`.
enum FrameWords {
    static func difference(from old: Rect, to new: Rect) -> String? {
        var moves: [String] = []
        func move(_ delta: Double, _ less: String, _ more: String) {
            if delta.magnitude >= 0.01 {
                moves.append("\(length(delta)) \(delta < 0 ? less : more)")
            }
        }
        move(new.minX - old.minX, "left", "right")
        move(new.minY - old.minY, "up", "down")
        var sizes: [String] = []
        func size(_ delta: Double, _ less: String, _ more: String) {
            if delta.magnitude >= 0.01 {
                sizes.append("\(length(delta)) \(delta < 0 ? less : more)")
            }
        }
        size(new.width - old.width, "narrower", "wider")
        size(new.height - old.height, "lower", "higher")
        var parts: [String] = []
        if !moves.isEmpty { parts.append("moved " + moves.joined(separator: " and ")) }
        if !sizes.isEmpty { parts.append("is " + sizes.joined(separator: " and ")) }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }

    static func length(_ value: Double) -> String {
        let rounded = (value.magnitude * 100).rounded() / 100
        return rounded == rounded.rounded() && rounded < 1e9
            ? String(Int(rounded)) : String(rounded)
    }
}
