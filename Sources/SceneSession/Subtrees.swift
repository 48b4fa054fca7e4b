import SceneModel
import SceneProtocol

/// The part of a scene that a member watches who asked for subtrees: these, and their ancestors, so that everything
/// has its place.
enum Subtrees {
    /// Roots in the order that makes equal wishes equal, each once.
    static func canonical(_ roots: [String]) -> [String] {
        let sorted = Array(Set(roots)).sorted()
        // The root's subtree is the whole scene.
        return sorted.contains("root") ? [] : sorted
    }

    /// The records of the part, in preorder. A name that no view has adds nothing.
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

extension Lane {
    /// What turns the baseline into other records, when views may have come, gone or moved.
    ///
    /// - Complexity: O(views).
    mutating func difference(to records: [ViewRecord]) -> Changes {
        let baseline = baseline
        var changes = Changes()
        guard let root = baseline.root?.rawValue else { return changes }
        let old = baseline.preorder()
        var children: [UInt32: [UInt32]] = [:]
        var wanted: [UInt32: ViewRecord] = [:]
        for record in records {
            wanted[record.number.rawValue] = record
            if let parent = record.parent {
                children[parent.rawValue, default: []].append(record.number.rawValue)
            }
        }
        var lists: [UInt32: [UInt32]] = [:]
        for number in old {
            lists[number.rawValue] = baseline.subviews(of: number).map(\.rawValue)
        }
        let removed = Set(old.map(\.rawValue).filter { wanted[$0] == nil })
        let added = Set(records.map(\.number.rawValue).filter { lists[$0] == nil })
        var diff = TreeDiff(lists: lists, added: added, removed: removed)
        changes.tree = diff.changes(
            root: root, order: records.map(\.number.rawValue), children: { children[$0] ?? [] },
            record: { wanted[$0] })
        for record in records {
            guard let view = baseline.view(record.number) else { continue }
            if view.content != record.content {
                var change = ContentChange()
                change.number = record.number
                change.content = record.content
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

    /// The part of a whole lane's changes that concerns this lane's subtrees.
    ///
    /// - Parameter whole: What the members of that lane have now.
    mutating func part(of changes: Changes, whole: SceneMirror) -> Changes {
        let baseline = baseline
        var part: Changes
        if changes.tree.isEmpty {
            part = Changes()
            part.contents = changes.contents.filter { baseline.contains($0.number) }
            part.frames = changes.frames.filter { baseline.contains($0.number) }
        } else {
            part = difference(to: Subtrees.records(of: whole, roots: key.roots))
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
