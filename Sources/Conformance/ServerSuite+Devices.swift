import JSON
import LayoutValues
import SceneWire
import Synchronization

extension ServerSuite {
    /// Section 17.5: more devices than a server serves.
    static let deviceCases: [Case] = [
        Case("17.5-8", "beyond the maximum the device in use of the most similar size is given") {
            try $0.nearestDevice()
        }
    ]

    /// As many as a suite should have a server lay out.
    private static let deviceMaximum: UInt32 = 64

    /// The first device is 100 points wide, each further one 100 more.
    private func member(width: Int) throws -> (ScriptedClient, DeviceGrant) {
        let client = try client()
        var hello = Hello()
        hello.capabilities = Capability.devices
        hello.device = DeviceRequest()
        hello.device?.viewport = .object([
            JSONMember("width", .number(Double(width))), JSONMember("height", .number(300)),
        ])
        client.send(.hello(hello))
        let grant = try client.wait("device") { message -> DeviceGrant? in
            if case .device(let grant) = message { grant } else { nil }
        }
        try client.loadSnapshot()
        return (client, grant)
    }

    private func nearestDevice() throws -> Finding {
        let editor = try editor()
        let probe = try client()
        guard try probe.greet(capabilities: Capability.devices).capabilities != 0 else {
            return .note("the server has no devices")
        }
        var members: [ScriptedClient] = []
        defer { for member in members { member.close() } }
        var (first, grant) = try member(width: 1000)
        members.append(first)
        let maximum = grant.maximum
        guard maximum <= Self.deviceMaximum else { return .note("it serves \(maximum) devices") }
        for index in 1..<max(maximum, 1) {
            (first, grant) = try member(width: 1000 + 100 * Int(index))
            members.append(first)
            guard grant.fit == .exact else { return .bad("device \(index + 1) of \(maximum)") }
        }
        let (last, nearest) = try member(width: 1090)
        members.append(last)
        let root = last.mirror.withLock { $0.view(id: "root")?.frame.width }
        guard nearest.fit == .nearest, !nearest.reason.isEmpty else {
            return .bad("it was answered with \(nearest.fit.rawValue)")
        }
        let wanted: Double = maximum > 1 ? 1100 : 1000
        guard nearest.viewport.width == wanted, root == Int32(wanted) else {
            return .bad("1090 points across became \(nearest.viewport.width)")
        }
        // It is a member of that device like any other.
        _ = try editor.apply(width(144), sequence: 2)
        try wait(last) { $0.view(id: "a")?.frame.width == 144 }
        return .fine
    }
}
