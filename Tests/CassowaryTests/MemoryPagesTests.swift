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
        // A gigabyte, which no allocator has free from other tests: it asks the system for it, which hands out what is used.
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

    /// Addresses for which the system was asked for large pages.
    private static func largeRanges() throws -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var range: Range<UInt>?
        let file = try #require(fopen("/proc/self/smaps", "r"))
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let words = text.split(separator: " ")
            guard let first = words.first else { continue }
            let ends = first.split(separator: "-").map { UInt($0, radix: 16) }
            if ends.count == 2, let low = ends[0], let high = ends[1] { range = low..<high }
            if first == "VmFlags:", words.contains("hg"), let range { ranges.append(range) }
        }
        return ranges
    }

    /// How many of some pieces of 64 KiB lie where large pages were asked for.
    private static func countLarge(of pieceCount: Int) throws -> Int {
        let pieces = (0..<pieceCount).map { _ in malloc(64 << 10) }
        defer { for piece in pieces { free(piece) } }
        let ranges = try largeRanges()
        return pieces.count { piece in ranges.contains { $0.contains(UInt(bitPattern: piece)) } }
    }

    /// In a process of its own, where no other test has left memory free.
    @Test("what is allocated after much was announced lies where large pages were asked for")
    func prepares() async throws {
        var can = false
        try withFreshPages(1) { can = madvise($0, Self.size, MADV_HUGEPAGE) == 0 }
        guard can else { return }
        await #expect(processExitsWith: .success) {
            let before = try MemoryPagesTests.largeRanges()
            MemoryPages.prepareHeap(byteCount: 8 << 20)
            let count = try MemoryPagesTests.countLarge(of: 128)
            #expect(before.isEmpty && count > 100, "\(before), \(count)")
        }
    }

    @Test("little that is announced changes nothing")
    func preparesLittle() async {
        await #expect(processExitsWith: .success) {
            MemoryPages.prepareHeap(byteCount: 1 << 20)
            MemoryPages.prepareHeap(byteCount: 0)
            let count = try MemoryPagesTests.countLarge(of: 64)
            #expect(count == 0)
        }
    }
}
