import SceneDocument
import SceneWire

extension LookGradient {
    /// The colour at a place, in shares of the area's width and height.
    func color(x: Double, y: Double) -> Color {
        guard let first = stops.first, let last = stops.last else { return Color(rgba: 0) }
        let (across, down) = (end.x - start.x, end.y - start.y)
        let length = across * across + down * down
        let share = length > 0 ? ((x - start.x) * across + (y - start.y) * down) / length : 1
        guard share > first.location else { return first.color ?? Color(rgba: 0) }
        for (one, next) in zip(stops, stops.dropFirst()) where share <= next.location {
            let gap = next.location - one.location
            return one.mixed(with: next, gap > 0 ? (share - one.location) / gap : 1)
        }
        return last.color ?? Color(rgba: 0)
    }
}

extension LookStop {
    /// - Parameter share: 0 for the own colour, 1 for the other's.
    fileprivate func mixed(with other: LookStop, _ share: Double) -> Color {
        let (one, two) = (color ?? Color(rgba: 0), other.color ?? Color(rgba: 0))
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return Color(
            r: mix(one.r, two.r), g: mix(one.g, two.g), b: mix(one.b, two.b), a: mix(one.a, two.a))
    }
}
