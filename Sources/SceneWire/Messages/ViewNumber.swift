/// The small integer that stands for a view on the wire, within one numbering generation.
public struct ViewNumber: Hashable, Comparable, Sendable {
    /// Below `Limits.viewNumberMaximum`.
    public var rawValue: UInt32

    /// Makes a number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// By value.
    public static func < (left: ViewNumber, right: ViewNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}
