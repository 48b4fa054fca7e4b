import JSON
public import SceneDocument

/// What a suggestion would change in its room as that is now.
public struct SuggestionComparison: Sendable {
    /// The room's scene against what accepting would make of it. Where both have changed the same,
    /// the room's is kept, and a conflict says so.
    public let comparison: SceneComparison
    /// What stands in the way of accepting, in words.
    public let conflicts: [String]
    /// Whether the room has changed since the suggestion's base.
    public let isBehind: Bool

    /// Merges and compares.
    ///
    /// - Parameters:
    ///   - base: The scene that the branch's changes are counted from.
    ///   - main: The room's.
    ///   - branch: The branch's.
    /// - Throws: `DocumentError` where what they come to together is no document.
    /// - Complexity: That of a merge, and of the layout of two scenes on each device.
    public init(
        title: String, base: SceneDocument, main: SceneDocument, branch: SceneDocument
    ) throws(DocumentError) {
        let merge = try DocumentMerge(base: base, ours: main, theirs: branch)
        comparison = SceneComparison(title: title, from: main, to: merge.document, names: [:])
        conflicts = merge.conflicts.map(\.text)
        isBehind = base != main
    }

    /// The changes, and what stands in their way, as JSON.
    public var json: JSONText {
        let members = comparison.json.value.members ?? []
        return JSONText(
            value: .object(
                members + [
                    JSONMember("behind", .bool(isBehind)),
                    JSONMember("conflicts", .array(conflicts.map { .string($0) })),
                ]))
    }
}
