extension Array where Element: BitwiseCopyable {
    /// Removes the elements and keeps the memory for the next ones.
    ///
    /// A few are taken one by one: `removeAll(keepingCapacity:)` is the general replacement of a
    /// range, 60 to 130 instructions long.
    @inline(__always)
    mutating func empty() {
        if count > 8 { return removeAll(keepingCapacity: true) }
        while !isEmpty { removeLast() }
    }
}
