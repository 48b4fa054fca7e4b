/// Frames as vectors, of which all four numbers are compared and rounded at once.
extension Rect {
    /// The left edge, the top edge, the width and the height, in points.
    @inline(__always)
    var vector: SIMD4<Double> { SIMD4(minX, minY, width, height) }

    @inline(__always)
    init(_ vector: SIMD4<Double>) {
        self.init(x: vector.x, y: vector.y, width: vector.z, height: vector.w)
    }

    /// Whether an edge or a length differs by more than a number of points.
    @inline(__always)
    func differs(from other: Rect, byMoreThan noise: Double) -> Bool {
        any((vector - other.vector).magnitudes .> noise)
    }
}

extension SIMD4<Double> {
    /// Each element without its sign.
    @inline(__always)
    var magnitudes: SIMD4<Double> {
        let bits = unsafe unsafeBitCast(self, to: SIMD4<UInt64>.self)
        return unsafe unsafeBitCast(bits & UInt64(Int64.max), to: SIMD4<Double>.self)
    }
}
