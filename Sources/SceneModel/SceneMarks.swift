import AutoLayout
import SceneWire

/// The views that changed since the marks were last taken, each once, in order.
///
/// Marks name the views to compare, not their former state: each stream has its own baseline, and a
/// `SceneDiffer` compares the two.
public struct SceneMarks {
    /// Views whose frames may have changed.
    private(set) var frames: [ViewNode] = []
    /// Views whose content may have changed.
    private(set) var contents: [ViewNode] = []
    /// Views that were created; members may know some of them after the scene was rebuilt.
    private(set) var added: [ViewNode] = []
    /// Removed views: superviews before their subviews, subtree by subtree.
    var removed: [ViewNumber] = []
    /// Views whose list of subviews changed in members or order.
    private(set) var reordered: [ViewNumber] = []
    private var isReordered: Set<ViewNumber> = []
    /// The areas drawn again, in the order of drawing.
    var displayed: [(node: ViewNode, rect: Rect)] = []
    /// The animations started by blocks, in order.
    var animations: [(node: ViewNode, animation: FrameAnimation)] = []
    /// Whether all running animations ended at once.
    var endsAnimations = false
    /// Whether the wire unit changed, which invalidates all baselines; all streams must restart.
    public internal(set) var isComplete = false

    /// The number of frames, contents, and lists of subviews that were charged already, and whether
    /// the root's list was, as it is looked at once a view went.
    private var charged = (frames: 0, contents: 0, reordered: 0, root: false)
    private var isWholeCharged = false

    /// Returns the marks since the last call whose comparison and encoding have a cost.
    mutating func takeUncharged() -> (
        frames: ArraySlice<ViewNode>, contents: ArraySlice<ViewNode>,
        reordered: ArraySlice<ViewNumber>, asksRoot: Bool
    ) {
        let asksRoot = !removed.isEmpty
        defer { charged = (frames.count, contents.count, reordered.count, asksRoot) }
        return (
            frames[charged.frames...], contents[charged.contents...],
            reordered[charged.reordered...], asksRoot && !charged.root
        )
    }

    /// Whether there is nothing to compare. Drawing alone changes nothing that is compared.
    public var isEmpty: Bool {
        frames.isEmpty && contents.isEmpty && added.isEmpty && removed.isEmpty && reordered.isEmpty
            && !isComplete && !endsAnimations
    }

    /// Whether all is to be told, for the first time since the last call.
    mutating func takeUnchargedWhole() -> Bool {
        defer { isWholeCharged = isComplete }
        return isComplete && !isWholeCharged
    }

    mutating func add(_ node: ViewNode) {
        added.append(node)
        markFrame(node)
        markContent(node)
    }

    mutating func markFrame(_ node: ViewNode) {
        guard !node.frameIsDirty else { return }
        node.frameIsDirty = true
        frames.append(node)
    }

    mutating func markContent(_ node: ViewNode) {
        guard !node.contentIsDirty else { return }
        node.contentIsDirty = true
        contents.append(node)
    }

    mutating func reorder(_ node: ViewNode) {
        guard isReordered.insert(node.number).inserted else { return }
        reordered.append(node.number)
    }

    /// Removes views whose objects are about to be replaced by equal ones.
    mutating func dropViews() {
        frames.removeAll()
        contents.removeAll()
        added.removeAll()
        charged = (0, 0, reordered.count, charged.root)
    }

    /// Allows the views to be marked again.
    func release() {
        for node in frames { node.frameIsDirty = false }
        for node in contents { node.contentIsDirty = false }
    }
}

extension SceneModel {
    // MARK: Recording changes

    func frameWillAnimate(_ view: View, _ animation: FrameAnimation) {
        guard let node = node(of: view) else { return }
        pending.animations.append((node, animation))
    }

    func markFrame(_ view: View) {
        if let node = node(of: view) { pending.markFrame(node) }
    }

    func frameDidChange(_ view: View) {
        guard let node = node(of: view) else { return }
        pending.markFrame(node)
        // A label's lines depend on its size; a scroll view's offset is content.
        if view is TextContentView || view is ScrollView { pending.markContent(node) }
        laidOut?.append(node.id)
    }

    func contentDidChange(_ view: View) {
        if let node = node(of: view) { pending.markContent(node) }
    }

    func didDisplay(_ view: View, _ rect: Rect) {
        guard let node = node(of: view) else { return }
        pending.markContent(node)
        pending.displayed.append((node, rect))
    }

    // MARK: Taking the marks

    /// Removes and returns the marks since the last call.
    ///
    /// - Complexity: O(marks).
    public func takeMarks() -> SceneMarks {
        let marks = pending
        pending = SceneMarks()
        marks.release()
        return marks
    }
}
