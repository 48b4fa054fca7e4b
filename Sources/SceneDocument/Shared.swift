/// A value that copies have in common until one of them is given another: for large values, of
/// which scenes on several devices hold the same ones.
public struct Shared<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    /// Takes a value in.
    public init(_ value: Value) { box = Box(value) }

    /// The value. Setting it takes memory for another one; other copies keep what they have.
    public var value: Value {
        _read { yield box.value }
        set { box = Box(newValue) }
    }
}

extension Shared: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Shared: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (left: Shared, right: Shared) -> Bool {
        left.box === right.box || left.value == right.value
    }
}
