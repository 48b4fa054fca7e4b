import Cassowary

/// The places of items as the solver has found them.
extension LayoutEngine {
    /// The item's place according to the solver now, in the coordinates of its superview; it may
    /// run ahead of the frame that the view shows.
    func solvedFrame(of item: LayoutItem) -> Rect {
        solveIfNeeded()
        return publishedFrame(of: item)
    }

    /// The item's place as of the last solve.
    @inline(__always)
    func publishedFrame(of item: LayoutItem) -> Rect {
        guard let variables = item.variables else { return .zero }
        let found = snapped(
            variables.areInOrder
                ? solver.values(ofFourFrom: variables.x)
                : SIMD4(
                    solver.value(of: variables.x), solver.value(of: variables.y),
                    solver.value(of: variables.width), solver.value(of: variables.height)))
        return Rect(found)
    }

    /// Removes the rounding noise of pivoting: a value within a relative 1e-8 of a 1/1024 point is
    /// that number. Without this, 10.5 may come out as 10.499999999999998 and be shown a pixel off.
    func snapped(_ value: Double) -> Double { snapped(SIMD4(repeating: value)).x }

    /// The same for four.
    @inline(__always)
    private func snapped(_ value: SIMD4<Double>) -> SIMD4<Double> {
        // Values end at 1e9, so that the sum's unit is one: it rounds, without a call, as
        // `rounded()` does but for halves, which are far from any multiple.
        let shift = 0x1.8p52
        let nearest = (value * 1024 + shift - shift) * (1.0 / 1024)
        // Most values are such numbers, or whole ones.
        if all(nearest .== value) { return nearest + 0 }
        let tolerance = 1e-8 * (1 + value.magnitudes)
        return value.replacing(
            with: nearest + 0, where: (nearest - value).magnitudes .<= tolerance)
    }
}
