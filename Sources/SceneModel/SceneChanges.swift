import AutoLayout
public import SceneProtocol

/// What those who show the scene have to be told after a cycle, in the order in which it is to be applied.
public struct SceneChanges: Sendable, Equatable {
    /// Views that came, went or moved in the hierarchy.
    public var tree: [TreeChange] = []
    /// Views that look different.
    public var contents: [ContentChange] = []
    /// What was drawn anew.
    public var invalidations: [Invalidation] = []
    /// Views that stand elsewhere, ascending by number.
    public var frames: [FrameChange] = []
    /// The same as `frames` for those who animate by themselves: where views will stand when all is over. Only
    /// while the model tells it.
    public var settledFrames: [FrameChange] = []
    /// Animations that begin, in order; only while the model tells settled frames.
    public var animations: [SceneAnimation] = []
    /// Whether all animations that were under way have ended.
    public var endsAnimations = false
    /// Whether the unit of all numbers changed, so that nothing known before holds.
    public var isComplete = false

    /// Whether there is nothing to tell.
    public var isEmpty: Bool {
        tree.isEmpty && contents.isEmpty && invalidations.isEmpty && frames.isEmpty
            && settledFrames.isEmpty
            && animations.isEmpty && !endsAnimations && !isComplete
    }
}

/// A view that begins to move by itself.
public struct SceneAnimation: Sendable, Equatable {
    /// The view.
    public var number: ViewNumber
    /// How far it moves in all, in the unit of the wire.
    public var delta: QuantisedFrame
    /// Ticks from the one that tells it to the animation's first.
    public var delayTicks: UInt32
    /// Ticks that it takes; at least 1.
    public var durationTicks: UInt32
    /// How it runs.
    public var curve: AnimationCurve
}

extension SceneModel {
    // MARK: Noting what changes

    func frameWillAnimate(_ view: View, _ animation: FrameAnimation) {
        guard tellsSettledFrames, let node = node(of: view) else { return }
        pending.animations.append((node, animation))
    }

    func markFrame(_ view: View) {
        if let node = node(of: view) { pending.markFrame(node) }
    }

    func frameDidChange(_ view: View) {
        guard let node = node(of: view) else { return }
        pending.markFrame(node)
        // A label's lines stand elsewhere at another size; a scroll view's offset is content.
        if view is Label || view is ScrollView { pending.markContent(node) }
        laidOut?.append(node.id)
    }

    func didDisplay(_ view: View, _ rect: Rect) {
        guard let node = node(of: view) else { return }
        pending.markContent(node)
        pending.displayed.append((node, rect))
    }

    var rootNode: ViewNode {
        if let node = node(of: window) { return node }
        return adopt(window, id: "root", properties: ViewProperties())
    }

    var nodesInOrder: [ViewNode] { window.preorder.compactMap { node(of: $0) } }

    // MARK: Handing it out

    /// Every view as it is shown now, parents before children, for those who know nothing yet.
    public func records() -> [ViewRecord] {
        nodesInOrder.map { record(of: $0) }
    }

    /// Hands out what changed since the last call.
    public func takeChanges() -> SceneChanges {
        var changes = SceneChanges()
        guard !pending.isEmpty || !pending.displayed.isEmpty else { return changes }
        let work = pending
        pending = PendingChanges()
        for node in work.frames { node.frameIsDirty = false }
        for node in work.contents { node.contentIsDirty = false }
        if work.everything {
            rememberAllAsSent()
            changes.isComplete = true
            return changes
        }
        changes.tree = treeChanges(work)
        changes.frames = frameChanges(work.frames)
        if tellsSettledFrames {
            changes.settledFrames = settledFrameChanges(work.frames)
            changes.animations = animations(work.animations)
            changes.endsAnimations = work.endsAnimations
        }
        changes.contents = contentChanges(work.contents)
        for (node, rect) in work.displayed where nodes[node.number.rawValue] === node {
            var invalidation = Invalidation()
            invalidation.number = node.number
            invalidation.rect = QuantisedFrame(
                x: quantised(rect.minX), y: quantised(rect.minY), width: quantised(rect.width),
                height: quantised(rect.height))
            changes.invalidations.append(invalidation)
        }
        return changes
    }

    /// Forgets what is to be told, for those who replay and tell nobody.
    ///
    /// What `takeChanges` tells afterwards makes sense only after `rememberAllAsSent`.
    public func discardChanges() {
        for node in pending.frames { node.frameIsDirty = false }
        for node in pending.contents { node.contentIsDirty = false }
        pending = PendingChanges()
    }

