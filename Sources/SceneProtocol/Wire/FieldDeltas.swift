/// One to four numbers of a frame, in the order x, y, width, height; which ones, a mask says. Held in place, so that
/// a row costs no memory of its own.
public struct FieldDeltas: Hashable, Sendable, RandomAccessCollection {
    private var first: Int32 = 0
    private var second: Int32 = 0
    private var third: Int32 = 0
    private var fourth: Int32 = 0
    private var length: UInt8 = 0

    /// The most that fit.
    public static let countMaximum = 4

    /// Makes an empty list.
    public init() {}

    /// Makes a list of the first four of `values`.
    public init(_ values: some Sequence<Int32>) {
        for value in values.prefix(Self.countMaximum) { append(value) }
    }

    /// How many there are.
    public var count: Int { Int(length) }
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { Int(length) }

    /// One of the numbers; 0 beyond the last.
    public subscript(index: Int) -> Int32 {
        switch index {
        case 0: first
        case 1: second
        case 2: third
        case 3: fourth
        default: 0
        }
    }

    /// Adds a number; a fifth is dropped.
    public mutating func append(_ value: Int32) {
        switch length {
        case 0: first = value
        case 1: second = value
        case 2: third = value
        case 3: fourth = value
        default: return
        }
        length += 1
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
