/// A control whose value is a number between two ends: a slider or a progress view.
public class RangedControl: Control {
    override var isBuiltIn: Bool { true }

    /// The value at the leading end.
    public var minimumValue = 0.0 {
        didSet { if minimumValue != oldValue { contentDidChange() } }
    }

    /// The value at the trailing end. Where it is not above `minimumValue`, that is the only value.
    public var maximumValue = 1.0 {
        didSet { if maximumValue != oldValue { contentDidChange() } }
    }

    /// The number that it shows: the one given, or the nearest within the ends; the least where
    /// none is given.
    public var number: Double {
        get {
            guard case .number(let given) = value, maximumValue > minimumValue else {
                return minimumValue
            }
            return min(max(given, minimumValue), maximumValue)
        }
        set { value = .number(newValue) }
    }

    /// How much of the way from the least to the greatest value the number is, 0...1.
    public var share: Double {
        guard maximumValue > minimumValue else { return 0 }
        return (number - minimumValue) / (maximumValue - minimumValue)
    }

    public override var shownValue: ControlValue? { .number(number) }

    /// The share of a number of steps, rounded to the nearest, halves up.
    func steps(of count: Int) -> Int {
        Int(nearest: (share * Double(count) + 0.5).rounded(.down))
    }
}
