/// The direction in which text runs; it decides on which side the leading edge is. The raw values
/// are those of `viewport.direction` in documents.
public enum LayoutDirection: String, CaseIterable, Sendable {
    /// Leading is left, as in English.
    case leftToRight = "ltr"
    /// Leading is right, as in Arabic and Hebrew.
    case rightToLeft = "rtl"
}
