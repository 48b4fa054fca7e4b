import CPrefetch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif hasFeature(Embedded)
import CMemory
#endif

/// For each of many places an index, or -1 for none.
///
/// It is for tables of which most layouts use a small part. None is kept as zero, and a long table
/// lies in memory that the system hands out as zeros and that takes room only once something else
/// is written there: a table in which little stands is small however long.
@safe
struct IndexTable: ~Copyable {
    /// Each place's index and one. In a long table all memory beyond the places is zero.
    private var base: UnsafeMutablePointer<Int32>
    private var capacity = 8
    private(set) var count = 0

    /// How many places a long table has room for: memory for fewer comes out of what was used
    /// before, and clearing it takes longer than filling in what is new.
    private static let longCapacity = 32_768
    private var isLong: Bool { capacity >= Self.longCapacity }

    init() { unsafe base = UnsafeMutablePointer<Int32>.allocate(capacity: 8) }

    init(copying other: borrowing IndexTable) {
        capacity = max(8, other.count)
        count = other.count
        if capacity >= Self.longCapacity {
            unsafe base = Self.zeros(capacity)
            unsafe Self.copy(other.base, to: base, count: count)
        } else {
            unsafe base = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
            unsafe base.initialize(from: other.base, count: count)
        }
    }

    deinit { unsafe free(base) }

    @inline(__always)
    subscript(place: Int32) -> Int32 {
        get {
            precondition(UInt(bitPattern: Int(place)) < UInt(bitPattern: count))
            return unsafe base[Int(place)] &- 1
        }
        set {
            precondition(UInt(bitPattern: Int(place)) < UInt(bitPattern: count))
            unsafe base[Int(place)] = newValue &+ 1
        }
    }

    /// The index of a place; where there was none, the one that is given from now on. With one look
    /// at the place.
    @inline(__always)
    mutating func index(of place: Int32, orInsert new: Int32) -> Int32 {
        precondition(UInt(bitPattern: Int(place)) < UInt(bitPattern: count))
        let known = unsafe base[Int(place)] &- 1
        if known < 0 { unsafe base[Int(place)] = new &+ 1 }
        return known
    }

    /// Has the processor bring a place closer that is looked at soon.
    @inline(__always)
    func prefetch(_ place: Int32) { unsafe prefetchLine(base + Int(place)) }

    var places: Range<Int32> { 0..<Int32(count) }
    /// Bytes of memory that the table can come to take, for places to come too.
    var byteCount: Int { capacity * MemoryLayout<Int32>.stride }

    /// Makes the table at least `length` places long; new ones have none.
    mutating func grow(to length: Int) {
        guard length > count else { return }
        if length > capacity { reserve(max(length, 2 * capacity)) }
        if !isLong { unsafe (base + count).initialize(repeating: 0, count: length - count) }
        count = length
    }

    /// Makes room for so many places in all, if there is not. What is not a long table takes its
    /// memory at once.
    mutating func reserveCapacity(_ length: Int) {
        guard length > capacity else { return }
        reserve(length)
        guard !isLong else { return }
        unsafe MemoryPages.populate(
            base + count, byteCount: (length - count) * MemoryLayout<Int32>.stride)
    }

    /// Has all places have none.
    mutating func removeAll() {
        unsafe Self.forEachUsedBlock(of: base, count) { block, length in
            unsafe block.update(repeating: 0, count: length)
        }
    }

    /// Gives back the memory that is kept for places to come, if it is worth moving the others.
    mutating func trim() {
        let needed = max(8, count)
        if capacity > needed + needed / 8 { resize(to: needed) }
    }

    // MARK: Memory

    private mutating func reserve(_ length: Int) {
        guard length >= Self.longCapacity else { return resize(to: length) }
        let larger = unsafe Self.zeros(length)
        unsafe Self.copy(base, to: larger, count: count)
        unsafe free(base)
        unsafe base = larger
        capacity = length
    }

    /// Makes the memory longer, but not as long as a long table's, or shorter.
    private mutating func resize(to length: Int) {
        guard let memory = unsafe realloc(base, length * MemoryLayout<Int32>.stride) else {
            preconditionFailure("out of memory")
        }
        unsafe base = memory.assumingMemoryBound(to: Int32.self)
        capacity = length
    }

    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Int32> {
        guard let memory = unsafe calloc(count, MemoryLayout<Int32>.stride) else {
            preconditionFailure("out of memory")
        }
        return unsafe memory.bindMemory(to: Int32.self, capacity: count)
    }

    /// Copies what is not zero, into zeros.
    private static func copy(
        _ source: UnsafeMutablePointer<Int32>, to target: UnsafeMutablePointer<Int32>, count: Int
    ) {
        unsafe forEachUsedBlock(of: source, count) { block, length in
            unsafe (target + (block - source)).update(from: block, count: length)
        }
    }

    /// Goes through the pages of memory in which anything stands; reading the others has them take
    /// no room.
    @inline(__always)
    private static func forEachUsedBlock(
        of places: UnsafeMutablePointer<Int32>, _ count: Int,
        _ body: (UnsafeMutablePointer<Int32>, Int) -> Void
    ) {
        var start = 0
        while start < count {
            let length = min(1024, count - start)
            let block = unsafe places + start
            var union: Int32 = 0
            for index in 0..<length { unsafe union |= block[index] }
            if union != 0 { unsafe body(block, length) }
            start += length
        }
    }
}
