import AutoLayout
import SceneDocument
public import SceneWire

/// Selects one of a view's frames.
public enum FramePresentation: Sendable {
    /// The frame shown at this tick. UIKit's presentation layer.
    case presented
    /// The frame after all animations. UIKit's model layer.
    case model
}

/// Views as protocol values.
extension SceneModel {
    /// The records of all views, parents before children.
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

    /// A view's frame in wire units; `nil` for an unknown number.
    public func quantisedFrame(
        of number: ViewNumber, _ presentation: FramePresentation
    ) -> QuantisedFrame? {
        nodes[number].map { quantisedFrame(of: $0.view, presentation) }
    }

    /// A view's content, for renderers that neither measure nor wrap text.
    func content(of node: ViewNode) -> ViewContent {
        let properties = node.shown
        var content = ViewContent(kind: (properties.kind ?? .view).shown)
        content.hidden = (properties.hidden ?? false) || properties.installed == false
        content.clips = properties.clips ?? (properties.kind == .scroll)
        content.opacity = UInt8(nearest: ((properties.opacity ?? 1) * 255).rounded())
        content.background = properties.background.map { color($0, of: node) }
        content.foreground = properties.foreground.map { color($0, of: node) }
        content.border = properties.border ?? .none
        content.align = properties.align ?? .natural
        content.look = look(of: node, properties)
        if let scroll = node.view as? ScrollView {
            content.contentOffsetX = quantised(scroll.contentOffset.x)
            content.contentOffsetY = quantised(scroll.contentOffset.y)
        }
        if let text = node.view as? TextContentView {
            content.face = text.face.map { face in
                TextFace(
                    weight: UInt32(face.font.weight.number),
                    size: UInt32(clamping: face.font.size64),
                    ascent: UInt32(clamping: quantised(face.ascent)),
                    fitted: face.isFitted, files: shownFaces)
            }
            content.lines = text.lines.map {
                ContentLine(
                    text: $0.text, x: quantised($0.origin.x), y: quantised($0.origin.y),
                    width: quantised($0.width))
            }
        }
        return content
    }
}
