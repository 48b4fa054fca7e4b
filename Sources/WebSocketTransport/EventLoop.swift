import CLibWebSockets
import CTransportShims
import Synchronization
import Threads

/// A context of the library, and what belongs to it.
struct LibraryContext {
    let context: OpaquePointer
    /// libev's loop, if the context runs on one instead of the library's own.
    var loop: UnsafeMutableRawPointer?
    /// Called once the context and the loop are freed. What it captures lives until then.
    let atEnd: () -> Void
}

/// A thread that runs one libwebsockets context, and the mailbox through which other threads reach
/// it.
///
/// `lws_cancel_service` is the only call of the library that another thread makes; it wakes the
/// loop, which then takes the whole mailbox at once.
///
/// `@unchecked Sendable`: the mailbox is behind a mutex, as is `service` for other threads;
/// everything else is touched by the thread alone, which `assertIsOwner` checks at each door.
final class EventLoop<Command: Sendable>: @unchecked Sendable {
    private struct Mailbox {
        var commands: ContiguousArray<Command> = []
        var isOpen = true
    }

    private let thread: OwnedThread
    private let mailbox = Mutex(Mailbox())
    /// Changed under the mutex, before the thread starts and at its end.
    private var service: LibraryContext?
    private var isStopping = false

    /// Makes a loop that does not run yet; commands are kept until it does.
    init(name: String) {
        thread = OwnedThread(name: name, stackBytes: 1 << 20)
    }

    /// Starts the thread, to which the context belongs from now on. To be called once.
    func start(_ service: sending LibraryContext) {
        mailbox.withLock { _ in self.service = service }
        thread.start { [self] in run() }
    }

    private func run() {
        guard let service else { return }
        if let loop = service.loop {
            while !isStopping { ss_loop_run(loop) }
        } else {
            while !isStopping, lws_service(service.context, 0) >= 0 {}
        }
        mailbox.withLock { box in
            box.isOpen = false
            self.service = nil
        }
        lws_context_destroy(service.context)
        if let loop = service.loop { ss_loop_free(loop) }
        service.atEnd()
    }

    // MARK: From any thread

    /// Queues a command; dropped once the loop has ended.
    func post(_ command: Command) {
        mailbox.withLock { box in
            guard box.isOpen else { return }
            box.commands.append(command)
            // Inside the lock, so that the context is not freed under the call.
            if box.commands.count == 1, let service { lws_cancel_service(service.context) }
        }
    }

    /// Waits until the thread has ended. Not from the thread itself.
    func join() { thread.join() }

    // MARK: On the loop's thread

    /// Traps in debug builds unless the caller runs on the loop's thread, or the loop has not been
    /// started.
    func assertIsOwner() { thread.assertIsOwner() }

    /// Takes everything that is queued.
    func take() -> ContiguousArray<Command> {
        assertIsOwner()
        return mailbox.withLock { box in
            let commands = box.commands
            box.commands = []
            return commands
        }
    }

    /// Has the mailbox looked at once more, after what has come in meanwhile.
    func wake() {
        assertIsOwner()
        if let service { lws_cancel_service(service.context) }
    }

    /// Ends the loop after the present callback.
    func stop() {
        assertIsOwner()
        isStopping = true
        guard let service else { return }
        if let loop = service.loop {
            ss_loop_break(loop)
        } else {
            lws_cancel_service(service.context)
        }
    }
}
