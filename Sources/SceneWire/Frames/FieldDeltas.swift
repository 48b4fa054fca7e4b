/// One to four numbers of a frame, in the order x, y, width, height; which ones, a mask says. Held
/// in place, so that a row costs no memory of its own.
public struct FieldDeltas: Hashable, Sendable, RandomAccessCollection {
    /// 0 from `length` on.
    private var storage = SIMD4<Int32>.zero
    private var length: UInt8 = 0

    /// The most that fit.
    public static let countMaximum = 4

    /// Makes an empty list.
    public init() {}

    /// Makes a list of the first four of `values`.
    public init(_ values: some Sequence<Int32>) {
        for value in values.prefix(Self.countMaximum) { append(value) }
    }

    /// The numbers that are not 0, in their order.
    ///
    /// - Parameter mask: Which ones those are.
    @inline(__always)
    init(nonzeroOf delta: SIMD4<Int32>, _ mask: FieldMask) {
        length = UInt8(truncatingIfNeeded: mask.countOfFour)
        // From the back, so that each 0 is closed up by those after it; two numbers are a word.
        let words = SIMD4<UInt32>(truncatingIfNeeded: delta).words
        var (front, back) = (words[0], words[1])
        if mask.rawValue & 4 == 0 { back &>>= 32 }
        if mask.rawValue & 2 == 0 { (front, back) = (front | back &<< 32, back &>> 32) }
        if mask.rawValue & 1 == 0 { (front, back) = (front &>> 32 | back &<< 32, back &>> 32) }
        storage = SIMD4(truncatingIfNeeded: SIMD4<UInt32>(words: SIMD2(front, back)))
    }

    /// How many there are.
    public var count: Int { Int(length) }
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { Int(length) }

    /// One of the numbers; 0 beyond the last.
    public subscript(index: Int) -> Int32 {
        index >= 0 && index < Self.countMaximum ? storage[index] : 0
    }

    /// The numbers as they are written; 0 beyond the last.
    @inline(__always)
    var zigzag: SIMD4<UInt32> { BinaryEncoder.zigzag(storage) }

    /// All ones in the place of each number; 0 beyond the last.
    @inline(__always)
    var lanes: SIMD4<UInt32> {
        // The signs of places less the length: comparing them would become branches, which cannot
        // be predicted.
        let places = SIMD4<Int32>(0, 1, 2, 3)
        let signs = (places &- SIMD4(repeating: Int32(length))) &>> 31
        return SIMD4(truncatingIfNeeded: signs)
    }

    /// Adds other numbers to these, modulo 2^32; `other` has as many.
    mutating func add(_ other: FieldDeltas) { storage &+= other.storage }

    /// Takes other numbers from these, modulo 2^32; `other` has as many.
    @inline(__always)
    func subtracting(_ other: FieldDeltas) -> FieldDeltas {
        var result = self
        result.storage &-= other.storage
        return result
    }

    /// Adds a number; a fifth is dropped.
    public mutating func append(_ value: Int32) {
        guard length < Self.countMaximum else { return }
        storage[Int(length)] = value
        length &+= 1
    }
}

extension FieldDeltas: ExpressibleByArrayLiteral {
    /// Makes a list of at most four numbers.
    public init(arrayLiteral elements: Int32...) {
        self.init(elements)
    }
}

extension FieldDeltas: CustomStringConvertible {
    /// As a list of numbers.
    public var description: String { "\(Array(self))" }
}
