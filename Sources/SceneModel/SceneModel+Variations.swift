import AutoLayout
import SceneDocument

/// Variations of views by their traits. The properties pass resolves them and tracks the traits
/// that their conditions read: only a change of one of these resolves them again.
extension SceneModel {
    /// Starts or stops resolving a view's variations in the properties pass.
    func followVariations(_ node: ViewNode) {
        let varies = node.properties.variations?.isEmpty == false
        guard varies || node.variation != nil || !node.variedConstraints.isEmpty else { return }
        if varies, node.variation == nil { node.variation = ViewProperties() }
        // Setting the hook requests the pass; hooks of scenarios are separate.
        let code = node.code
        let (model, unownedNode) = (Unowned(self), Unowned(node))
        node.view.updatePropertiesHook = {
            code?()
            let (model, node) = (model.object, unownedNode.object)
            if node.variation != nil { model.resolveVariations(of: node) }
            model.resolveConstraints(of: node)
        }
    }

    private func resolveVariations(of node: ViewNode) {
        let traits = node.view.traitCollection
        let applying = (node.properties.variations ?? []).filter { traits.satisfies($0.when) }
        let before = node.variation ?? ViewProperties()
        let now = Variation.merged(applying)
        node.variation = now
        if node.properties.variations?.isEmpty ?? true {
            node.variation = nil
            if node.variedConstraints.isEmpty { node.view.updatePropertiesHook = node.code }
        }
        let touched = Set(before.givenKeys).union(now.givenKeys)
        guard before != now || !touched.isEmpty else { return }
        var kind = ViewProperties()
        kind.kind = node.properties.kind
        let fresh = makeView(node.id, kind)
        let shown = node.shown
        let given = Set(shown.givenKeys)
        for key in ViewKey.setAlone where touched.contains(key) {
            if given.contains(key) {
                shown.apply(key, to: node.view)
            } else {
                key.reset(node.view, like: fresh)
            }
        }
        guard before != now else { return }
        followLook(node)
        pending.markContent(node)
    }
}

extension ViewNode {
    /// The properties as shown: the explicit ones with the active variations.
    var shown: ViewProperties {
        guard let variation else { return properties }
        var result = properties
        result.merge(variation)
        return result
    }

    /// The keys that active variations set, which explicit values do not override.
    var variedKeys: Set<ViewKey> { Set(variation?.givenKeys ?? []) }
}
