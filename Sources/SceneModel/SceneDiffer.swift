import AutoLayout
import SceneDocument
public import SceneWire

/// Compares a scene with the baseline of one stream, for the views in the scene's marks.
///
/// Each stream has its own differ, so one scene can feed several. The baseline is the stream's
/// mirror; the differ keeps only the positions before rounding, which a mirror does not have.
public struct SceneDiffer {
    /// The frames that the stream shows.
    public let presentation: FramePresentation
    /// The solved corner of each view in the root's coordinates when its frame was last rounded, by
    /// number.
    private var origins: [Point] = []

    /// Makes a differ without a baseline.
    public init(_ presentation: FramePresentation) {
        self.presentation = presentation
    }

    // MARK: The whole scene

    /// Starts from the present scene as the baseline.
    ///
    /// - Returns: The record of every view, parents before children.
    /// - Complexity: O(views · depth).
    public mutating func start(from model: SceneModel) -> [ViewRecord] {
        remember(model)
        return model.records(presentation)
    }

    /// Uses the present scene as the baseline, which members already have.
    ///
    /// - Complexity: O(views · depth).
    public mutating func remember(_ model: SceneModel) {
        origins.removeAll(keepingCapacity: true)
        for node in model.nodesInOrder { remember(node, origin(of: node, in: model)) }
    }

    /// Releases the memory until the next `remember`.
    public mutating func forget() { origins = [] }

    /// Follows a renumbering.
    ///
    /// - Parameter old: The old number of each view, by its new one.
    public mutating func renumber(_ old: [UInt32]) {
        origins = old.map { origins.indices.contains(Int($0)) ? origins[Int($0)] : Self.unknown }
    }

    // MARK: Changes

    /// Returns the changes from the baseline to the scene.
    ///
    /// - Parameters:
    ///   - marks: All marks since the last call, or since the start.
    ///   - baseline: The members' state.
    ///   - other: The changes of the same marks for another stream of the whole scene, if computed:
    ///     the hierarchy and the contents are the same for all.
    /// - Complexity: O(marks); O(views) if the hierarchy changed.
    public mutating func changes(
        _ marks: SceneMarks, in model: SceneModel, since baseline: SceneMirror,
        sharing other: SceneChanges? = nil
    ) -> SceneChanges {
        var changes = SceneChanges()
        if let other {
            changes.tree = other.tree.map { retold($0, model) }
            changes.contents = other.contents
            changes.invalidations = other.invalidations
        } else {
            changes.tree = treeChanges(marks, model, baseline)
            changes.contents = contentChanges(marks, model, baseline)
            changes.invalidations = invalidations(marks, model)
        }
        changes.frames = frameChanges(marks, model, baseline)
        if presentation == .model {
            changes.animations = animations(marks, model)
            changes.endsAnimations = marks.endsAnimations
        }
        return changes
    }

    /// Another stream's hierarchy change with this stream's frames.
    private func retold(_ change: TreeChange, _ model: SceneModel) -> TreeChange {
        guard case .add(var record, let index) = change else { return change }
        record.frame = model.quantisedFrame(of: record.number, presentation) ?? record.frame
        return .add(record, index: index)
    }

    private func treeChanges(
        _ marks: SceneMarks, _ model: SceneModel, _ baseline: SceneMirror
    ) -> [TreeChange] {
        guard !marks.added.isEmpty || !marks.removed.isEmpty || !marks.reordered.isEmpty else {
            return []
        }
        let removed = marks.removed.filter { baseline.contains($0) }
        let added = marks.added.map { $0.number }.filter {
            !baseline.contains($0) && model.nodes[$0] != nil
        }
        guard !removed.isEmpty || !added.isEmpty || !marks.reordered.isEmpty else { return [] }
        let root = model.rootNode.number
        var diff = TreeDiff(root: root, added: added)
        // What lies below a view that goes may have to wait below the root.
        let shelter = removed.isEmpty ? [] : [root]
        for number in marks.reordered + removed + shelter where baseline.contains(number) {
            diff.note(number, children: baseline.subviews(of: number))
        }
        return diff.changes(
            removing: removed, isGone: { model.nodes[$0] == nil },
            order: model.inPreorder(Set(marks.reordered + added + shelter)),
            children: { model.subviews(of: $0) },
            record: { number in
                model.nodes[number].map { model.record(of: $0, presentation) }
            })
    }

