import SceneDocument

// The engine's results can exceed the range of documents and ops, such as the size of a text on a
// grid of large cells. Exports contain the nearest value in range.

extension Rect {
    /// The nearest rectangle in a document's range.
    var writable: Rect {
        Rect(
            origin: Point(x: writableNumber(minX), y: writableNumber(minY)), size: size.writable)
    }
}

extension Size {
    /// The nearest size in a document's range.
    var writable: Size {
        Size(width: max(0, writableNumber(width)), height: max(0, writableNumber(height)))
    }
}

private func writableNumber(_ value: Double) -> Double {
    guard !value.isNaN else { return 0 }
    return min(max(value, -Limits.numberMaximum), Limits.numberMaximum)
}