    /// Takes the scene as it is shown for what those outside know.
    ///
    /// - Complexity: O(views).
    public func rememberAllAsSent() {
        sentChildren.removeAll()
        sentParent.removeAll()
        for node in nodesInOrder {
            node.sent = record(of: node)
            node.sentOrigin = rootOrigin(of: node.view, presentation: true)
            settle(node)
            let children = node.view.subviews.compactMap { self.node(of: $0)?.number.rawValue }
            sentChildren[node.number.rawValue] = children
            for child in children { sentParent[child] = node.number.rawValue }
        }
    }

    private func record(of node: ViewNode) -> ViewRecord {
        ViewRecord(
            number: node.number, id: node.id,
            parent: node.view.superview.flatMap { self.node(of: $0)?.number },
            frame: quantisedFrame(of: node.view), content: content(of: node))
    }

    /// Frames that are shown elsewhere now. A view that moved by part of a pixel may round its descendants'
    /// edges differently, so they are looked at as well.
    private func frameChanges(_ dirty: [ViewNode]) -> [FrameChange] {
        var changes: [FrameChange] = []
        var stack = Array(dirty.reversed())
        let scale = viewport.scale
        while let node = stack.popLast() {
            guard nodes[node.number.rawValue] === node, var sent = node.sent else { continue }
            let origin = rootOrigin(of: node.view, presentation: true)
            let dx = (origin.x - node.sentOrigin.x) * scale
            let dy = (origin.y - node.sentOrigin.y) * scale
            node.sentOrigin = origin
            if viewport.rounding == .pixel, dx != dx.rounded() || dy != dy.rounded() {
                for child in node.view.subviews.reversed() {
                    if let child = self.node(of: child) { stack.append(child) }
                }
            }
            let frame = quantisedFrame(of: node.view)
            guard frame != sent.frame else { continue }
            changes.append(FrameChange(number: node.number, old: sent.frame, new: frame))
            sent.frame = frame
            node.sent = sent
        }
        return changes.sorted { $0.number < $1.number }
    }

    private func settle(_ node: ViewNode) {
        guard tellsSettledFrames else { return }
        node.settledFrame = quantisedFrame(of: node.view, presentation: false)
        node.settledOrigin = rootOrigin(of: node.view, presentation: false)
    }

    func rememberSettledFrames() {
        for node in nodesInOrder { settle(node) }
    }

    /// Where a view stands, in the unit of the wire, when all animations are over.
    ///
    /// - Precondition: `tellsSettledFrames`
    public func settledFrame(of number: ViewNumber) -> QuantisedFrame? {
        nodes[number.rawValue]?.settledFrame
    }

    private func settledFrameChanges(_ dirty: [ViewNode]) -> [FrameChange] {
        var changes: [FrameChange] = []
        var stack = Array(dirty.reversed())
        let scale = viewport.scale
        while let node = stack.popLast() {
            guard nodes[node.number.rawValue] === node, node.sent != nil else { continue }
            let origin = rootOrigin(of: node.view, presentation: false)
            let dx = (origin.x - node.settledOrigin.x) * scale
            let dy = (origin.y - node.settledOrigin.y) * scale
            node.settledOrigin = origin
            if viewport.rounding == .pixel, dx != dx.rounded() || dy != dy.rounded() {
                for child in node.view.subviews.reversed() {
                    if let child = self.node(of: child) { stack.append(child) }
                }
            }
            let frame = quantisedFrame(of: node.view, presentation: false)
            guard frame != node.settledFrame else { continue }
            changes.append(FrameChange(number: node.number, old: node.settledFrame, new: frame))
            node.settledFrame = frame
        }
        return changes.sorted { $0.number < $1.number }
    }

    private func animations(
        _ begun: [(node: ViewNode, animation: FrameAnimation)]
    ) -> [SceneAnimation] {
        begun.compactMap { node, animation in
            guard nodes[node.number.rawValue] === node, animation.ticks > 0,
                case .curve(let curve) = animation.timing
            else { return nil }
            let (from, to) = (animation.from, animation.to)
            let delta = QuantisedFrame(
                x: quantised(to.minX - from.minX), y: quantised(to.minY - from.minY),
                width: quantised(to.width - from.width),
                height: quantised(to.height - from.height))
            return SceneAnimation(
                number: node.number, delta: delta,
                delayTicks: UInt32(clamping: animation.delayTicks),
                durationTicks: UInt32(clamping: animation.ticks),
                curve: curve)
        }
    }

