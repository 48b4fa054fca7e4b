import SceneModel
import SceneProtocol

/// The devices that members watch a room's scene on, besides the main one: equal ones share a scene, and one that nobody
/// watches has none.
struct DeviceSet {
    private(set) var scenes: [DeviceScene] = []
    private var nextID: UInt32 = 1

    /// The scene of a device; `nil` for the main one.
    subscript(id: UInt32) -> DeviceScene? { id == 0 ? nil : scenes.first { $0.id == id } }

    /// The scene of a device that has exactly this.
    func equal(to screen: ViewportPatch) -> DeviceScene? {
        scenes.first { $0.screen == screen }
    }

    /// The device in use whose size is the most similar; `nil` for the main one.
    func nearest(to wanted: Viewport, main: Viewport) -> DeviceScene? {
        func distance(_ viewport: Viewport) -> Double {
            abs(viewport.width - wanted.width) + abs(viewport.height - wanted.height)
        }
        let best = scenes.min { distance($0.viewport) < distance($1.viewport) }
        guard let best, distance(best.viewport) < distance(main) else { return nil }
        return best
    }

    /// A number for another device, which none has had.
    mutating func makeID() -> UInt32 {
        defer { nextID &+= 1 }
        return nextID
    }

    mutating func add(_ scene: DeviceScene) { scenes.append(scene) }

    /// Forgets devices that no member watches; their scenes go with them.
    mutating func dropUnused(by members: [Member]) {
        guard !scenes.isEmpty else { return }
        let used = Set(members.map(\.stream.device))
        scenes.removeAll { !used.contains($0.id) }
    }

    mutating func remove(_ id: UInt32) { scenes.removeAll { $0.id == id } }

    /// Whether something is left to lay out.
    var havePendingWork: Bool { scenes.contains { $0.model?.hasPendingWork == true } }

    /// Whether one waits to be made again where the room may take longer.
    var areSuspended: Bool { scenes.contains(where: \.isSuspended) }

    /// Units of work of all of them.
    var work: UInt64 { scenes.reduce(0) { $0 &+ ($1.model?.work ?? 0) } }
}
