#if hasFeature(Embedded)
/// `Synchronization.Mutex` for modules of one thread: Embedded Swift has no threads and no mutex.
@safe
struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>

    init(_ initial: Value) {
        unsafe value = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe body(&value.pointee)
    }
}
#endif
