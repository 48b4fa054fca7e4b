/// The two subprotocols of version 1; a server picks one of those that a client offers.
public enum Subprotocol: String, CaseIterable, Sendable {
    /// Bytes, one message in each binary WebSocket message.
    case binary = "scenesync.v1.bin"
    /// JSON, one message in each WebSocket text message; says exactly what the bytes say.
    case json = "scenesync.v1.json"
}
