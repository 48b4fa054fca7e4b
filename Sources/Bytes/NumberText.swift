/// Numbers as our texts write them: the shortest decimal that reads back as the same value.
public enum NumberText {
    /// The number without a fraction where it has none, so `8` and not `8.0`; zero has no sign.
    public static func of(_ value: Double) -> String {
        if value.magnitude < 9_007_199_254_740_992, value == value.rounded(.towardZero) {
            return String(Int64(value))
        }
        return value.description
    }
}
