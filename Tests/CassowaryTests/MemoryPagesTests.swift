import Glibc
import Testing

@testable import Cassowary

/// Memory that is asked for at once.
@Suite("Pages of memory")
struct MemoryPagesTests {
    private static let size = Int(getpagesize())

    /// Which of some pages the system has handed out.
    private func pagesThere(from start: UnsafeMutableRawPointer, count: Int) throws -> [Bool] {
        var found = [UInt8](repeating: 0, count: count)
        try #require(mincore(start, count * Self.size, &found) == 0)
        return found.map { $0 & 1 == 1 }
    }

    /// Lends pages that nobody has used.
    private func withFreshPages(
        _ count: Int, _ body: (UnsafeMutableRawPointer) throws -> Void
    ) throws {
        let length = count * Self.size
        let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let memory = try #require(start == MAP_FAILED ? nil : start)
        defer { munmap(memory, length) }
        try body(memory)
    }

    /// Whether the system can do it: Linux since 5.14.
    private func canPopulate() throws -> Bool {
        var can = false
        try withFreshPages(1) { can = madvise($0, Self.size, 23) == 0 }
        return can
    }

    @Test("whole pages are there at once, and keep what stands in them")
    func populates() throws {
        let can = try canPopulate()
        try withFreshPages(16) { memory in
            memory.storeBytes(of: 7, toByteOffset: 5 * Self.size, as: UInt8.self)
            MemoryPages.populate(memory + 3 * Self.size + 1, byteCount: 6 * Self.size)
            let there = try pagesThere(from: memory, count: 16)
            #expect(there == (0..<16).map { can ? 4..<9 ~= $0 : $0 == 5 })
            #expect(memory.load(fromByteOffset: 5 * Self.size, as: UInt8.self) == 7)
        }
    }

    @Test("less than a page is left alone")
    func small() throws {
        try withFreshPages(16) { memory in
            MemoryPages.populate(memory + 1, byteCount: Self.size)
            MemoryPages.populate(memory + 8 * Self.size, byteCount: 0)
            let there = try pagesThere(from: memory, count: 16)
            #expect(!there.contains(true))
        }
    }

    @Test("a buffer that makes room has the memory for what is sure to come, and for nothing else")
    func reserves() throws {
        let can = try canPopulate()
        // A gigabyte, which no allocator has free from other tests: it asks the system for it,
        // which hands out what is used.
        let pages = (1 << 30) / Self.size
        let elements = pages * Self.size / MemoryLayout<Double>.stride
        var buffer = Buffer<Double>()
        buffer.reserveCapacity(elements, sure: elements / 1000)
        let first = (Int(bitPattern: buffer.base) + Self.size - 1) / Self.size * Self.size
        let start = try #require(UnsafeMutableRawPointer(bitPattern: first))
        let there = try pagesThere(from: start, count: pages - 2)
        #expect(there.prefix(pages / 1000 - 2).count { $0 } == (can ? pages / 1000 - 2 : 0))
        #expect(!there.dropFirst(pages / 1000 + 1).contains(true))
    }
}
