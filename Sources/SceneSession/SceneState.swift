import SceneModel
import SceneProtocol

/// The scene of a session.
enum SceneState {
    /// At hand.
    case live(SceneTimeline)
    /// At rest: its journal records make it again, and this is what members that join are told meanwhile.
    case frozen(FrozenScene)
    /// Half changed by a tick that did not come to its end: a replay makes it again, where there is time for that.
    case spoiled(FrozenScene)
    /// Could not be brought back; nothing more may be done or written.
    case lost
}

/// What a session at rest keeps of its scene instead of the scene itself.
struct FrozenScene {
    var unitsPerPoint: Double
    var viewport: Viewport
    var devices: [DeviceSpec]
    var viewCount: Int
    var diagnostics: Diagnostics
}

extension FrozenScene {
    /// What is told of a scene at hand.
    init(_ model: SceneModel, _ diagnostics: Diagnostics) {
        self.init(
            unitsPerPoint: model.unitsPerPoint, viewport: model.viewport,
            devices: model.devices, viewCount: model.viewCount, diagnostics: diagnostics)
    }
}
