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

    private static var any: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 1) }
    public static var label: UIColor { any }
    public static var secondaryLabel: UIColor { any }
    public static var separator: UIColor { any }
    public static var systemGreen: UIColor { any }
    public static var tintColor: UIColor { any }
}

/// Applies what was asked for last first, as Core Graphics does.
public struct CGAffineTransform: Hashable, Sendable {
    var affine: AutoLayout.AffineTransform

    public init(translationX x: CGFloat, y: CGFloat) {
        affine = AutoLayout.AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: Double(x), ty: Double(y))
    }

    init(_ affine: AutoLayout.AffineTransform) { self.affine = affine }

    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        let (sine, cosine) = (sin(Double(angle)), cos(Double(angle)))
        return after(cosine, sine, -sine, cosine)
    }

    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        after(Double(x), 0, 0, Double(y))
    }

    /// Another map first, then this one.
    private func after(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> CGAffineTransform {
        let own = affine
        return CGAffineTransform(
            AutoLayout.AffineTransform(
                a: own.a * a + own.c * b, b: own.b * a + own.d * b, c: own.a * c + own.c * d,
                d: own.b * c + own.d * d, tx: own.tx, ty: own.ty))
    }
}

public struct CACornerMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)
}

public final class CALayer {
    public var borderWidth: CGFloat = 0
    public var cornerRadius: CGFloat = 0
    public var borderColor: CGColor?
    public var maskedCorners: CACornerMask = []
    public var shadowColor: CGColor?
    public var shadowOffset = CGSize.zero
    public var shadowRadius: CGFloat = 3
    public var shadowOpacity: Float = 0
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
