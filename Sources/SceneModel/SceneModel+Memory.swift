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
        nodes.values.reduce(0) { $0 + ($1.sharedProperties.value.text?.utf8.count ?? 0) }
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
            if node.view is StackView { bytes += Size.stack }
        }
        return bytes + Size.constraint * constraintCount
    }
}

extension ViewProperties {
    /// About how many bytes the texts and lists take, by which properties of one view differ from those of another.
    public var byteEstimate: Int {
        (variations ?? []).reduce(0) { $0 + 600 + $1.properties.byteEstimate }
            + (text?.utf8.count ?? 0) + 40 * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
    }
}
