private import Glibc

/// A lock, and threads that wait with it until others wake them.
///
/// - Source: pthread_cond_wait(3). Waits are measured by the monotonic clock: one set back prolongs
///   none.
@usableFromInline
final class Condition: @unchecked Sendable {
    // `@unchecked`: the C library's calls are what guards these from each other. They must not
    // move, so they have memory of their own.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    @usableFromInline
    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    @usableFromInline
    func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline
    func unlock() { pthread_mutex_unlock(mutex) }

    @usableFromInline
    func signal() { pthread_cond_signal(condition) }

    @usableFromInline
    func broadcast() { pthread_cond_broadcast(condition) }

    /// Gives the lock up until another thread wakes this one, and takes it again. May return for no
    /// reason.
    @usableFromInline
    func wait() { pthread_cond_wait(condition, mutex) }

    /// The same for at most so many nanoseconds.
    ///
    /// - Returns: False once they have passed.
    @usableFromInline
    func wait(nanoseconds: UInt64) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let second: UInt64 = 1_000_000_000
        let fraction = UInt64(end.tv_nsec) + nanoseconds % second
        // Further off than any wait lasts; so no sum overflows.
        let seconds = min(nanoseconds / second, 1 << 32)
        end.tv_sec += Int(seconds + fraction / second)
        end.tv_nsec = Int(fraction % second)
        return pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT
    }
}
