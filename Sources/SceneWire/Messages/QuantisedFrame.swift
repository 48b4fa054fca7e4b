/// A view's frame relative to its superview, in the room's unit: one pixel, or 1/1024 point where
/// frames are not rounded.
public struct QuantisedFrame: Hashable, Sendable {
    /// The four numbers, to be reckoned with at once: left, top, width, height.
    var vector: SIMD4<Int32>

    /// Makes a frame.
    public init(x: Int32, y: Int32, width: Int32, height: Int32) {
        vector = SIMD4(x, y, width, height)
    }

    init(vector: SIMD4<Int32>) { self.vector = vector }

    /// The left edge.
    public var x: Int32 {
        get { vector[0] }
        set { vector[0] = newValue }
    }
    /// The top edge.
    public var y: Int32 {
        get { vector[1] }
        set { vector[1] = newValue }
    }
    /// Horizontal extent.
    public var width: Int32 {
        get { vector[2] }
        set { vector[2] = newValue }
    }
    /// Vertical extent.
    public var height: Int32 {
        get { vector[3] }
        set { vector[3] = newValue }
    }

    /// The empty frame at the origin.
    public static let zero = QuantisedFrame(vector: .zero)
}

extension QuantisedFrame: WireValue {
    init() { self = .zero }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var values: InlineArray = [x, y, width, height]
        try coder.integers("frame", &values)
        self = QuantisedFrame(x: values[0], y: values[1], width: values[2], height: values[3])
    }
}
