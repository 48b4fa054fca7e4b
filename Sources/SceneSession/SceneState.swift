import SceneDocument
import SceneModel
import SceneWire

/// The scene of a session, in one of four states.
enum SceneState {
    /// In memory.
    case live(SceneTimeline)
    /// At rest: its journal records rebuild it, and members that join receive this state meanwhile.
    case frozen(FrozenScene)
    /// Half changed by a tick that did not finish: a replay rebuilds it when the thread has time.
    case spoiled(FrozenScene)
    /// Cannot be rebuilt; nothing more may be done or written.
    case lost
}

/// The state that a session at rest keeps instead of the scene.
struct FrozenScene {
    var unitsPerPoint: Double
    var viewport: Viewport
    var devices: [DeviceSpec]
    var viewCount: Int
    var diagnostics: Diagnostics
}

extension FrozenScene {
    /// Copies the state from a scene in memory.
    init(_ model: SceneModel, _ diagnostics: Diagnostics) {
        self.init(
            unitsPerPoint: model.unitsPerPoint, viewport: model.viewport,
            devices: model.devices, viewCount: model.viewCount, diagnostics: diagnostics)
    }
}
