#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asking the system for pages of memory.
package enum MemoryPages {
    /// Has the system hand out at once what is sure to be used: page by page, at the first use of each, takes it nearly twice as long.
    ///
    /// A system that cannot do so hands them out later.
    static func populate(_ start: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
        // `MADV_POPULATE_WRITE`, since Linux 5.14; headers may be older.
        unsafe advise(start, byteCount: byteCount, 23)
        #endif
    }

    /// The size of a large page, where the processor has them: on x86-64, and on ARM with pages of 4 KiB.
    private static let largePageSize = 2 << 20
    /// As much as glibc can be brought to take from its heap in one piece (`DEFAULT_MMAP_THRESHOLD_MAX`), less what it adds.
    private static let heapPieceMaximum = (32 << 20) - (64 << 10)

    /// Has what is allocated next come from large pages, if it is much: a new layout's objects and lists, which are used all over at
    /// once. The system then hands out 2 MiB at a time, and the processor finds a place with fewer steps.
    ///
    /// A hint. Where the system has no large pages for who asks (`/sys/kernel/mm/transparent_hugepage/enabled` says `never`), or the
    /// allocator is not glibc's, nothing happens. No memory is taken before it is used.
    ///
    /// - Parameter byteCount: How much is going to be allocated, about.
    package static func prepareHeap(byteCount: Int) {
        #if os(Linux) && canImport(Glibc)
        guard byteCount >= largePageSize else { return }
        // So that as many whole pages lie in it, wherever it begins.
        let size = min(byteCount + largePageSize, heapPieceMaximum)
        // The first piece may lie beside the heap. Once such a one is given back, glibc takes pieces of its size from the heap, and
        // leaves up to twice as much there when they are given back (`mallopt(3)`, `M_MMAP_THRESHOLD`).
        for _ in 0..<2 {
            guard let piece = unsafe malloc(size) else { return }
            unsafe advise(piece, byteCount: size, MADV_HUGEPAGE)
            unsafe free(piece)
        }
        #endif
    }

    #if os(Linux)
    /// Gives the system advice about the whole pages of a piece of memory; it may not take it.
    private static func advise(
        _ start: UnsafeMutableRawPointer, byteCount: Int, _ advice: CInt
    ) {
        let size = Int(getpagesize())
        let address = Int(bitPattern: start)
        let first = (address + size - 1) / size * size
        let end = (address + byteCount) / size * size
        guard end > first else { return }
        _ = unsafe madvise(start + (first - address), end - first, advice)
    }
    #endif
}
