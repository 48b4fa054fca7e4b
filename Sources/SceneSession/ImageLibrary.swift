import SceneDocument
import SceneModel

/// What is known of a picture's file.
public struct ImageFacts: Hashable, Sendable {
    /// In pixels, as it is shown.
    public var width: Int
    /// In pixels, as it is shown.
    public var height: Int
    /// The media type.
    public var type: String

    /// Makes facts.
    public init(width: Int, height: Int, type: String) {
        (self.width, self.height, self.type) = (width, height, type)
    }
}

/// The pictures that rooms have. Two are equal: options differ in numbers.
public struct ImageLibrary: Sendable, Equatable {
    /// Finds a picture of a room by its hash; nil if the room has none such. May be called from any
    /// thread.
    public let find: @Sendable (_ hash: String, _ room: String) -> ImageFacts?

    /// Makes a library of a function.
    public init(find: @escaping @Sendable (_ hash: String, _ room: String) -> ImageFacts?) {
        self.find = find
    }

    /// Whether both are libraries.
    public static func == (left: Self, right: Self) -> Bool { true }
}

/// Adds to what ops and documents say of images the sizes and types of the files, so that the
/// journal has them and a replay needs no file.
struct ImageCompletion {
    let library: ImageLibrary
    let room: String
    /// Whether something was added.
    private(set) var hasAdded = false

    init(library: ImageLibrary, room: String) {
        self.library = library
        self.room = room
    }

    /// - Throws: `Refusal` with `badValue` for a picture that the room does not have.
    mutating func complete(_ op: inout Op) throws(Refusal) {
        switch op {
        case .addView(var spec):
            guard spec.properties.mayHaveImage else { return }
            try complete(&spec.properties)
            op = .addView(spec)
        case .setView(let id, var properties):
            guard properties.mayHaveImage else { return }
            try complete(&properties)
            op = .setView(id: id, properties)
        case .setScene(var document):
            try complete(&document)
            op = .setScene(document)
        case .animate(var animation):
            for index in animation.ops.indices { try complete(&animation.ops[index]) }
            op = .animate(animation)
        case .removeView, .moveView, .resetView, .addGuide, .addConstraint, .removeConstraint,
            .setConstraint, .activateSet, .deactivateSet, .setViewport, .setContentOffset,
            .setNeedsUpdateConstraints, .updateConstraintsIfNeeded, .setNeedsLayout,
            .layoutIfNeeded, .setNeedsDisplay, .sizeToFit, .setNeedsUpdateProperties,
            .updatePropertiesIfNeeded:
            return
        }
    }

    /// - Throws: `Refusal` with `badValue` for a picture that the room does not have.
    mutating func complete(_ document: inout SceneDocument) throws(Refusal) {
        for index in document.views.indices where document.views[index].properties.mayHaveImage {
            try complete(&document.views[index].properties)
        }
    }

    private mutating func complete(_ properties: inout ViewProperties) throws(Refusal) {
        if properties.hasLook, let image = properties.look.image {
            properties.look.image = try completed(image)
        }
        guard var variations = properties.variations else { return }
        var hasImage = false
        for index in variations.indices {
            guard variations[index].properties.hasLook,
                let image = variations[index].properties.look.image
            else { continue }
            variations[index].properties.look.image = try completed(image)
            hasImage = true
        }
        if hasImage { properties.variations = variations }
    }

    private mutating func completed(_ image: ImageSpec) throws(Refusal) -> ImageSpec {
        guard let facts = library.find(image.hash, room) else {
            throw Refusal(
                code: .badValue,
                message:
                    "the room has no picture \(image.hash.prefix(12))…; bring its file with PUT /blobs/\(room) first"
            )
        }
        var result = image
        result.width = facts.width
        result.height = facts.height
        result.type = facts.type
        if result != image { hasAdded = true }
        return result
    }
}

extension ViewProperties {
    /// Whether an image may be among them; most have none.
    fileprivate var mayHaveImage: Bool { hasLook || variations != nil }
}