    private func contentChanges(
        _ marks: SceneMarks, _ model: SceneModel, _ baseline: SceneMirror
    ) -> [ContentChange] {
        marks.contents.compactMap { node in
            guard model.nodes[node.number] === node,
                let known = baseline.content(node.number)
            else { return nil }
            let content = model.content(of: node)
            guard content != known else { return nil }
            var change = ContentChange()
            change.number = node.number
            change.content = content
            change.changesFace = content.face != known.face
            change.changesLook = content.look != known.look
            return change
        }
    }

    private func invalidations(_ marks: SceneMarks, _ model: SceneModel) -> [Invalidation] {
        marks.displayed.compactMap { node, rect in
            guard model.nodes[node.number] === node else { return nil }
            var invalidation = Invalidation()
            invalidation.number = node.number
            invalidation.rect = model.quantised(rect)
            return invalidation
        }
    }

    /// The frames that changed. After a view moves by part of a pixel, its descendants' edges may
    /// round differently, so they are compared as well.
    private mutating func frameChanges(
        _ marks: SceneMarks, _ model: SceneModel, _ baseline: SceneMirror
    ) -> [FrameChange] {
        var changes: [FrameChange] = []
        var stack = Array(marks.frames.reversed())
        let scale = model.shownViewport.scale
        while let node = stack.popLast() {
            guard model.nodes[node.number] === node else { continue }
            let origin = origin(of: node, in: model)
            let before = remember(node, origin)
            guard let known = baseline.frame(node.number) else { continue }
            let dx = (origin.x - before.x) * scale
            let dy = (origin.y - before.y) * scale
            if model.shownViewport.rounding == .pixel, dx != dx.rounded() || dy != dy.rounded() {
                for child in node.view.subviews.reversed() {
                    if let child = model.node(of: child) { stack.append(child) }
                }
            }
            let frame = model.quantisedFrame(of: node.view, presentation)
            guard frame != known else { continue }
            changes.append(FrameChange(number: node.number, old: known, new: frame))
        }
        changes.sort { $0.number < $1.number }
        // A marked view may be a descendant of one that moved by part of a pixel.
        return changes.enumerated().compactMap { index, change in
            index > 0 && changes[index - 1].number == change.number ? nil : change
        }
    }

    private func animations(_ marks: SceneMarks, _ model: SceneModel) -> [SceneAnimation] {
        marks.animations.compactMap { node, animation in
            guard model.nodes[node.number] === node, animation.ticks > 0,
                case .curve(let curve) = animation.timing
            else { return nil }
            let (from, to) = (animation.from, animation.to)
            let delta = QuantisedFrame(
                x: model.quantised(to.minX - from.minX), y: model.quantised(to.minY - from.minY),
                width: model.quantised(to.width - from.width),
                height: model.quantised(to.height - from.height))
            return SceneAnimation(
                number: node.number, delta: delta,
                delayTicks: UInt32(clamping: animation.delayTicks),
                durationTicks: UInt32(clamping: animation.ticks), curve: curve)
        }
    }

    // MARK: Origins

    /// The origin of a view that was never compared; no view has it.
    private static let unknown = Point(x: .nan, y: .nan)

    private func origin(of node: ViewNode, in model: SceneModel) -> Point {
        model.rootOrigin(of: node.view, presentation)
    }

    /// - Returns: The former origin.
    @discardableResult
    private mutating func remember(_ node: ViewNode, _ origin: Point) -> Point {
        let index = Int(node.number.rawValue)
        while origins.count <= index { origins.append(Self.unknown) }
        defer { origins[index] = origin }
        return origins[index]
    }
}
