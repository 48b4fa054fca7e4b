import JSON
public import SceneDocument

/// The views that lie between two versions of a document, for rights and locks.
extension DocumentMerge {
    /// A view that one version has otherwise than the other, or alone.
    public struct ChangedView: Sendable, Equatable {
        /// Its name; `root` for the viewport, the devices and the faces too.
        public var id: String
        /// Its superview in the later version, in the earlier one if it has left it.
        public var parent: String
    }

    /// The views that are changed, added, removed or moved, with the superviews that they moved
    /// to. A constraint changes the views that it names and the owners of the guides that it names,
    /// but for those above another of them.
    ///
    /// - Complexity: O(*n* · depth) in the size of the documents.
    public static func changedViews(
        from old: SceneDocument, to new: SceneDocument
    ) -> [ChangedView] {
        let (before, after) = (VersionContent(old), VersionContent(new))
        var ids: [String] = []
        if ["viewport", "devices", "faces"].contains(where: {
            before.json[$0] != after.json[$0]
        }) {
            ids.append("root")
        }
        for id in uniqued(before.views.map(\.id) + after.views.map(\.id)) {
            if before.viewValues[id] != after.viewValues[id] { ids.append(id) }
            if let parent = after.parents[id], before.parents[id] != parent { ids.append(parent) }
        }
        let owners = Dictionary(
            (new.guides + old.guides).map { ($0.id, $0.parent) },
            uniquingKeysWith: { first, _ in first })
        let guides = Dictionary(
            old.guides.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let laterGuides = Dictionary(
            new.guides.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        ids += old.guides.filter { laterGuides[$0.id] != $0 }.map(\.parent)
        ids += new.guides.filter { guides[$0.id] != $0 }.map(\.parent)
        for spec in changedConstraints(before, after) {
            let named = uniqued(spec.itemNames.map { owners[$0] ?? $0 })
            ids += named.filter { name in
                !named.contains {
                    $0 != name && (after.has(name, above: $0) || before.has(name, above: $0))
                }
            }
        }
        return uniqued(ids).map { id in
            ChangedView(id: id, parent: after.parents[id] ?? before.parents[id] ?? "root")
        }
    }

    private static func changedConstraints(
        _ before: VersionContent, _ after: VersionContent
    ) -> [ConstraintSpec] {
        var result = differences(before.constraints, after.constraints)
        let sets = Dictionary(
            before.sets.map { ($0.spec.id, $0) }, uniquingKeysWith: { first, _ in first })
        let later = Dictionary(
            after.sets.map { ($0.spec.id, $0) }, uniquingKeysWith: { first, _ in first })
        for id in uniqued(before.sets.map(\.spec.id) + after.sets.map(\.spec.id)) {
            let (old, new) = (sets[id], later[id])
            if old?.spec.when != new?.spec.when {
                result +=
                    (old?.constraints ?? []).map(\.spec) + (new?.constraints ?? []).map(\.spec)
            } else {
                result += differences(old?.constraints ?? [], new?.constraints ?? [])
            }
        }
        return result
    }

    private static func differences(
        _ before: [VersionContent.Constraint], _ after: [VersionContent.Constraint]
    ) -> [ConstraintSpec] {
        let old = Dictionary(
            before.map { ($0.key, $0.spec) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(
            after.map { ($0.key, $0.spec) }, uniquingKeysWith: { first, _ in first })
        return before.filter { new[$0.key] != $0.spec }.map(\.spec)
            + after.filter { old[$0.key] != $0.spec }.map(\.spec)
    }
}

extension VersionContent {
    /// Whether a view lies somewhere in another one.
    fileprivate func has(_ ancestor: String, above view: String) -> Bool {
        guard view != "root" else { return false }
        var view = view
        var steps = 0
        // A document that was read has no circle; one that was not is not searched for ever.
        while let parent = parents[view], steps <= parents.count {
            if parent == ancestor { return true }
            view = parent
            steps += 1
        }
        return ancestor == "root" && parents[view] == nil
    }
}
