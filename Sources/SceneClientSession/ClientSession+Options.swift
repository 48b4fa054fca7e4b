public import SceneWire

extension ClientSession {
    /// The addresses, and the role and the rights to ask for.
    public struct Options: Sendable {
        /// The addresses of the room, the preferred first; at least one.
        public var urls: [String]
        /// The role to ask for.
        public var role = Role.viewer
        /// The format of messages.
        public var format = Subprotocol.binary
        /// Proves the identity; empty without authentication.
        public var token = ""
        /// Bits of `Hello.capabilities`. `Capability.mergedResume` is added where it may be and
        /// left out where it must not.
        public var capabilities: UInt64 = 0
        /// The subtrees to watch; none for the whole scene. Needs `Capability.subscribe`.
        public var roots: [String] = []
        /// The most frames a second; 0 leaves it to the server. Needs `Capability.subscribe`.
        public var frameRateMaximum: UInt32 = 0
        /// The device to watch the scene on; nil for the main one. Adds `Capability.devices`.
        public var device: DeviceRequest?
        /// Whether to connect again after a cut.
        public var reconnects = true
        /// How long to wait for a server that says nothing.
        public var patience = Patience()
        /// What the random part of waits follows from; clients of one server should differ in it.
        public var seed: UInt64 = 0

        /// Makes options with defaults.
        ///
        /// - Parameter urls: The addresses of the room, the preferred first; at least one.
        public init(urls: [String]) { self.urls = urls }
    }
}
