import Glibc
import Testing

@testable import Cassowary

/// Memory that the allocator has ready.
@Suite("Ready memory")
struct ReadyMemoryTests {
    private static let page = Int(getpagesize())

    /// Whether the system has handed out all whole pages of some memory.
    private func isThere(_ start: UnsafeMutableRawPointer, byteCount: Int) -> Bool {
        let address = Int(bitPattern: start)
        let first = (address + Self.page - 1) / Self.page * Self.page
        let count = (address + byteCount) / Self.page - first / Self.page
        var found = [UInt8](repeating: 0, count: count)
        guard mincore(start + (first - address), count * Self.page, &found) == 0 else {
            return false
        }
        return found.allSatisfy { $0 & 1 == 1 }
    }

    /// Whether the system can hand memory out at once: Linux since 5.14.
    private func canPopulate() throws -> Bool {
        let memory = mmap(
            nil, Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        try #require(memory != MAP_FAILED)
        defer { munmap(memory, Self.page) }
        return madvise(memory, Self.page, 23) == 0
    }

    @Test("what is taken is there, and as much as was asked for")
    func taken() throws {
        let pieces = ReadyMemory.take(byteCount: 3_000_000)
        defer { for piece in pieces { free(piece) } }
        // By hand: 26 pieces of 112 KiB are 2,981,888 bytes, 27 would be more than was asked for.
        #expect(pieces.count == 26)
        try #require(try canPopulate())
        for piece in pieces {
            #expect(isThere(piece, byteCount: ReadyMemory.pieceByteCount))
        }
    }

    @Test("what is given back stays there, and is made use of")
    func given() throws {
        try #require(try canPopulate())
        // Other tests have the allocator give back what is free, so that one attempt may meet that.
        let attempts = (0..<5).map { _ in
            let pieces = ReadyMemory.take(byteCount: 3_000_000)
            let ready = ReadyMemory(pieces)
            defer { withExtendedLifetime(ready) {} }
            let stay = pieces.allSatisfy { isThere($0, byteCount: ReadyMemory.pieceByteCount) }
            // What fits better, from tests before, is made use of before.
            var taken: [UnsafeMutableRawPointer] = []
            defer { for piece in taken { free(piece) } }
            var isUsed = false
            while !isUsed, taken.count < 2000, let piece = malloc(ReadyMemory.pieceByteCount) {
                taken.append(piece)
                isUsed = pieces.contains { piece <= $0 && $0 < piece + ReadyMemory.pieceByteCount }
            }
            return [stay, isUsed]
        }
        #expect(attempts.contains([true, true]))
    }

    @Test("too little for a piece is none")
    func little() {
        #expect(ReadyMemory.take(byteCount: 0).isEmpty)
        #expect(ReadyMemory.take(byteCount: ReadyMemory.pieceByteCount).isEmpty)
        _ = ReadyMemory([])
    }
}
