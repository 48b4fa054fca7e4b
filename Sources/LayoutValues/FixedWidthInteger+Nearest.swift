/// Conversions that end at a type's range instead of trapping: `Int` has 32 bits in a browser.
///
/// Inlinable, since each coordinate of a frame is converted, and a generic call takes a hundred
/// times as long.
extension FixedWidthInteger {
    /// The nearest value to a number, towards zero; 0 for what is no number.
    @inlinable
    package init(nearest number: Double) {
        if number.isNaN {
            self = 0
        } else if number <= Double(Self.min) {
            self = .min
        } else if number >= Double(Self.max) {
            self = .max
        } else {
            self.init(number)
        }
    }

    /// The sum, or the end of the range beyond it.
    @inlinable
    package func saturatingAdd(_ other: Self) -> Self {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        guard isTooMuch else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, or the end of the range beyond it.
    @inlinable
    package func saturatingSubtract(_ other: Self) -> Self {
        let (difference, isTooMuch) = subtractingReportingOverflow(other)
        guard isTooMuch else { return difference }
        return other < 0 ? .max : .min
    }

    /// The product, or the end of the range beyond it.
    @inlinable
    package func saturatingMultiply(by other: Self) -> Self {
        let (product, isTooMuch) = multipliedReportingOverflow(by: other)
        guard isTooMuch else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}
