import AutoLayout
import SceneProtocol

/// The views that changed since the marks were last taken, each once, in the order in which they came up.
///
/// Marks say where to look and not what was before: what a stream's members have is its own to know, and a
/// `SceneDiffer` compares the two.
public struct SceneMarks {
    /// Views that may stand elsewhere.
    private(set) var frames: [ViewNode] = []
    /// Views that may look different.
    private(set) var contents: [ViewNode] = []
    /// Views that were made; some may be known outside all the same, after the scene was rebuilt.
    private(set) var added: [ViewNode] = []
    /// Views that are gone: superviews before their subviews, subtree by subtree.
    var removed: [ViewNumber] = []
    /// Views whose list of subviews changed in members or order.
    private(set) var reordered: [ViewNumber] = []
    private var isReordered: Set<ViewNumber> = []
    /// What was drawn anew, with the part, in the order of drawing.
    var displayed: [(node: ViewNode, rect: Rect)] = []
    /// What blocks began to animate, in order.
    var animations: [(node: ViewNode, animation: FrameAnimation)] = []
    /// Whether everything that was under way has ended at once.
    var endsAnimations = false
    /// Whether the unit of all numbers changed, so that nothing known before holds and all streams start anew.
    public internal(set) var isComplete = false

    /// What was charged for already: how many frames, contents, and lists of subviews.
    private var charged = (frames: 0, contents: 0, reordered: 0)

    /// Hands out what was marked since the last call, as far as comparing and telling it costs something.
    mutating func takeUncharged() -> (
        frames: ArraySlice<ViewNode>, contents: ArraySlice<ViewNode>,
        reordered: ArraySlice<ViewNumber>
    ) {
        defer { charged = (frames.count, contents.count, reordered.count) }
        return (
            frames[charged.frames...], contents[charged.contents...],
            reordered[charged.reordered...]
        )
    }

    /// Whether there is nothing to compare. Drawing alone changes nothing that is compared.
    public var isEmpty: Bool {
        frames.isEmpty && contents.isEmpty && added.isEmpty && removed.isEmpty && reordered.isEmpty
            && !isComplete && !endsAnimations
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

    /// Forgets views whose objects are about to be replaced by equal ones.
    mutating func dropViews() {
        frames.removeAll()
        contents.removeAll()
        added.removeAll()
        charged = (0, 0, reordered.count)
    }

    /// Lets the views be marked again.
    func release() {
        for node in frames { node.frameIsDirty = false }
        for node in contents { node.contentIsDirty = false }
    }
}

extension SceneModel {
    // MARK: Noting what changes

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
        // Lines stand elsewhere at another size; a scroll view's offset is content.
        if view is GridTextView || view is ScrollView { pending.markContent(node) }
        laidOut?.append(node.id)
    }

    func didDisplay(_ view: View, _ rect: Rect) {
        guard let node = node(of: view) else { return }
        pending.markContent(node)
        pending.displayed.append((node, rect))
    }

    // MARK: Handing the marks out

    /// Hands out what was marked since the last call.
    ///
    /// - Complexity: O(marks).
    public func takeMarks() -> SceneMarks {
        let marks = pending
        pending = SceneMarks()
        marks.release()
        return marks
    }
}
