/// How strongly a view holds to its content's size, where that is not as strongly as a plain view.
final class ContentPriorities: Sendable {
    let hugging: PriorityByAxis
    let compression: PriorityByAxis

    private init(_ hugging: PriorityByAxis, _ compression: PriorityByAxis) {
        self.hugging = hugging
        self.compression = compression
    }

    static var plainHugging: PriorityByAxis { PriorityByAxis(250, 250) }
    static var plainCompression: PriorityByAxis { PriorityByAxis(750, 750) }

    /// A label's, shared by all of them.
    private static let label = ContentPriorities(PriorityByAxis(251, 251), plainCompression)

    /// The priorities in an object; `nil` for a plain view's.
    static func of(_ hugging: PriorityByAxis, _ compression: PriorityByAxis) -> ContentPriorities? {
        guard compression == plainCompression else { return .init(hugging, compression) }
        if hugging == plainHugging { return nil }
        return hugging == label.hugging ? label : .init(hugging, compression)
    }
}
