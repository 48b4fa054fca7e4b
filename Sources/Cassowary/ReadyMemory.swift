#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif hasFeature(Embedded)
import CMemory
#endif

/// Memory that the allocator has ready for objects which are about to be made, handed out by the
/// system at once.
///
/// An allocator grows by a little, and the system hands out each page when something is first
/// written to it, which takes it nearly twice as long as handing out many. So pieces of memory are
/// taken and given back, and the allocator makes objects of them. What is free at the end of its
/// memory it would give back to the system: so the end of the last piece is kept as long as this
/// is.
@safe package final class ReadyMemory {
    /// Larger pieces an allocator may take from the system, and give back to it, one by one.
    static let pieceByteCount = 112 << 10
    private static let endByteCount = 64

    private let end: UnsafeMutableRawPointer?

    /// Has the allocator keep so many bytes ready; none where they are too few to be worth it, or
    /// cannot be had.
    ///
    /// - Complexity: O(`byteCount`).
    package convenience init(byteCount: Int) { unsafe self.init(Self.take(byteCount: byteCount)) }

    /// Gives pieces back to the allocator, but for the end of the last one.
    init(_ pieces: [UnsafeMutableRawPointer]) {
        unsafe end = unsafe pieces.last.map { unsafe realloc($0, Self.endByteCount) ?? $0 }
        for index in unsafe pieces.indices.dropLast() { unsafe free(pieces[index]) }
    }

    deinit { unsafe free(end) }

    /// Takes pieces one behind another, with pages that are there.
    static func take(byteCount: Int) -> [UnsafeMutableRawPointer] {
        let count = byteCount / pieceByteCount
        guard count > 1 else { return unsafe [] }
        var pieces: [UnsafeMutableRawPointer] = unsafe []
        unsafe pieces.reserveCapacity(count)
        for _ in 0..<count {
            guard let piece = unsafe malloc(pieceByteCount) else { break }
            unsafe MemoryPages.populate(piece, byteCount: pieceByteCount)
            unsafe pieces.append(piece)
        }
        return unsafe pieces
    }
}
