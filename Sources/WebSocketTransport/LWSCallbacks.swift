import CLibWebSockets
import CTransportShims

// The functions that libwebsockets calls. Global, because a closure could inherit an actor from
// where it is written and would trap on the library's thread. They find the object behind the
// context, check that they run on its thread (or that it has none yet), pass on copies, and return.

/// Events of a server's context.
func serverCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let owner = lws_context_user(context) else {
        return 0
    }
    let loop = Unmanaged<ServerLoop>.fromOpaque(owner).takeUnretainedValue()
    loop.events.assertIsOwner()
    let goesOn: Bool
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        // Called for each protocol; the mailbox is empty after the first.
        loop.takeMail()
        return 0
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return loop.confirmUpgrade(wsi).rawValue
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        loop.noteSubprotocol(wsi)
        return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        loop.host.secured(user)
        return 0
    case LWS_CALLBACK_ESTABLISHED:
        loop.opened(wsi)
        return 0
    case LWS_CALLBACK_RECEIVE:
        goesOn = loop.received(wsi, UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_SERVER_WRITEABLE: goesOn = loop.writeable(wsi)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        goesOn = loop.peerCloses(wsi, UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_HTTP: goesOn = loop.request(wsi)
    case LWS_CALLBACK_HTTP_WRITEABLE: goesOn = loop.writeBody(wsi)
    case LWS_CALLBACK_HTTP_BODY:
        goesOn = loop.body(wsi, UnsafeRawBufferPointer(start: input, count: length))
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: goesOn = loop.bodyCompleted(wsi)
    case LWS_CALLBACK_WSI_DESTROY:
        loop.destroyed(wsi)
        return 0
    default: return 0
    }
    return goesOn ? 0 : -1
}

/// Events of a client's context.
func clientCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let owner = lws_context_user(context) else {
        return 0
    }
    let loop = Unmanaged<ClientLoop>.fromOpaque(owner).takeUnretainedValue()
    loop.events.assertIsOwner()
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: loop.takeMail(context)
    case LWS_CALLBACK_CLIENT_ESTABLISHED: loop.opened(wsi)
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return loop.appendHeaders(wsi, input, length)
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return loop.received(wsi, UnsafeRawBufferPointer(start: input, count: length)) ? 0 : -1
    case LWS_CALLBACK_CLIENT_WRITEABLE: return loop.writeable(wsi) ? 0 : -1
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: loop.peerClose = closeReason(input, length)
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        let text = input.map {
            String(
                decoding: UnsafeRawBufferPointer(start: $0, count: length).prefix { $0 != 0 },
                as: UTF8.self)
        }
        loop.ended(error: .cannotConnect(text ?? "the connection failed"))
    case LWS_CALLBACK_CLIENT_CLOSED: loop.ended(error: nil)
    default: break
    }
    return 0
}
