private import CThreads
private import Glibc
import Synchronization

/// A thread with a name and a stack of its own that can tell whether the caller runs on it.
///
/// State that belongs to one thread is either created on that thread, in the body that `start`
/// takes, or guarded by `assertIsOwner()` at every door through which other code reaches it. The
/// check runs in debug builds and tests, and costs nothing in release builds.
public final class OwnedThread: Sendable {
    /// The name that debuggers and `top -H` show, cut to 15 bytes by Linux.
    public let name: String

    private let stackBytes: Int
    private let stepsBack: Bool
    /// Set by the thread itself, for as long as it runs.
    private let stepBack = Mutex<StepBack?>(nil)
    private let owner = Atomic<UInt>(Owner.notStarted)
    private let hasEnded = Monitor(false)

    /// Values of `owner` that no thread's handle has: a handle is the address of a structure.
    private enum Owner {
        static let notStarted: UInt = 0
        static let starting: UInt = 1
        static let ended: UInt = 2
    }

    /// Describes a thread; nothing runs before `start`.
    ///
    /// - Parameters:
    ///   - stackBytes: A multiple of the page size; at least 16 KiB on Linux, which backs with
    ///     memory only the pages that are used.
    ///   - stepsBack: Whether it leaves the processors to every other thread that wants them, as
    ///     `keepShare` has it.
    public init(name: String, stackBytes: Int = 8 << 20, stepsBack: Bool = false) {
        self.name = name
        self.stackBytes = stackBytes
        self.stepsBack = stepsBack
    }

    /// Starts the thread, which runs `body` and ends.
    ///
    /// `body` may capture values that are not `Sendable` and that the caller gives away: they
    /// belong to the thread from here on.
    ///
    /// - Precondition: Called once.
    public func start(_ body: sending @escaping () -> Void) {
        let (isFirst, _) = owner.compareExchange(
            expected: Owner.notStarted, desired: Owner.starting, ordering: .relaxed)
        precondition(isFirst, "the thread \(name) was started before")
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The new thread takes it over.
        let start = Unmanaged.passRetained(Start(self, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        precondition(code == 0, "no thread \(name): \(String(cString: strerror(code)))")
    }

    /// What goes to the new thread. It is used there alone once the thread was made, and by nobody
    /// before.
    private final class Start {
        private let thread: OwnedThread
        private var body: (() -> Void)?

        init(_ thread: OwnedThread, _ body: @escaping () -> Void) {
            self.thread = thread
            self.body = body
        }

        func run() {
            thread.begin()
            // What the body holds goes before the thread counts as ended.
            if let body {
                self.body = nil
                body()
            }
            thread.end()
        }
    }

    private func begin() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        nameCurrentThread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
        if stepsBack { stepBack.withLock { $0 = StepBack() } }
    }

    /// Sees to it that a thread that steps back gets at least about a tenth of a processor while it
    /// has something to do, whatever else the machine does: where it had less since the last call,
    /// it is scheduled like others until the next. To be called at intervals, from any thread;
    /// without effect on a thread that does not step back.
    ///
    /// - Parameter isBusy: Whether the thread has something to do.
    public func keepShare(isBusy: Bool) {
        stepBack.withLock { $0?.keepShare(isBusy: isBusy) }
    }

    private func end() {
        stepBack.withLock { $0 = nil }
        owner.store(Owner.ended, ordering: .relaxed)
        hasEnded.withLock { $0 = true }
        hasEnded.wakeAll()
    }

    /// Waits until the body has returned; returns at once afterwards. Any number of threads may
    /// wait.
    ///
    /// - Precondition: Not called on the thread itself, which would wait for ever.
    public func join() {
        precondition(!isCurrent, "the thread \(name) waits for its own end")
        hasEnded.wait { hasEnded, _ in hasEnded ? .finish(()) : .wait }
    }

    /// Whether `start` was called.
    public var hasStarted: Bool { owner.load(ordering: .relaxed) != Owner.notStarted }

    /// Whether the caller runs on the thread.
    public var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Whether the caller may touch the thread's state: it runs on the thread, or the thread has
    /// not been started, so that the state still belongs to the code that sets it up.
    public var isOwner: Bool {
        isCurrent || owner.load(ordering: .relaxed) == Owner.notStarted
    }

    /// Traps in debug builds unless the caller may touch the thread's state; compiled out in
    /// release builds.
    @inlinable
    public func assertIsOwner(file: StaticString = #fileID, line: UInt = #line) {
        assert(
            isOwner, "state of the thread \(name) was touched from another thread", file: file,
            line: line)
    }
}
