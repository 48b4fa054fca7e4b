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

/// A growable array of plain values in memory of its own.
///
/// The standard array shares storage and therefore checks at every write whether it is the only
/// owner, which costs more than the arithmetic in the loops of this module. A buffer has one owner;
/// every index is checked all the same.
///
/// Modules of the package that use it compile it for their own elements. The type of these is not
/// private, in this module at least: in a debug build the compiler of Swift 6.3 crashes on a buffer
/// of private elements in a structure without copies.
@safe
@frozen
@usableFromInline
package struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline package internal(set) var count = 0

    @inlinable
    package init() {
        unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: 8)
        capacity = 8
    }

    init(copying other: borrowing Buffer) {
        capacity = max(8, other.count)
        count = other.count
        unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        unsafe base.initialize(from: other.base, count: count)
    }

    @inlinable deinit { unsafe base.deallocate() }

    @inlinable
    @inline(__always)
    package subscript(index: Int32) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count))
            return unsafe UnsafePointer(base + Int(index))
        }
        unsafeMutableAddress {
            precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count))
            return unsafe base + Int(index)
        }
    }

    @inlinable
    @inline(__always)
    package subscript(index: Int) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe UnsafePointer(base + index)
        }
        unsafeMutableAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return unsafe base + index
        }
    }

    /// Changes an element with one look at the index.
    @inline(__always)
    mutating func modify<Result>(_ index: Int32, _ body: (inout Element) -> Result) -> Result {
        precondition(UInt(bitPattern: Int(index)) < UInt(bitPattern: count))
        return unsafe body(&base[Int(index)])
    }

    /// Has the processor bring an element closer that is looked at soon.
    @inline(__always)
    func prefetch(_ index: Int32) { unsafe prefetchLine(base + Int(index)) }

    @inlinable package var isEmpty: Bool { count == 0 }
    /// Bytes of memory that the buffer holds, for elements to come too.
    var byteCount: Int { capacity * MemoryLayout<Element>.stride }
    @inlinable package var indices: Range<Int> { 0..<count }

    @inlinable
    @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { reserve(2 * capacity) }
        unsafe (base + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always)
    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count &-= 1
        return unsafe base[count]
    }

    /// Forgets the elements and keeps the memory.
    @inlinable
    @inline(__always)
    package mutating func removeAll() { count = 0 }

    /// Gives back memory for more than `maximum` elements, if there are none: all of it, for other
    /// memory, as what would be left at its place could lie in the middle of what is free.
    @inlinable
    package mutating func release(beyond maximum: Int) {
        guard count == 0, capacity > maximum else { return }
        unsafe base.deallocate()
        unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: maximum)
        capacity = maximum
    }

    /// Keeps the first `length` elements.
    mutating func truncate(to length: Int) {
        precondition(length >= 0 && length <= count)
        count = length
    }

    /// Removes the elements that meet a condition; the others keep their order.
    ///
    /// - Parameters:
    ///   - lookingAhead: Is given each element but the first four, four places before its turn, to
    ///     prefetch memory that it refers to.
    ///   - isUnwanted: The condition.
    @inlinable
    package mutating func removeAll(
        lookingAhead: (Element) -> Void = { _ in }, where isUnwanted: (Element) -> Bool
    ) {
        var kept = 0
        for index in 0..<count {
            if index + 4 < count { unsafe lookingAhead(base[index + 4]) }
            guard unsafe !isUnwanted(base[index]) else { continue }
            unsafe base[kept] = base[index]
            kept += 1
        }
        count = kept
    }

    /// Reverses the order of the elements.
    mutating func reverse() {
        var elements = unsafe UnsafeMutableBufferPointer(start: base, count: count)
        unsafe elements.reverse()
    }

    /// Makes the buffer at least `length` long.
    @inlinable
    package mutating func grow(to length: Int, filling element: Element) {
        guard length > count else { return }
        if length > capacity { reserve(max(length, 2 * capacity)) }
        unsafe (base + count).initialize(repeating: element, count: length - count)
        count = length
    }

    /// Makes room for so many elements in all, if there is not.
    ///
    /// - Parameter sure: How many elements there will be for sure; memory for them is taken at
    ///   once.
    package mutating func reserveCapacity(_ length: Int, sure: Int = 0) {
        guard length > capacity else { return }
        reserve(length)
        guard sure > count else { return }
        unsafe MemoryPages.populate(
            base + count, byteCount: (sure - count) * MemoryLayout<Element>.stride)
    }

    /// Sets every element.
    mutating func fill(with element: Element) {
        unsafe base.update(repeating: element, count: count)
    }

    /// Gives back the memory that is kept for elements to come, if it is worth moving the others.
    mutating func trim() {
        let needed = max(8, count)
        if capacity > needed + needed / 8 { reserve(needed) }
    }

    /// Sorts the elements from a position on, if there are any.
    mutating func sort(from start: Int = 0, by areInIncreasingOrder: (Element, Element) -> Bool) {
        guard start < count else { return }
        var elements = unsafe UnsafeMutableBufferPointer(start: base + start, count: count - start)
        unsafe elements.sort(by: areInIncreasingOrder)
    }

    @inlinable
    package mutating func sort() where Element: Comparable {
        var elements = unsafe UnsafeMutableBufferPointer(start: base, count: count)
        unsafe elements.sort()
    }

    @usableFromInline
    mutating func reserve(_ length: Int) {
        guard let larger = unsafe realloc(base, length * MemoryLayout<Element>.stride) else {
            preconditionFailure("out of memory")
        }
        unsafe base = larger.assumingMemoryBound(to: Element.self)
        capacity = length
    }
}
