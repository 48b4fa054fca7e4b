public import SceneDocument

/// Collects the ops of a batch, with `if` and `for` among them:
///
///     try await scene.apply {
///         scene["title"].set { $0.text = "Cart" }
///         for item in items { scene["list"].append(.label(item)) }
///     }
@resultBuilder
public enum OpBuilder {
    /// One op.
    public static func buildExpression(_ op: Op) -> [Op] { [op] }
    /// Several ops.
    public static func buildExpression(_ ops: [Op]) -> [Op] { ops }
    /// All ops, in order.
    public static func buildBlock(_ parts: [Op]...) -> [Op] { parts.flatMap { $0 } }
    /// The ops of an `if` without an `else`.
    public static func buildOptional(_ ops: [Op]?) -> [Op] { ops ?? [] }
    /// The ops of an `if`.
    public static func buildEither(first ops: [Op]) -> [Op] { ops }
    /// The ops of an `else`.
    public static func buildEither(second ops: [Op]) -> [Op] { ops }
    /// The ops of a `for`.
    public static func buildArray(_ parts: [[Op]]) -> [Op] { parts.flatMap { $0 } }
    /// The ops behind an `if #available`.
    public static func buildLimitedAvailability(_ ops: [Op]) -> [Op] { ops }
}
