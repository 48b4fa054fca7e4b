public import SceneSession

/// A member that came to this node for a room of another one.
public struct EdgeApplicant: Sendable {
    /// Its data for the owner, if it needs the owner.
    public var relayed: RelayedApplicant
    /// Its admission here, where it does not.
    public var admission: Admission

    /// Makes an applicant.
    public init(_ relayed: RelayedApplicant, admission: Admission) {
        self.relayed = relayed
        self.admission = admission
    }
}
