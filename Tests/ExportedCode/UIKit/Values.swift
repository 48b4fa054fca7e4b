import AutoLayout
// As the real one does.
@_exported public import Foundation

public struct UILayoutPriority: Hashable, Sendable {
    public let rawValue: Float
    public init(_ rawValue: Float) { self.rawValue = rawValue }
}

public struct CGColor: Hashable, Sendable {
    let red, green, blue, alpha: CGFloat
}

public struct UIColor: Hashable, Sendable {
    public let cgColor: CGColor

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        cgColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
}

public final class CALayer {
    public var borderWidth: CGFloat = 0
    public var cornerRadius: CGFloat = 0
    public var borderColor: CGColor?
}

public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    public var top, leading, bottom, trailing: CGFloat

    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }

    init(_ insets: EdgeInsets) {
        self.init(
            top: CGFloat(insets.top), leading: CGFloat(insets.leading),
            bottom: CGFloat(insets.bottom), trailing: CGFloat(insets.trailing))
    }

    var insets: EdgeInsets {
        EdgeInsets(
            top: Double(top), leading: Double(leading), bottom: Double(bottom),
            trailing: Double(trailing))
    }
}
