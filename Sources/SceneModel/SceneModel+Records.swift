import AutoLayout
public import SceneProtocol

/// Which of a view's frames is meant.
public enum FramePresentation: Sendable {
    /// Where it is on show at this tick. UIKit's presentation layer.
    case presented
    /// Where it stands when all animations are over. UIKit's model layer.
    case model
}

/// Views in the terms of the wire.
extension SceneModel {
    /// Every view, parents before children.
    ///
    /// - Complexity: O(views).
    public func records(_ presentation: FramePresentation = .presented) -> [ViewRecord] {
        nodesInOrder.map { record(of: $0, presentation) }
    }

    func record(of node: ViewNode, _ presentation: FramePresentation) -> ViewRecord {
        ViewRecord(
            number: node.number, id: node.id,
            parent: node.view.superview.flatMap { self.node(of: $0)?.number },
            frame: quantisedFrame(of: node.view, presentation), content: content(of: node))
    }

    /// A view's frame in the unit of the wire; `nil` for a number that no view has.
    public func quantisedFrame(
        of number: ViewNumber, _ presentation: FramePresentation
    ) -> QuantisedFrame? {
        nodes[number].map { quantisedFrame(of: $0.view, presentation) }
    }

    /// How a view looks, for renderers that neither measure nor wrap.
    func content(of node: ViewNode) -> ViewContent {
        let properties = node.shown
        var content = ViewContent(kind: (properties.kind ?? .view).shown)
        content.hidden = (properties.hidden ?? false) || properties.installed == false
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
        if let text = node.view as? GridTextView {
            content.lines = text.lines.map {
                TextLine(
                    text: $0.text, x: quantised($0.origin.x), y: quantised($0.origin.y),
                    width: quantised($0.width))
            }
        }
        return content
    }
}
