#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Pages of memory that the system has not handed out yet.
enum MemoryPages {
    /// Has the system hand out at once what is sure to be used: page by page, at the first use of
    /// each, takes it nearly twice as long.
    ///
    /// A system that cannot do so hands them out later.
    static func populate(_ start: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
        let size = Int(getpagesize())
        let address = Int(bitPattern: start)
        let first = (address + size - 1) / size * size
        let end = (address + byteCount) / size * size
        guard end > first else { return }
        // `MADV_POPULATE_WRITE`, since Linux 5.14; headers may be older.
        _ = unsafe madvise(start + (first - address), end - first, 23)
        #endif
    }
}
