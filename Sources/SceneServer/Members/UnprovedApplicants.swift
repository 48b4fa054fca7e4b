import SceneSession
import Synchronization

/// Applicants that wait for a proof that their room is this process's.
///
/// A server's threads share them, for a room may go to the slow lane, or come back, before the
/// proof comes.
final class UnprovedApplicants: Sendable {
    private let members = Mutex<Set<MemberID>>([])

    /// Notes that an applicant waits.
    func add(_ member: MemberID) { members.withLock { _ = $0.insert(member) } }

    /// Notes that an applicant waits no more.
    ///
    /// - Returns: Whether it waited; one whose connection has closed meanwhile does not.
    @discardableResult
    func remove(_ member: MemberID) -> Bool { members.withLock { $0.remove(member) != nil } }
}
