/// How the members of a stack share its length. Apple, `UIStackView.Distribution`.
public enum StackDistribution: String, CaseIterable, Sendable {
    /// They fill it; hugging and compression decide which gives.
    case fill
    /// All get the same length.
    case fillEqually
    /// Lengths in proportion to those of their contents.
    case fillProportionally
    /// Contents' lengths, equal gaps.
    case equalSpacing
    /// Contents' lengths, equal distances between centres.
    case equalCentering
}

/// How the members of a stack lie across it. Apple, `UIStackView.Alignment`.
public enum StackAlignment: String, CaseIterable, Sendable {
    /// From edge to edge.
    case fill
    /// At the leading edge of a column.
    case leading
    /// In the middle.
    case center
    /// At the trailing edge of a column.
    case trailing
    /// At the top edge of a row.
    case top
    /// At the bottom edge of a row.
    case bottom
    /// First baselines of a row on one line.
    case firstBaseline
    /// Last baselines of a row on one line.
    case lastBaseline
}
