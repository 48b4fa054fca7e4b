private import JSON
public import SceneDocument

/// Two versions of a document that come from one, put together by names and not by lines.
///
/// Views, guides, sets and devices are known by their names; constraints by theirs, and those
/// without by what they relate. What one version changed is taken from it, key by key. Where both
/// changed the same thing, the merged document has our value, and a conflict tells of it: what we
/// removed stays removed, and what we changed stays although they removed it.
public struct DocumentMerge: Sendable {
    /// Something that both versions changed.
    public struct Conflict: Sendable, Equatable {
        /// What is changed: `view`, `guide`, `constraint`, `set`, `device`, `viewport` or `faces`.
        public var subject: String
        /// Its name; empty for the viewport and the faces.
        public var id: String
        /// The conflict in words.
        public var text: String

        /// Makes a conflict.
        public init(subject: String, id: String, text: String) {
            self.subject = subject
            self.id = id
            self.text = text
        }
    }

    /// The merged document.
    public let document: SceneDocument
    /// What both versions changed, in the order of the document's parts.
    public let conflicts: [Conflict]

    /// Merges two versions.
    ///
    /// - Parameters:
    ///   - base: The version that both come from.
    ///   - ours: The version that wins where both changed the same thing.
    ///   - theirs: The other version.
    /// - Throws: `DocumentError` where the versions are valid and what they come to together is
    ///   not, such as more views than a document may have.
    /// - Complexity: O(*n* log *n*) in the size of the documents.
    public init(
        base: SceneDocument, ours: SceneDocument, theirs: SceneDocument
    ) throws(DocumentError) {
        let versions = Versions(
            base: VersionContent(base), ours: VersionContent(ours), theirs: VersionContent(theirs))
        var log = ConflictLog()
        let viewport = log.members(
            "viewport", "", versions.map { $0.json["viewport"]?.members ?? [] })
        let devices = log.objects("device", versions.map { $0.json["devices"]?.members ?? [] })
        let faces = log.value("faces", "", "the faces", versions.map { $0.json["faces"] })
        let merger = ViewMerger(versions, &log)
        let views = merger.views(&log)
        let guides = merger.guides(&log)
        let restored = guides.filter { merger.restored.contains($0.parent) }.map(\.id)
        let constraints = ConstraintMerger(
            names: merger.names.union(guides.map(\.id)), restored: merger.restored.union(restored))
        // A document of what is merged as values, for their JSON.
        var values = SceneDocument(viewport: ours.viewport)
        values.guides = guides
        values.constraints = constraints.merge(versions.map(\.constraints), &log)
        values.sets = constraints.sets(versions, &log)
        values.removeRepeatedNames(ours: ours, &log)
        let json = values.json
        var members = JSONMembers()
        members.add("scene", 1)
        members.add("viewport", .object(viewport))
        members.add("devices", devices.isEmpty ? nil : .object(devices))
        members.add("faces", faces)
        members.add("views", .array(views))
        for key in ["guides", "constraints", "sets"] { members.add(key, json[key]) }
        document = try SceneDocument.parse(members.json)
        conflicts = log.conflicts
    }
}
