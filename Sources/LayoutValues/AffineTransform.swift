/// A map of the plane that keeps straight lines straight. Apple, `CGAffineTransform`.
///
/// A point (x, y) goes to (a·x + c·y + tx, b·x + d·y + ty).
public struct AffineTransform: Hashable, Sendable {
    /// The part of x in the new x.
    public var a: Double
    /// The part of x in the new y.
    public var b: Double
    /// The part of y in the new x.
    public var c: Double
    /// The part of y in the new y.
    public var d: Double
    /// Added to x, in points.
    public var tx: Double
    /// Added to y, in points.
    public var ty: Double

    /// The map that moves nothing.
    public static var identity: AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    }

    /// Makes a map of its six numbers.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// Scales, then turns, then moves.
    ///
    /// - Parameters:
    ///   - degrees: Clockwise, as the y axis points down. Multiples of 90 are exact.
    ///   - scale: The factors of x and y.
    ///   - translation: In points.
    public init(degrees: Double, scale: Point, translation: Point) {
        let (sine, cosine) = DeterministicMath.sineAndCosine(degrees: degrees)
        self.init(
            a: cosine * scale.x, b: sine * scale.x, c: -sine * scale.y, d: cosine * scale.y,
            tx: translation.x, ty: translation.y)
    }

    /// Whether it moves nothing.
    public var isIdentity: Bool { self == .identity }

    /// Where a point goes.
    public func apply(to point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// The map that takes everything back; nil where an area has become none.
    public var inverse: AffineTransform? {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }

    /// The smallest rectangle around a size that is mapped about its centre.
    ///
    /// - Parameter center: Where the centre is before it is moved.
    public func bounds(of size: Size, around center: Point) -> Rect {
        let width = a.magnitude * size.width + c.magnitude * size.height
        let height = b.magnitude * size.width + d.magnitude * size.height
        return Rect(
            x: center.x + tx - width / 2, y: center.y + ty - height / 2, width: width,
            height: height)
    }
}
