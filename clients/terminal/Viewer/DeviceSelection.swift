import JSON
public import SceneWire

/// The device on which a viewer watches the scene.
public enum DeviceChoice: Hashable, Sendable {
    /// The terminal itself, with its own size.
    case own
    /// A device that the scene names.
    case named(String)
    /// The main device, shared by all clients without a device of their own.
    case shared

    /// The request for it.
    ///
    /// - Parameter area: The cells available for the scene.
    public func request(in area: GridSize) -> DeviceRequest {
        var request = DeviceRequest()
        switch self {
        case .own:
            request.columns = UInt32(clamping: max(1, area.columns))
            request.rows = UInt32(clamping: max(1, area.rows))
            request.viewport = .object([
                JSONMember("scale", .number(1)), JSONMember("idiom", .string("terminal")),
            ])
        case .named(let name): request.name = name
        case .shared: break
        }
        return request
    }
}

extension DeviceChoice {
    /// The device as text.
    var text: String {
        switch self {
        case .own: "this terminal"
        case .named(let name): name
        case .shared: "shared by all"
        }
    }
}

/// The selected and the requested device.
struct DeviceSelection {
    private(set) var choice: DeviceChoice
    /// The names of the scene's devices, as last announced.
    private(set) var names: [String] = []
    private var asked: DeviceRequest

    init(_ choice: DeviceChoice) {
        self.choice = choice
        // Nobody has to ask for the main one.
        asked = DeviceRequest()
    }

    /// The request for the present device; `nil` if it was sent already.
    mutating func takeRequest(in area: GridSize) -> DeviceRequest? {
        guard area.columns > 0, area.rows > 0 else { return nil }
        let request = choice.request(in: area)
        guard request != asked else { return nil }
        asked = request
        return request
    }

    mutating func granted(_ grant: DeviceGrant) { names = grant.names }

    /// Selects the next device: the terminal, the scene's in their order, the shared one.
    mutating func cycle() {
        let all = [.own] + names.map { DeviceChoice.named($0) } + [.shared]
        let index = all.firstIndex(of: choice) ?? all.count - 1
        choice = all[(index + 1) % all.count]
    }

    /// The device as text.
    var text: String { choice.text }

    /// The next device to watch beside it after `other`; `nil` after the last.
    func beside(after other: DeviceChoice?) -> DeviceChoice? {
        let all = (names.map { DeviceChoice.named($0) } + [.shared, .own]).filter { $0 != choice }
        guard let other else { return all.first }
        return all.firstIndex(of: other).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    }
}
