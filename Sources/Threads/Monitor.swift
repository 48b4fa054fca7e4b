/// A value behind a lock, with a condition that threads can wait for.
///
/// `Mutex` guards a value but cannot wait; this can. The value is reached inside the closures
/// alone, so that no access escapes the lock. Inlinable, so that the closures cost no call.
///
/// - Source: Hoare, "Monitors: An Operating System Structuring Concept", 1974.
public final class Monitor<Value: Sendable>: @unchecked Sendable {
    // `@unchecked`: `value` is reached by the methods below alone, and each holds the condition's
    // lock.
    @usableFromInline let condition = Condition()
    @usableFromInline var value: Value

    /// What a waiting thread does after it has looked at the value.
    public enum Step<Result> {
        /// Return this.
        case finish(Result)
        /// Sleep until another thread wakes this one.
        case wait
        /// The same, for at most this many nanoseconds.
        case waitAtMost(nanoseconds: UInt64)
    }

    /// Makes a monitor of a first value.
    public init(_ value: Value) { self.value = value }

    /// Reads or changes the value under the lock. Threads that wait for a change have to be woken
    /// afterwards.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&value)
    }

    /// Has one waiting thread look at the value again.
    @inlinable
    public func wake() { condition.signal() }

    /// Has all waiting threads look at the value again.
    @inlinable
    public func wakeAll() { condition.broadcast() }

    /// Calls `body` under the lock until it finishes, and sleeps between two calls.
    ///
    /// - Parameter body: Looks at the value, changes it at will, and says how to go on. Its second
    ///   argument is whether the time of `waitAtMost` has passed since the call before.
    @inlinable
    public func wait<Result>(_ body: (inout Value, _ hasTimedOut: Bool) -> Step<Result>) -> Result {
        condition.lock()
        defer { condition.unlock() }
        var hasTimedOut = false
        while true {
            // No access to the value may span the sleep, during which other threads change it.
            switch body(&value, hasTimedOut) {
            case .finish(let result): return result
            case .wait:
                condition.wait()
                hasTimedOut = false
            case .waitAtMost(let nanoseconds):
                hasTimedOut = !condition.wait(nanoseconds: nanoseconds)
            }
        }
    }
}
