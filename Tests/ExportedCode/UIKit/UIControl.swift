import AutoLayout
public import Foundation

/// A control, whose values are kept and not used.
public class UIControl: UIView {
    public var isEnabled = true
}

public final class UIButton: UIControl {
    public struct Configuration {
        public var baseForegroundColor: UIColor?

        public static func plain() -> Configuration { Configuration() }
    }

    public enum State {
        case normal
    }

    public var configuration: Configuration?

    public init(configuration: Configuration) {
        self.configuration = configuration
        super.init(new: Button())
    }

    public func setTitle(_ title: String?, for state: State) {
        (view as? Button)?.title = title ?? ""
    }
}

public final class UISwitch: UIControl {
    public override init() { super.init(new: Switch()) }

    public var isOn = false
}

public final class UISlider: UIControl {
    public override init() { super.init(new: Slider()) }

    public var minimumValue: Float = 0
    public var maximumValue: Float = 1
    public var value: Float = 0
}

public final class UITextField: UIControl {
    public override init() { super.init(new: TextField()) }

    public var text: String?
    public var placeholder: String?
    public var font: UIFont?
    public var textColor: UIColor?
}

public final class UISegmentedControl: UIControl {
    public init(items: [Any]?) {
        let control = SegmentedControl()
        control.segments = (items ?? []).compactMap { $0 as? String }
        super.init(new: control)
    }

    public var selectedSegmentIndex = -1
}

public final class UIProgressView: UIView {
    public override init() { super.init(new: ProgressView()) }

    public var progress: Float = 0
}

public final class UIImage {
    public init?(systemName: String) {}
}

public enum NSLineBreakMode {
    case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail
    case byTruncatingMiddle
}

/// A font, of which nothing is used.
public struct UIFont: Sendable {
    public enum TextStyle: Sendable {
        case largeTitle, title1, title2, title3, headline, body, callout, subheadline, footnote
        case caption1, caption2
    }

    public enum Weight: Sendable {
        case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont() }
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

public struct UIFontMetrics: Sendable {
    public init(forTextStyle style: UIFont.TextStyle) {}

    public func scaledFont(for font: UIFont) -> UIFont { font }
}
