import AutoLayout
public import SceneDocument

/// Estimates a scene's memory.
extension SceneModel {
    /// Bytes of the parts of a scene, measured with the allocator for scenes of several thousand
    /// parts, without the solver, which reports its own. `MemoryEstimateTests` compare the sums
    /// with actual allocations.
    private enum Size {
        /// A view with the model's state for it.
        static let view = 950
        /// A label in addition: its text, broken into lines.
        static let label = 650
        /// A control in addition, without the lines that it draws.
        static let control = 600
        /// A line that a control draws, without its text.
        static let controlLine = 100
        /// A stack in addition: the constraints between the arranged views.
        static let stack = 3_400
        /// A guide, which has less state than a view.
        static let guide = 700
        /// A constraint with its rule.
        static let constraint = 300
        /// A variation of one, and each clause of its condition.
        static let clause = 150
    }

    /// Bytes of all texts.
    ///
    /// - Complexity: O(views).
    public var textByteCount: Int {
        nodes.values.reduce(0) { count, node in
            // A control may draw more than the texts that it was given.
            let drawn = (node.view as? Control)?.textByteCount ?? 0
            return count + max(node.sharedProperties.value.textByteCount, drawn)
        }
    }

    /// The approximate memory of the scene in bytes. Texts count once, since view and properties
    /// share them.
    ///
    /// - Complexity: O(views).
    public var byteEstimate: Int {
        var bytes =
            window.solverByteCount + Size.guide * guides.count + measuredText.byteEstimate
        for node in nodes.values {
            bytes +=
                Size.view + node.id.utf8.count + node.sharedProperties.value.byteEstimate
            if node.view is Label { bytes += Size.label }
            if let control = node.view as? Control {
                // What it draws; a short text has its room rounded up.
                bytes += Size.control + control.textByteCount * 3 / 2
                bytes += Size.controlLine * control.lineCount
            }
            if node.view is StackView { bytes += Size.stack }
        }
        return bytes + Size.constraint * constraintCount + Size.clause * constraints.variedCount
    }
}

extension ViewProperties {
    /// The approximate memory of texts and lists, by which the properties of one view differ from
    /// those of another, in bytes.
    public var byteEstimate: Int {
        (variations ?? []).reduce(0) { $0 + 600 + $1.properties.byteEstimate }
            + textByteCount + (hasInteraction ? 400 : 0) + (hasLook ? 1_000 : 0) + 40
            * (interaction.segments?.count ?? 0) + 40
            * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
            + 16 * (hasLook ? look.chart?.values.count ?? 0 : 0)
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
    /// Bytes of texts for people, without those of variations.
    var textByteCount: Int {
        (text?.utf8.count ?? 0) + (hasInteraction ? interaction.textByteCount : 0)
    }
}
