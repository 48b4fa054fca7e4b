import CLibWebSockets
import CTransportShims

/// The text of a header of the request or response, copied out; `nil` where there is none.
func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(wsi, token))
    guard length > 0 else { return nil }
    var buffer = [CChar](repeating: 0, count: length + 1)
    guard lws_hdr_copy(wsi, &buffer, Int32(buffer.count), token) >= 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Whether a header came at all, be it empty: the text of an empty one is `nil` too.
private func isPresent(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> Bool {
    guard lws_hdr_total_length(wsi, token) <= 0 else { return true }
    var none: CChar = 0
    return lws_hdr_copy_fragment(wsi, &none, 1, token, 0) >= 0
}

/// Whether a request was passed on by a proxy: it has a header by which proxies tell of themselves
/// or of their clients, whatever is in it. RFC 7239; RFC 9110, section 7.6.3.
func isForwarded(_ wsi: OpaquePointer) -> Bool {
    // The library keeps the headers that it knows by number, and finds only the others by name.
    let known = [WSI_TOKEN_X_FORWARDED_FOR, WSI_TOKEN_HTTP_X_REAL_IP, WSI_TOKEN_HTTP_VIA]
    let named = [
        "forwarded:", "x-forwarded-host:", "x-forwarded-proto:", "x-forwarded-port:",
        "x-forwarded-server:", "x-client-ip:", "x-cluster-client-ip:", "cf-connecting-ip:",
        "true-client-ip:",
    ]
    return known.contains { isPresent(wsi, $0) }
        || named.contains { lws_hdr_custom_length(wsi, $0, Int32($0.utf8.count)) >= 0 }
}

/// The address that a proxy wrote, without a port that some add; `nil` when it is no address.
func forwardedAddress(_ text: String) -> String? {
    let isPlain = text.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !text.hasPrefix("[")
    let authority = Authority(isPlain ? "[\(text)]" : text)
    return authority.isAddress ? authority.host : nil
}

/// The arguments of a URL, joined as they were sent.
func query(_ wsi: OpaquePointer) -> String {
    var parts: [String] = []
    var index: Int32 = 0
    var buffer = [CChar](repeating: 0, count: 1024)
    while lws_hdr_copy_fragment(
        wsi, &buffer, Int32(buffer.count), WSI_TOKEN_HTTP_URI_ARGS, index) >= 0, index < 64
    {
        parts.append(
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        )
        index += 1
    }
    return parts.joined(separator: "&")
}

/// Whether an address is this machine's own. Clients of a Unix socket are.
func isLoopbackAddress(_ address: String) -> Bool {
    address == ListenAddress.unixPeer || address == "::1" || address.hasPrefix("127.")
        || address.hasPrefix("::ffff:127.")
}

/// The longest name of a certificate that is taken, in bytes: with a prefix, what a subject may
/// have.
private let certificateNameMaximum = 240

/// The name in the verified certificate of a connection's other end; `nil` where there is none, or
/// none that is UTF-8.
func certificateName(_ wsi: OpaquePointer) -> String? {
    guard lws_is_ssl(wsi) != 0 else { return nil }
    var buffer = [CChar](repeating: 0, count: certificateNameMaximum)
    let count = Int(ss_tls_peer_name(wsi, &buffer, Int32(buffer.count)))
    guard count > 0 else { return nil }
    return String(validating: buffer[..<count], as: UTF8.self)
}
