import Dispatch
import Glibc

/// Watching for signals of the system.
enum SignalWatch {
    /// Has a function called on a queue of the system's at each signal of a kind, which then does
    /// nothing else. When this returns, none is missed any more.
    static func begin(
        _ number: Int32, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        // A source is registered by another thread, on a busy machine a while later; what comes
        // before is ignored.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        return source
    }
}
