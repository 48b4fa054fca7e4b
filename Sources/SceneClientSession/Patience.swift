extension ClientSession {
    /// How long a client waits for a server that says nothing. SPEC.md, CONN-39 and CONN-40.
    public struct Patience: Sendable, Equatable {
        /// Nanoseconds in which a connection has to be open, its handshakes included; 0 for no
        /// limit.
        public var openNanoseconds: UInt64 = 5_000_000_000
        /// Nanoseconds without a byte in which the server has to welcome the client; 0 for no
        /// limit.
        public var welcomeNanoseconds: UInt64 = 10_000_000_000
        /// Nanoseconds without a byte after which the client pings; 0 for never, and then a silent
        /// server is not noticed.
        public var silenceNanoseconds: UInt64 = 2_000_000_000
        /// Nanoseconds without a byte after that ping in which the connection is given up.
        public var answerNanoseconds: UInt64 = 2_000_000_000

        /// Makes the standard patience.
        public init() {}
    }
}
