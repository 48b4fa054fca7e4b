import AutoLayout
public import SceneDocument
import SceneWire

/// Frames as they are shown: rounded to pixels, in the units of documents or of the wire.
extension SceneModel {
    var pixelGrid: PixelGrid {
        PixelGrid(scale: shownViewport.scale, rounds: shownViewport.rounding == .pixel)
    }

    /// Wire units in a point: one for each pixel, or 1024 without rounding.
    public var unitsPerPoint: Double {
        shownViewport.rounding == .pixel ? shownViewport.scale : 1024
    }

    /// The view's corner in the root's coordinates, by model or by presentation frames. Ignores
    /// content offsets, since otherwise scrolling would change the rounding of content.
    func rootOrigin(of view: View?, _ presentation: FramePresentation) -> Point {
        let isPresented = presentation == .presented && !window.isShownAsLaidOut
        var point = Point.zero
        var current = view
        while let next = current, next !== window {
            let frame = isPresented ? next.presentationFrame : next.layoutFrame
            point.x += frame.minX
            point.y += frame.minY
            current = next.superview
        }
        return point
    }

    /// The view's frame in its superview's coordinates, rounded as shown.
    func shownFrame(of view: View, _ presentation: FramePresentation = .model) -> Rect {
        let frame = presentation == .presented ? view.presentationFrame : view.layoutFrame
        let origin = rootOrigin(of: view.superview, presentation)
        return pixelGrid.frame(frame, superviewOrigin: origin)
    }

    /// The model frames of all views in preorder, including `root`, rounded as shown.
    public func frames() -> [NamedRect] {
        window.preorder.map { NamedRect(id: $0.identifier, rect: shownFrame(of: $0)) }
    }

    /// The model frame of one view, rounded as shown.
    public func frame(of id: String) -> Rect? {
        nodeIDs[id].flatMap { nodes[$0] }.map { shownFrame(of: $0.view) }
    }

    /// The presentation frame of one view at this tick, rounded as shown.
    public func presentationFrame(of id: String) -> Rect? {
        nodeIDs[id].flatMap { nodes[$0] }.map { shownFrame(of: $0.view, .presented) }
    }

    /// The lines of text of one view, in order; `nil` for an unknown view.
    public func lines(of id: String) -> [String]? {
        nodeIDs[id].flatMap { nodes[$0] }.map { content(of: $0).lines.map { $0.text } }
    }

    /// The views with ambiguous layout, in preorder.
    ///
    /// - Complexity: that of `Window.ambiguousViews`.
    public func ambiguousViewIDs() -> [String] {
        window.ambiguousViews.map { $0.identifier }
    }

    /// The constraints that were broken because they conflict with others: by their first view's
    /// place in preorder, then by age.
    public var brokenConstraintIDs: [String] {
        let broken = window.brokenConstraints
        guard broken.count > 1 else { return broken.map { $0.identifier } }
        var place: [ObjectIdentifier: Int] = [:]
        for (index, view) in window.preorder.enumerated() { place[ObjectIdentifier(view)] = index }
        return broken.enumerated().sorted { left, right in
            let a = left.element.firstItem.flatMap { place[ObjectIdentifier($0)] } ?? Int.max
            let b = right.element.firstItem.flatMap { place[ObjectIdentifier($0)] } ?? Int.max
            return (a, left.offset) < (b, right.offset)
        }.map { $0.element.identifier }
    }

    /// A length in wire units.
    func quantised(_ points: Double) -> Int32 {
        let units = (points * unitsPerPoint).rounded()
        guard units.isFinite else { return 0 }
        return Int32(nearest: units)
    }

    /// A rectangle in wire units.
    func quantised(_ rect: Rect) -> QuantisedFrame {
        QuantisedFrame(
            x: quantised(rect.minX), y: quantised(rect.minY), width: quantised(rect.width),
            height: quantised(rect.height))
    }

    func quantisedFrame(
        of view: View, _ presentation: FramePresentation = .presented
    ) -> QuantisedFrame {
        quantised(shownFrame(of: view, presentation))
    }

    /// The state hash of the scene as shown now.
    ///
    /// - Complexity: O(views).
    public var stateHash: UInt64 {
        var sum: UInt64 = 0
        for node in nodesInOrder {
            let parent = node.view.superview?.identifier ?? ""
            let prefix = ViewHash.prefix(
                id: node.id, parentID: parent, content: content(of: node))
            sum &+= ViewHash.hash(prefix: prefix, frame: quantisedFrame(of: node.view))
        }
        return sum
    }
}
