import ConstraintLanguage
public import SceneDocument

/// The version of the rules by which a scene is laid out, where they are not those of an earlier
/// release.
///
/// A journal holds what was accepted and not where it was shown: a scene that was written under
/// earlier rules opens under the present ones, and may look different. Its snapshots say by which
/// rules they were laid out.
public enum LayoutRules {
    /// The present version. 1: before release 1.1.0. 2: frames as UIKit has them for scroll views
    /// in safe areas, stacks and baselines.
    public static let current = 2

    /// What in a scene may look different from how an earlier version laid it out; empty if nothing
    /// does.
    ///
    /// - Parameter version: The version that the scene was laid out by.
    /// - Complexity: O(views + constraints).
    public static func changes(since version: Int, in document: SceneDocument) -> [String] {
        guard version < current else { return [] }
        var found: [String] = []
        var kinds: [String: ViewKind] = [:]
        for view in document.views { kinds[view.id] = view.properties.kind ?? .view }
        let rules = (document.constraints + document.sets.flatMap { $0.constraints }).flatMap {
            $0.rules
        }
        let anchors = rules.flatMap { [$0.first] + ($0.second.map { [$0] } ?? []) }

        let hasArea =
            document.viewport.safeArea != .zero
            || document.devices.contains { ($0.viewport.safeArea ?? .zero) != .zero }
        let namesMargins = anchors.contains {
            kinds[$0.item.id] == .scroll && $0.item.guide == .margins
        }
        if kinds.values.contains(.scroll), hasArea || namesMargins {
            found.append("content of scroll views has no part in their safe areas and margins")
        }
        if document.views.contains(where: { $0.isStackOfOtherRules(document, anchors) }) {
            found.append(
                "stacks have margins of 0, hug their members, and hidden members give way")
        }
        let hasText = anchors.contains { anchor in
            guard anchor.attribute == .firstBaseline || anchor.attribute == .lastBaseline,
                anchor.item.guide == nil
            else { return false }
            return switch kinds[anchor.item.id] {
            case .label?, .button?, .textField?: true
            default: false
            }
        }
        if hasText {
            found.append("baselines of labels, buttons and fields are those of their text")
        }
        return found
    }
}

extension ViewSpec {
    /// Whether it is a stack with one of the properties whose meaning has changed.
    fileprivate func isStackOfOtherRules(
        _ document: SceneDocument, _ anchors: [AnchorReference]
    ) -> Bool {
        guard properties.kind == .stack else { return false }
        if properties.margins == nil,
            properties.layoutMarginsRelativeArrangement == true
                || anchors.contains(where: { $0.item.id == id && $0.item.guide == .margins })
        {
            return true
        }
        switch properties.distribution {
        case .equalSpacing?, .equalCentering?: return true
        case .fill?, .fillEqually?, .fillProportionally?, nil: break
        }
        if properties.alignment == .firstBaseline || properties.alignment == .lastBaseline {
            return true
        }
        return document.views.contains { $0.parent == id && $0.properties.hidden == true }
    }
}

extension ConstraintSpec {
    /// The rule that it is. The formats of snapshots were written out rule by rule.
    fileprivate var rules: [Rule] {
        if case .rule(let rule) = body { return [rule] }
        return []
    }
}
