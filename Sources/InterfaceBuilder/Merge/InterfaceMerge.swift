/// Two versions of an Interface Builder file that come from one, put together.
///
/// Elements are matched by their ids, not by their lines: attributes, texts, elements that came,
/// went, or have another place are each taken from the version that changed them. Where both
/// versions changed the same thing, the result has our value and a comment that says so, so that
/// Xcode opens it.
public struct InterfaceMerge: Sendable {
    /// Something that both versions changed, and not alike.
    public struct Conflict: Sendable, Equatable {
        /// The id of the element, or of the nearest one around it that has one.
        public var id: String
        /// What conflicts, as a sentence without a full stop.
        public var text: String
    }

    /// The merged file.
    public let bytes: [UInt8]
    /// What a person has to decide, in the order of the file.
    public let conflicts: [Conflict]
    /// How many stored frames both versions changed: ours are kept, and `lint --fix` writes those
    /// that the constraints give.
    public let staleFrames: Int

    /// Merges.
    ///
    /// - Throws: `InterfaceError` for a version that cannot be read.
    /// - Complexity: O(bytes + elements · elements around them), about.
    public init(
        base: [UInt8], ours: [UInt8], theirs: [UInt8]
    ) throws(InterfaceError) {
        let merger = Merger(
            base: try MergeSide(base, "the common version"),
            ours: try MergeSide(ours, "our version"),
            theirs: try MergeSide(theirs, "their version"))
        let merged = merger.merge()
        if (try? XMLParsing.tree(of: merged)) == nil {
            // Never a file that Xcode refuses.
            bytes = ours
            merger.note("", "the versions cannot be put together; this is ours")
        } else {
            bytes = merged
        }
        conflicts = merger.conflicts
        staleFrames = merger.staleFrames.count
    }
}