    private func contentChanges(_ dirty: [ViewNode]) -> [ContentChange] {
        var changes: [ContentChange] = []
        for node in dirty {
            guard nodes[node.number.rawValue] === node, var sent = node.sent else { continue }
            let content = content(of: node)
            guard content != sent.content else { continue }
            var change = ContentChange()
            change.number = node.number
            change.content = content
            changes.append(change)
            sent.content = content
            node.sent = sent
        }
        return changes
    }

    /// How a view looks, for renderers that neither measure nor wrap.
    func content(of node: ViewNode) -> ViewContent {
        let properties = node.properties
        var content = ViewContent(kind: properties.kind ?? .view)
        content.hidden = properties.hidden ?? false
        content.clips = properties.clips ?? (properties.kind == .scroll)
        content.opacity = UInt8(clamping: Int(((properties.opacity ?? 1) * 255).rounded()))
        content.background = properties.background
        content.foreground = properties.foreground
        content.border = properties.border ?? .none
        content.align = properties.align ?? .natural
        if let scroll = node.view as? ScrollView {
            content.contentOffsetX = quantised(scroll.contentOffset.x)
            content.contentOffsetY = quantised(scroll.contentOffset.y)
        }
        if let label = node.view as? Label {
            content.lines = label.lines.map {
                TextLine(
                    text: $0.text, x: quantised($0.origin.x), y: quantised($0.origin.y),
                    width: quantised($0.width))
            }
        }
        return content
    }

    // MARK: The hierarchy

    private func treeChanges(_ work: PendingChanges) -> [TreeChange] {
        guard !work.added.isEmpty || !work.removed.isEmpty || !work.reordered.isEmpty else {
            return []
        }
        var changes: [TreeChange] = []
        for number in work.removed where sentChildren[number.rawValue] != nil {
            rescueSurvivors(below: number.rawValue, &changes)
            forget(number.rawValue)
            changes.append(.remove(number))
        }
        for node in nodesInOrder {
            let wanted = node.view.subviews.compactMap { self.node(of: $0) }
            if sentChildren[node.number.rawValue] == nil { sentChildren[node.number.rawValue] = [] }
            if node.view === window, node.sent == nil { node.sent = record(of: node) }
            guard sentChildren[node.number.rawValue] != wanted.map(\.number.rawValue) else {
                continue
            }
            place(wanted, in: node, &changes)
        }
        return changes
    }

    /// Brings the list of a view's subviews, as those outside have it, to the one that is wanted, from the back.
    private func place(_ wanted: [ViewNode], in parent: ViewNode, _ changes: inout [TreeChange]) {
        let key = parent.number.rawValue
        for (index, child) in wanted.enumerated() {
            let number = child.number.rawValue
            let list = sentChildren[key] ?? []
            if index < list.count, list[index] == number { continue }
            if child.sent == nil {
                let record = record(of: child)
                child.sent = record
                child.sentOrigin = rootOrigin(of: child.view, presentation: true)
                settle(child)
                sentChildren[number] = []
                changes.append(.add(record, index: UInt32(index)))
            } else {
                if let old = sentParent[number] { sentChildren[old]?.removeAll { $0 == number } }
                child.sent?.parent = parent.number
                changes.append(.move(child.number, parent: parent.number, index: UInt32(index)))
            }
            sentParent[number] = key
            var siblings = sentChildren[key] ?? []
            siblings.insert(number, at: min(index, siblings.count))
            sentChildren[key] = siblings
        }
    }

    /// Takes views that were moved out of a removed subtree to the root for the moment, since a removal takes
    /// everything below with it; they are put in their places afterwards.
    private func rescueSurvivors(below number: UInt32, _ changes: inout [TreeChange]) {
        let root = rootNode.number
        for child in sentChildren[number] ?? [] {
            guard let survivor = nodes[child] else {
                rescueSurvivors(below: child, &changes)
                continue
            }
            let place = sentChildren[root.rawValue]?.count ?? 0
            sentChildren[number]?.removeAll { $0 == child }
            sentChildren[root.rawValue, default: []].append(child)
            sentParent[child] = root.rawValue
            survivor.sent?.parent = root
            changes.append(.move(survivor.number, parent: root, index: UInt32(place)))
        }
    }

    private func forget(_ number: UInt32) {
        if let parent = sentParent.removeValue(forKey: number) {
            sentChildren[parent]?.removeAll { $0 == number }
        }
        for child in sentChildren.removeValue(forKey: number) ?? [] { forget(child) }
    }
}
