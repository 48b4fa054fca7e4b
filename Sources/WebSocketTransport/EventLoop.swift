import CLibWebSockets
import CTransportShims
import Foundation
import Synchronization

/// A thread that runs one libwebsockets context, and the mailbox through which other threads reach it.
///
/// `lws_cancel_service` is the only call of the library that another thread makes; it wakes the loop, which then
/// takes the whole mailbox at once.
///
/// `@unchecked Sendable`: `context` is written once, before the thread starts, and freed by the thread itself;
/// everything else of the library is touched on that thread alone. The mailbox is behind a mutex.
final class EventLoop<Command: Sendable>: @unchecked Sendable {
    private struct Mailbox {
        var commands: ContiguousArray<Command> = []
        var isOpen = true
    }

    private let mailbox = Mutex(Mailbox())
    private var context: OpaquePointer?
    /// libev's loop, if the context runs on one.
    private var loop: UnsafeMutableRawPointer?
    private let ended = DispatchSemaphore(value: 0)
    /// Only touched on the loop's thread.
    private var isStopping = false

    /// Starts the thread. `context` and the loop that it runs on, if it is not the library's own, belong to the thread
    /// from now on; `atEnd` runs on it after they are freed.
    func start(
        context: OpaquePointer, on loop: UnsafeMutableRawPointer? = nil, name: String,
        atEnd: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.loop = loop
        let thread = Thread { [self] in
            run()
            atEnd()
            ended.signal()
        }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func run() {
        guard let context else { return }
        if let loop {
            while !isStopping { ss_loop_run(loop) }
        } else {
            while !isStopping, lws_service(context, 0) >= 0 {}
        }
        mailbox.withLock { $0.isOpen = false }
        lws_context_destroy(context)
        if let loop { ss_loop_free(loop) }
    }

    /// Queues a command; dropped once the loop has ended. From any thread.
    func post(_ command: Command) {
        mailbox.withLock { box in
            guard box.isOpen else { return }
            box.commands.append(command)
            // Inside the lock, so that the context is not freed under the call.
            if box.commands.count == 1, let context { lws_cancel_service(context) }
        }
    }

    /// Takes everything that is queued. On the loop's thread.
    func take() -> ContiguousArray<Command> {
        mailbox.withLock { box in
            let commands = box.commands
            box.commands = []
            return commands
        }
    }

    /// Has the mailbox looked at once more, after what has come in meanwhile. On the loop's thread.
    func wake() {
        if let context { lws_cancel_service(context) }
    }

    /// Ends the loop after the present callback. On the loop's thread.
    func stop() {
        isStopping = true
        if let loop {
            ss_loop_break(loop)
        } else if let context {
            lws_cancel_service(context)
        }
    }

    /// Waits until the thread has ended. From another thread.
    func join() {
        ended.wait()
        ended.signal()
    }
}

/// Text in a header of the request or response, copied out; `nil` when there is none.
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

/// The code and reason of a close frame's payload. RFC 6455, section 5.5.1.
func closeReason(_ pointer: UnsafeMutableRawPointer?, _ length: Int) -> (
    code: UInt16, reason: String
)? {
    guard let pointer, length >= 2 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    return (
        UInt16(bytes[0]) << 8 | UInt16(bytes[1]),
        String(decoding: bytes.dropFirst(2), as: UTF8.self)
    )
}

/// Where the library's own complaints go; nothing by default, since every failure is reported by its caller too.
public enum TransportLog {
    private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Sets where lines go, from any thread; `nil` drops them.
    public static func set(_ handler: (@Sendable (String) -> Void)?) {
        sink.withLock { $0 = handler }
        ss_set_log(handler == nil ? nil : emitLibraryLog)
    }

    static func emit(_ line: String) {
        sink.withLock { $0 }?(line)
    }
}

private func emitLibraryLog(_ level: Int32, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    TransportLog.emit(String(cString: line))
}

extension TransportLog {
    /// Whether nobody wants the library's lines.
    static var isSilent: Bool { sink.withLock { $0 == nil } }
}
