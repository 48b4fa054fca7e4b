import CMalloc

/// Makes something, and says how many bytes the process has allocated more with it than without.
///
/// Only to be had in a process in which nothing else goes on, such as that of an exit test.
public func allocating<Value>(_ make: () throws -> Value) rethrows -> (value: Value, bytes: Int) {
    let before = Int(heapBytesInUse())
    let value = try make()
    return (value, Int(heapBytesInUse()) - before)
}

/// What takes more or less memory than was estimated.
public struct WrongEstimate: Error {
    let estimate: Int
    let allocated: Int
}

/// Expects an estimate of at least three quarters of what is allocated, and of one and a half times
/// that at most: what is forgotten in an estimate is more where it is most of what there is.
public func expect(_ estimate: Int, isAbout allocated: Int) throws {
    guard allocated > 0, estimate * 4 >= allocated * 3, estimate * 2 <= allocated * 3 else {
        throw WrongEstimate(estimate: estimate, allocated: allocated)
    }
}
