public import SceneProtocol

/// The device that a viewer watches the scene on.
public enum DeviceChoice: Hashable, Sendable {
    /// The terminal itself, in its own size.
    case own
    /// One that the scene names.
    case named(String)
    /// The main one, which everybody shares that asks for none.
    case shared

    /// The request for it.
    ///
    /// - Parameter area: The cells that the scene may take.
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
    /// The device for people.
    var text: String {
        switch self {
        case .own: "this terminal"
        case .named(let name): name
        case .shared: "shared by all"
        }
    }
}

/// Which device is watched, and which was asked for.
struct DeviceSelection {
    private(set) var choice: DeviceChoice
    /// The names of the scene's devices, as the server told them last.
    private(set) var names: [String] = []
    private var asked: DeviceRequest

    init(_ choice: DeviceChoice) {
        self.choice = choice
        // Nobody has to ask for the main one.
        asked = DeviceRequest()
    }

    /// The request for the device as it is now; `nil` where it was made already.
    mutating func takeRequest(in area: GridSize) -> DeviceRequest? {
        guard area.columns > 0, area.rows > 0 else { return nil }
        let request = choice.request(in: area)
        guard request != asked else { return nil }
        asked = request
        return request
    }

    mutating func granted(_ grant: DeviceGrant) { names = grant.names }

    /// Goes on to the next device: the terminal, the scene's in their order, the shared one.
    mutating func cycle() {
        let all = [.own] + names.map { DeviceChoice.named($0) } + [.shared]
        let index = all.firstIndex(of: choice) ?? all.count - 1
        choice = all[(index + 1) % all.count]
    }

    /// The device for people.
    var text: String { choice.text }

    /// What may be watched beside it after `other`; `nil` after the last.
    func beside(after other: DeviceChoice?) -> DeviceChoice? {
        let all = (names.map { DeviceChoice.named($0) } + [.shared, .own]).filter { $0 != choice }
        guard let other else { return all.first }
        return all.firstIndex(of: other).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    }
}
