public import SceneProtocol

extension WorkBudget {
    /// What rooms of people who trust one another may cost: scenes of every size within the limits are edited freely, and
    /// what would hold its room up for seconds is refused.
    public static let standard = WorkBudget(
        op: 400_000_000, message: 400_000_000, tick: 4_000_000, second: 200_000_000)
}
