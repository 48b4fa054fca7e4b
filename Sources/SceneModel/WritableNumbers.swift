import SceneProtocol

// What the engine works out can lie beyond what documents and ops may say, such as the size of a text on a grid of large
// cells. What is kept of it for exports is the nearest that they can say.

extension Rect {
    /// The nearest rectangle that a document can hold.
    var writable: Rect {
        Rect(
            origin: Point(x: writableNumber(minX), y: writableNumber(minY)), size: size.writable)
    }
}

extension Size {
    /// The nearest size that a document can hold.
    var writable: Size {
        Size(width: max(0, writableNumber(width)), height: max(0, writableNumber(height)))
    }
}

private func writableNumber(_ value: Double) -> Double {
    guard !value.isNaN else { return 0 }
    return min(max(value, -Limits.numberMaximum), Limits.numberMaximum)
}
