import AutoLayout
import ConstraintLanguage
import SceneDocument

/// Refused ops and the guides that views make where they are first named.
///
/// A readable content guide comes with constraints of its own, which stay when the op that named it
/// is refused. Where several layouts are equally good they may lead to another one, in which the
/// scene would differ from its journal, that knows nothing of refused ops.
extension SceneModel {
    /// The state before an op that may make a guide.
    struct GuideBackup {
        fileprivate let window: Window
        fileprivate let guideCount: Int
        fileprivate let state: Backup?
    }

    /// The state before an op, as far as it is needed to take back its guides.
    ///
    /// - Complexity: O(1); O(scene) for a constraint on a readable content guide where
    ///   `restoresRefused`.
    func backup(before op: Op) -> GuideBackup {
        GuideBackup(
            window: window, guideCount: window.readableGuideCount,
            state: restoresRefused && op.namesReadableGuide ? backup() : nil)
    }

    /// Restores the scene after a refused op that made a guide; without a backup it is half
    /// changed.
    func takeBackGuides(_ before: GuideBackup, _ outcome: inout BatchOutcome) {
        // With another window the scene was restored already.
        guard !isSpoiled, window === before.window,
            window.readableGuideCount != before.guideCount
        else { return }
        guard let state = before.state else {
            isHalfChanged = true
            return
        }
        restore(state)
        outcome.wasRebuilt = true
    }
}

extension Op {
    /// Whether it adds a constraint on a readable content guide.
    fileprivate var namesReadableGuide: Bool {
        guard case .addConstraint(let spec, _) = self, case .rule(let rule) = spec.body else {
            return false
        }
        return rule.first.item.guide == .readable || rule.second?.item.guide == .readable
    }
}
