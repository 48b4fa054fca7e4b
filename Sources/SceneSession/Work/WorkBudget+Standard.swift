public import SceneProtocol

extension WorkBudget {
    /// What rooms of people who trust one another may cost: scenes of every size within the limits are edited freely, and
    /// what would hold its room up for seconds is refused.
    public static let standard = WorkBudget(
        op: 2_000_000_000, message: 2_000_000_000, tick: 50_000_000, second: 3_000_000_000)
}
