import SceneModel
import SceneWire

/// The part of a scene that a stream of subtrees covers: these subtrees, and their ancestors, so
/// that every view has a superview.
enum Subtrees {
    /// Removes duplicates and sorts the roots, so that equal requests are equal.
    static func canonical(_ roots: [String]) -> [String] {
        let sorted = Array(Set(roots)).sorted()
        // The root's subtree is the whole scene.
        return sorted.contains("root") ? [] : sorted
    }

    /// The records of the part, in preorder. Unknown names add nothing.
    ///
    /// - Complexity: O(views).
    static func records(of scene: SceneMirror, roots: [String]) -> [ViewRecord] {
        var ancestors: Set<ViewNumber> = []
        var tops: Set<ViewNumber> = []
        for id in roots {
            guard let number = scene.number(id: id) else { continue }
            tops.insert(number)
            var above = scene.view(number)?.parent
            while let next = above, ancestors.insert(next).inserted {
                above = scene.view(next)?.parent
            }
        }
        var records: [ViewRecord] = []
        guard let root = scene.root else { return [] }
        var stack: [(number: ViewNumber, isWhole: Bool)] = [(root, false)]
        while let (number, isInside) = stack.popLast() {
            let isWhole = isInside || tops.contains(number)
            guard isWhole || ancestors.contains(number) || number == root,
                let record = scene.view(number)
            else { continue }
            records.append(record)
            for child in scene.subviews(of: number).reversed() { stack.append((child, isWhole)) }
        }
        return records
    }
}

extension BroadcastStream {
    /// The part of a whole stream's changes that concerns this stream's subtrees.
    ///
    /// - Parameter whole: The present baseline of that stream.
    /// - Complexity: O(changes); O(views) if the hierarchy changed.
    mutating func part(of changes: SceneChanges, whole: SceneMirror) -> SceneChanges {
        let baseline = mirror
        var part = SceneChanges()
        if changes.tree.isEmpty {
            part.contents = changes.contents.filter { baseline.contains($0.number) }
            part.frames = changes.frames.filter { baseline.contains($0.number) }
        } else {
            part = Subtrees.changes(
                from: baseline, to: Subtrees.records(of: whole, roots: key.roots))
        }
        let gone = Set(
            part.tree.compactMap { change -> ViewNumber? in
                if case .remove(let number) = change { number } else { nil }
            })
        part.invalidations = changes.invalidations.filter {
            baseline.contains($0.number) && !gone.contains($0.number)
                && whole.contains($0.number)
        }
        part.animations = changes.animations.filter { baseline.contains($0.number) }
        part.endsAnimations = changes.endsAnimations
        return part
    }
}

extension Subtrees {
    /// The changes from a mirror to other records, if views may have been added, removed or moved.
    ///
    /// - Complexity: O(views).
    static func changes(from baseline: SceneMirror, to records: [ViewRecord]) -> SceneChanges {
        var changes = SceneChanges()
        guard let root = baseline.root else { return changes }
        let old = baseline.preorder()
        var children: [ViewNumber: [ViewNumber]] = [:]
        var wanted: [ViewNumber: ViewRecord] = [:]
        for record in records {
            wanted[record.number] = record
            if let parent = record.parent { children[parent, default: []].append(record.number) }
        }
        var diff = TreeDiff(
            root: root, added: records.map(\.number).filter { !baseline.contains($0) })
        for number in old { diff.note(number, children: baseline.subviews(of: number)) }
        let removed = Set(old.filter { wanted[$0] == nil })
        changes.tree = diff.changes(
            removing: removed.sorted().filter { number in
                diff.parent(of: number).map { !removed.contains($0) } ?? false
            },
            isGone: { removed.contains($0) }, order: records.map(\.number),
            children: { children[$0] ?? [] }, record: { wanted[$0] })
        for record in records {
            guard let view = baseline.view(record.number) else { continue }
            if view.content != record.content {
                var change = ContentChange()
                change.number = record.number
                change.content = record.content
                change.changesFace = view.content.face != record.content.face
                change.changesLook = view.content.look != record.content.look
                changes.contents.append(change)
            }
            if view.frame != record.frame {
                changes.frames.append(
                    FrameChange(number: record.number, old: view.frame, new: record.frame))
            }
        }
        changes.frames.sort { $0.number < $1.number }
        return changes
    }
}
