public import SceneWire

extension WorkBudget {
    /// The budget for rooms of people who trust one another: scenes of every allowed size are
    /// edited without delay, and a request that would block its room for seconds is refused.
    public static let standard = WorkBudget(
        op: 400_000_000, message: 400_000_000, tick: 4_000_000, second: 200_000_000)
}
