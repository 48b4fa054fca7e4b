import SceneDocument
import SceneModel

/// The devices besides the main one on which members watch a room's scene. Equal devices share a
/// scene; a device without members has none.
struct DeviceSet {
    private(set) var scenes: [DeviceScene] = []
    private var nextID: UInt32 = 1

    /// The scene of a device; `nil` for the main one.
    subscript(id: UInt32) -> DeviceScene? { id == 0 ? nil : scenes.first { $0.id == id } }

    /// The scene of the device equal to this one.
    func equal(to screen: ViewportPatch) -> DeviceScene? {
        scenes.first { $0.screen == screen }
    }

    /// The device in use with the most similar size; `nil` for the main one.
    func nearest(to wanted: Viewport, main: Viewport) -> DeviceScene? {
        func distance(_ viewport: Viewport) -> Double {
            abs(viewport.width - wanted.width) + abs(viewport.height - wanted.height)
        }
        let best = scenes.min { distance($0.viewport) < distance($1.viewport) }
        guard let best, distance(best.viewport) < distance(main) else { return nil }
        return best
    }

    /// Returns an unused device number.
    mutating func makeID() -> UInt32 {
        defer { nextID &+= 1 }
        return nextID
    }

    mutating func add(_ scene: DeviceScene) { scenes.append(scene) }

    /// Removes devices without members, with their scenes.
    mutating func dropUnused(by members: [Member]) {
        guard !scenes.isEmpty else { return }
        let used = Set(members.map(\.stream.device))
        scenes.removeAll { !used.contains($0.id) }
    }

    mutating func remove(_ id: UInt32) { scenes.removeAll { $0.id == id } }

    /// Whether a device has a pending layout.
    var havePendingWork: Bool { scenes.contains { $0.model?.hasPendingWork == true } }

    /// Whether a device is suspended.
    var areSuspended: Bool { scenes.contains(where: \.isSuspended) }

    /// The units of work of all devices.
    var work: UInt64 { scenes.reduce(0) { $0 &+ ($1.model?.work ?? 0) } }
}
