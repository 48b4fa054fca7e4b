import SceneClientSession
import WebSocketTransport

/// Conversion from a session's events.
extension SceneClient.Event {
    /// The event for the client's owner; `nil` for an event that concerns the session only.
    init?(_ event: ClientSession.Event) {
        switch event {
        case .welcomed(let welcome): self = .welcomed(welcome)
        case .updated(let mirror): self = .updated(mirror)
        case .checked, .mismatch: return nil
        case .result(let result): self = .result(result)
        case .presence(let presence): self = .presence(presence)
        case .diagnostics(let diagnostics): self = .diagnostics(diagnostics)
        case .trace(let trace): self = .trace(trace)
        case .pong(let pong): self = .pong(pong)
        case .inspection(let inspection, let request):
            self = .inspection(inspection, request: request)
        case .device(let grant): self = .device(grant)
        case .interactions(let table): self = .interactions(table)
        case .annotations(let table): self = .annotations(table)
        case .records(let part): self = .records(part)
        case .event(let event): self = .event(event)
        case .eventResult(let result): self = .eventResult(result)
        case .failure(let failure): self = .failure(failure)
        }
    }

    /// The event after the end of a connection.
    init(
        _ ending: ClientSession.Ending, code: UInt16?, reason: String, error: TransportError?
    ) {
        switch ending {
        case .final: self = .ended(code: code, reason: reason, error: error)
        case .retry(let url, let nanoseconds):
            self = .reconnecting(
                afterSeconds: Double(nanoseconds) / 1e9, reason: error?.description ?? reason,
                url: url)
        }
    }
}
