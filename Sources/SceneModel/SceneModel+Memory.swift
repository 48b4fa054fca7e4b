import AutoLayout
public import SceneProtocol

/// How much memory a scene takes.
extension SceneModel {
    /// What parts of a scene take in bytes: what the allocator says of scenes of some thousand parts, without what the solver
    /// says itself. `MemoryEstimateTests` hold the sums against what a process really allocates.
    private enum Size {
        /// A view, and what the model keeps for it.
        static let view = 1_050
        /// What a label keeps besides: its text, broken into lines.
        static let label = 650
        /// What a control keeps besides what it is drawn with.
        static let control = 600
        /// A line that a control is drawn with, besides its text.
        static let controlLine = 100
        /// What a stack keeps besides: the constraints between what it arranges.
        static let stack = 3_400
        /// A guide, which is less than a view.
        static let guide = 700
        /// A constraint with its rule.
        static let constraint = 300
    }

    /// Bytes of all texts.
    ///
    /// - Complexity: O(views).
    public var textByteCount: Int {
        nodes.values.reduce(0) { count, node in
            // What a control is drawn with may be more than it was given.
            let drawn = (node.view as? Control)?.textByteCount ?? 0
            return count + max(node.sharedProperties.value.textByteCount, drawn)
        }
    }

    /// About how many bytes of memory the scene takes. Texts count once: view and properties have them in common.
    ///
    /// - Complexity: O(views).
    public var byteEstimate: Int {
        var bytes = window.solverByteCount + Size.guide * guides.count
        for node in nodes.values {
            bytes +=
                Size.view + node.id.utf8.count + node.sharedProperties.value.byteEstimate
            if node.view is Label { bytes += Size.label }
            if let control = node.view as? Control {
                bytes += Size.control + 2 * control.textByteCount
                bytes += Size.controlLine * control.lineCount
            }
            if node.view is StackView { bytes += Size.stack }
        }
        return bytes + Size.constraint * constraintCount
    }
}

extension ViewProperties {
    /// About how many bytes the texts and lists take, by which properties of one view differ from those of another.
    public var byteEstimate: Int {
        (variations ?? []).reduce(0) { $0 + 600 + $1.properties.byteEstimate }
            + textByteCount + (hasInteraction ? 400 : 0) + 40
            * (interaction.segments?.count ?? 0) + 40
            * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
    }
}

extension InteractionProperties {
    /// Bytes of the texts.
    var textByteCount: Int {
        var count = (label?.utf8.count ?? 0) + (hint?.utf8.count ?? 0)
        count += placeholder?.utf8.count ?? 0
        if case .text(let text) = value { count += text.utf8.count }
        return (segments ?? []).reduce(count) { $0 + $1.utf8.count }
    }
}

extension ViewProperties {
    /// Bytes of the texts that people see or hear, without those of variations.
    var textByteCount: Int {
        (text?.utf8.count ?? 0) + (hasInteraction ? interaction.textByteCount : 0)
    }
}
