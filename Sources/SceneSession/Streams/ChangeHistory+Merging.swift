import SceneModel
import SceneWire

extension ChangeHistory.Past {
    /// Returns the changes from this past to the present.
    ///
    /// - Complexity: O(changes); O(views) if the hierarchy changed.
    func changes(to mirror: SceneMirror) -> SceneChanges {
        var changes = SceneChanges()
        changes.tree = treeChanges(to: mirror)
        changes.contents = contents.compactMap { number, content in
            guard !added.contains(number), let present = mirror.content(number),
                present != content
            else { return nil }
            var change = ContentChange()
            change.number = number
            change.content = present
            change.changesFace = present.face != content.face
            change.changesLook = present.look != content.look
            return change
        }
        changes.frames = frames.compactMap { number, frame in
            guard !added.contains(number), let present = mirror.frame(number),
                present != frame
            else { return nil }
            return FrameChange(number: number, old: frame, new: present)
        }
        return changes
    }

    private func treeChanges(to mirror: SceneMirror) -> [TreeChange] {
        guard !lists.isEmpty || !added.isEmpty || !removed.isEmpty, let root = mirror.root else {
            return []
        }
        var diff = TreeDiff(root: root, added: Array(added))
        // Views that are temporarily moved to the root are appended to its list.
        if lists[root] == nil { diff.note(root, children: mirror.subviews(of: root)) }
        for (number, children) in lists {
            diff.note(number, children: children)
        }
        // Views removed with their superview are listed with it.
        let tops = removed.sorted().filter { number in
            diff.parent(of: number).map { !removed.contains($0) } ?? false
        }
        return diff.changes(
            removing: tops, isGone: { removed.contains($0) }, order: mirror.preorder(),
            children: { mirror.subviews(of: $0) }, record: { mirror.view($0) })
    }
}
