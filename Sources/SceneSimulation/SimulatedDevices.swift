import JSON
import SceneWire
import SeededRandom

/// Chooses devices for clients, by random numbers of its own: everything else is as it would be
/// without devices.
struct SimulatedDevices {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0xDE7_1CE5) }

    /// The device that a client begins with, if it has one of its own.
    mutating func first() -> DeviceRequest? { random.chance(1, of: 2) ? any() : nil }

    /// Another device for a client that changes it now.
    mutating func next(for client: SimulatedClient) -> DeviceRequest? {
        guard client.capabilities & Capability.devices != 0, random.chance(1, of: 10) else {
            return nil
        }
        return any()
    }

    /// One of few different devices, so that several clients share one; some are invalid.
    private mutating func any() -> DeviceRequest {
        var request = DeviceRequest()
        switch random.below(6) {
        case 0: break
        case 1: request.name = "gone"
        case 2:
            request.viewport = .object([
                JSONMember("width", .number(Double(random.below(3) * 150))),
                JSONMember("direction", .string("rtl")),
            ])
        default:
            request.columns = UInt32(20 + 10 * random.below(4))
            request.rows = 20
        }
        return request
    }
}
