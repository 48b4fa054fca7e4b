import CLibWebSockets

/// The text of a header of the request or response, copied out; `nil` where there is none.
func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(wsi, token))
    guard length > 0 else { return nil }
    var buffer = [CChar](repeating: 0, count: length + 1)
    guard lws_hdr_copy(wsi, &buffer, Int32(buffer.count), token) >= 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

/// Whether an address is this machine's own.
func isLoopbackAddress(_ address: String) -> Bool {
    address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
}
