/// Estimates how many bits numbers take in a body, by which the encoder chooses between forms.
enum FieldBits {
    /// A second section of rows: a count and two more parameters.
    static let section = 24

    /// A citation: a slot some distance from the last, how many deltas, and those.
    static func citation(_ deltas: FieldDeltas) -> Int {
        6 + 2 * deltas.count + bits(deltas)
    }

    /// By how many bits new values are shorter than deltas, of the numbers that change.
    @inline(__always)
    static func saved(_ delta: SIMD4<Int32>, _ new: SIMD4<Int32>) -> Int {
        let chosen = new & FieldMask.lanes(ofNonzero: delta)
        // Mostly a view moves by less than it is away from the corner.
        if BinaryEncoder.zigzag(delta).wrappedSum() <= BinaryEncoder.zigzag(chosen).wrappedSum() {
            return 0
        }
        return bits(delta) &- bits(chosen)
    }

    private static func bits(_ deltas: FieldDeltas) -> Int {
        var bits = 0
        for index in 0..<deltas.count {
            bits += Self.bits(deltas[index])
        }
        return bits
    }

    @inline(__always)
    private static func bits(_ values: SIMD4<Int32>) -> Int {
        let numbers = BinaryEncoder.zigzag(values)
        return bits(numbers[0]) &+ bits(numbers[1]) &+ bits(numbers[2]) &+ bits(numbers[3])
    }

    @inline(__always)
    private static func bits(_ value: UInt32) -> Int {
        UInt32.bitWidth &- value.leadingZeroBitCount
    }

    private static func bits(_ value: Int32) -> Int {
        UInt32.bitWidth - BinaryEncoder.zigzag(value).leadingZeroBitCount
    }
}
