import AutoLayout
public import SceneProtocol

/// Reading frames as they are shown: rounded to pixels, in the words of documents or of the wire.
extension SceneModel {
    var pixelGrid: PixelGrid {
        PixelGrid(scale: shownViewport.scale, rounds: shownViewport.rounding == .pixel)
    }

    /// Units of the wire in a point: one a pixel, or 1024 when nothing is rounded.
    public var unitsPerPoint: Double {
        shownViewport.rounding == .pixel ? shownViewport.scale : 1024
    }

    /// The view's corner in the root's coordinates, by model or by presentation frames. Scrolling moves nothing
    /// here, or rounding would make content tremble while it scrolls.
    func rootOrigin(of view: View?, _ presentation: FramePresentation) -> Point {
        let isPresented = presentation == .presented && !window.isShownAsLaidOut
        var point = Point.zero
        var current = view
        while let next = current, next !== window {
            let frame = isPresented ? next.presentationFrame : next.frame
            point.x += frame.minX
            point.y += frame.minY
            current = next.superview
        }
        return point
    }

    /// The view's frame in its superview's coordinates, rounded as shown.
    func shownFrame(of view: View, _ presentation: FramePresentation = .model) -> Rect {
        let frame = presentation == .presented ? view.presentationFrame : view.frame
        let origin = rootOrigin(of: view.superview, presentation)
        return pixelGrid.frame(frame, superviewOrigin: origin)
    }

    /// Where the model has each view, `root` included, in preorder, rounded as shown.
    public func frames() -> [NamedRect] {
        window.preorder.map { NamedRect(id: $0.identifier, rect: shownFrame(of: $0)) }
    }

    /// Where the model has one view, rounded as shown.
    public func frame(of id: String) -> Rect? {
        nodeIDs[id].flatMap { nodes[$0] }.map { shownFrame(of: $0.view) }
    }

    /// Where one view is on show at this tick, rounded as shown.
    public func presentationFrame(of id: String) -> Rect? {
        nodeIDs[id].flatMap { nodes[$0] }.map { shownFrame(of: $0.view, .presented) }
    }

    /// What the lines of text of one view say, in order; `nil` where there is no such view.
    public func lines(of id: String) -> [String]? {
        nodeIDs[id].flatMap { nodes[$0] }.map { content(of: $0).lines.map(\.text) }
    }

    /// The views whose place the constraints leave open, in preorder.
    ///
    /// - Complexity: that of `Window.ambiguousViews`.
    public func ambiguousViewIDs() -> [String] {
        window.ambiguousViews.map(\.identifier)
    }

    /// The constraints given up because they contradict others: by their first view's place in preorder, then by
    /// age.
    public var brokenConstraintIDs: [String] {
        let broken = window.brokenConstraints
        guard broken.count > 1 else { return broken.map(\.identifier) }
        var place: [ObjectIdentifier: Int] = [:]
        for (index, view) in window.preorder.enumerated() { place[ObjectIdentifier(view)] = index }
        return broken.enumerated().sorted { left, right in
            let a = left.element.firstItem.flatMap { place[ObjectIdentifier($0)] } ?? Int.max
            let b = right.element.firstItem.flatMap { place[ObjectIdentifier($0)] } ?? Int.max
            return (a, left.offset) < (b, right.offset)
        }.map(\.element.identifier)
    }

    /// A length in the unit of the wire.
    func quantised(_ points: Double) -> Int32 {
        let units = (points * unitsPerPoint).rounded()
        guard units.isFinite else { return 0 }
        return Int32(clamping: Int(min(max(units, -4e9), 4e9)))
    }

    /// A rectangle in the unit of the wire.
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

    /// The state hash of the scene as it is shown now.
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
