import SceneModel
import SceneWire

/// The part of a scene that a stream covers: subtrees and their ancestors, so that every view has a
/// superview, as far as its members see them.
///
/// What members do not see is left out. Where something that they see is below it, an anonymous
/// container stands for it, which has its number, its frame, and what subviews are drawn through.
enum Subtrees {
    /// Removes duplicates and sorts the roots, so that equal requests are equal.
    static func canonical(_ roots: [String]) -> [String] {
        let sorted = Array(Set(roots)).sorted()
        // The root's subtree is the whole scene.
        return sorted.contains("root") ? [] : sorted
    }

    /// The records of a stream's part, in preorder. Unknown names add nothing.
    ///
    /// - Complexity: O(views).
    static func records(of scene: SceneMirror, _ key: StreamKey) -> [ViewRecord] {
        guard let sight = key.sight else { return records(of: scene, roots: key.roots) }
        let seen = records(scene.records, seenBy: sight)
        return key.roots.isEmpty ? seen : records(seen, roots: Set(key.roots))
    }

    /// The same of what is seen: a root that is not adds nothing, as an unknown one.
    private static func records(_ records: [ViewRecord], roots: Set<String>) -> [ViewRecord] {
        var parents: [ViewNumber: ViewNumber] = [:]
        var inside: Set<ViewNumber> = []
        var above: Set<ViewNumber> = []
        for record in records {
            parents[record.number] = record.parent
            if roots.contains(record.id) {
                var next = record.parent
                while let number = next, above.insert(number).inserted { next = parents[number] }
                inside.insert(record.number)
            } else if let parent = record.parent, inside.contains(parent) {
                inside.insert(record.number)
            }
        }
        return records.filter {
            $0.parent == nil || inside.contains($0.number) || above.contains($0.number)
        }
    }

    private static func records(
        _ records: [ViewRecord], seenBy sight: ViewPatterns
    ) -> [ViewRecord] {
        var below: [ViewNumber: Int] = [:]
        let isSeen = records.map { record in
            let above = record.parent.flatMap { below[$0] } ?? -1
            let decision = sight.decide(record.id, above: above)
            below[record.number] = decision.below
            return decision.isIncluded
        }
        var holders: Set<ViewNumber> = []
        for (record, isSeen) in zip(records, isSeen).reversed()
        where isSeen || holders.contains(record.number) {
            if let parent = record.parent { holders.insert(parent) }
        }
        let shown = Set(zip(records, isSeen).lazy.filter(\.1).map(\.0.id))
        return zip(records, isSeen).compactMap { record, isSeen in
            if isSeen { return record }
            guard record.parent == nil || holders.contains(record.number) else { return nil }
            return record.anonymous(besides: shown)
        }
    }

    private static func records(of scene: SceneMirror, roots: [String]) -> [ViewRecord] {
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
    /// - Returns: `nil` where no changes lead there: a view that was seen stands for others now, or
    ///   the other way round.
    /// - Complexity: O(changes); O(views) if the hierarchy changed.
    mutating func part(of changes: SceneChanges, whole: SceneMirror) -> SceneChanges? {
        let baseline = mirror
        var part = SceneChanges()
        if changes.tree.isEmpty {
            part.contents = changes.contents.compactMap { change in
                guard let view = baseline.view(change.number) else { return nil }
                return isAnonymous(view, whole)
                    ? change.anonymous(since: view.content) : change
            }
            part.frames = changes.frames.filter { baseline.contains($0.number) }
        } else {
            let records = Subtrees.records(of: whole, key)
            if key.sight != nil {
                let isRenamed = records.contains { record in
                    baseline.view(record.number).map { $0.id != record.id } ?? false
                }
                if isRenamed { return nil }
            }
            part = Subtrees.changes(from: baseline, to: records)
        }
        let gone = Set(
            part.tree.compactMap { change -> ViewNumber? in
                if case .remove(let number) = change { number } else { nil }
            })
        part.invalidations = changes.invalidations.filter {
            baseline.contains($0.number) && !gone.contains($0.number)
                && whole.contains($0.number)
                && baseline.view($0.number).map { !isAnonymous($0, whole) } == true
        }
        part.animations = changes.animations.filter { baseline.contains($0.number) }
        part.endsAnimations = changes.endsAnimations
        return part
    }

    /// Whether a record stands for a view that is not seen. The root alone keeps its name.
    private func isAnonymous(_ record: ViewRecord, _ whole: SceneMirror) -> Bool {
        guard let sight = key.sight else { return false }
        guard record.parent != nil else { return !sight.includes([record.id]) }
        return whole.view(record.number)?.id != record.id
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

// MARK: Anonymous containers

extension ViewRecord {
    /// The container that stands for this view where it is not seen.
    ///
    /// - Parameter names: Those of views that are seen, which it must not have.
    fileprivate func anonymous(besides names: Set<String>) -> ViewRecord {
        var record = self
        if parent != nil {
            record.id = "_\(number.rawValue)"
            var count = 0
            while names.contains(record.id) {
                count += 1
                record.id = "_\(number.rawValue)_\(count)"
            }
        }
        record.content = content.anonymous
        return record
    }
}

extension ViewContent {
    /// What subviews are drawn through: nothing that a view shows itself.
    fileprivate var anonymous: ViewContent {
        var content = ViewContent()
        content.hidden = hidden
        content.clips = clips
        content.opacity = opacity
        content.contentOffsetX = contentOffsetX
        content.contentOffsetY = contentOffsetY
        if let transform = look?.transform {
            var look = ViewLook()
            look.transform = transform
            content.look = look
        }
        return content
    }
}

extension ContentChange {
    /// The change of the container that stands for the view; `nil` where it stays what it is.
    fileprivate func anonymous(since before: ViewContent) -> ContentChange? {
        var change = self
        change.content = content.anonymous
        guard change.content != before else { return nil }
        change.changesFace = false
        change.changesLook = change.content.look != before.look
        return change
    }
}
