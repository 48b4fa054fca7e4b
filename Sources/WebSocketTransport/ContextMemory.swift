import CLibWebSockets
import CTransportShims
import FoundationEssentials
import Glibc

/// The function that libwebsockets calls for everything that happens to a protocol.
typealias LWSCallback =
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
        Int
    ) -> Int32

/// C strings and tables that a libwebsockets context reads for as long as it lives. Freed by
/// `free`, after the context; used by one thread at a time.
final class ContextMemory {
    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var protocols: UnsafeMutablePointer<lws_protocols>?

    /// A copy of a text.
    func cString(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    /// A table of protocols that share one callback; to be made once.
    func protocols(
        _ names: [String], _ callback: @escaping LWSCallback
    ) -> UnsafePointer<lws_protocols> {
        let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: names.count + 1)
        table.initialize(repeating: lws_protocols(), count: names.count + 1)
        for (index, name) in names.enumerated() {
            table[index].name = cString(name)
            table[index].callback = callback
            table[index].rx_buffer_size = 16 << 10
            // Larger writes would be copied and queued piece by piece.
            table[index].tx_packet_size = 8 << 20
        }
        protocols = table
        return UnsafePointer(table)
    }

    /// Frees everything.
    func free() {
        for string in strings { Glibc.free(string) }
        strings.removeAll()
        protocols?.deallocate()
        protocols = nil
    }
}
