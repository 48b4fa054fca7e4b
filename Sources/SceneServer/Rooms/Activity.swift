import Dispatch
import SceneModel
import Synchronization

/// The present step of a thread, published by the thread and read by the watchdog.
///
/// A step lasts from `begin` to the next `begin` or `rest`. Publishing it takes an uncontended lock
/// and does not allocate.
final class Activity: Sendable {
    /// The thread's part in the server.
    enum Role: String, CaseIterable, Sendable {
        /// Updates of rooms within their slices.
        case home
        /// Updates of rooms that exceed their slices.
        case slow
        /// The journal.
        case store
        /// Reads of the past, for members that seek.
        case history
        /// Members at other nodes than their rooms.
        case relay

        /// The maximum duration of one step in normal operation, in nanoseconds.
        var patience: UInt64 { self == .slow || self == .history ? 10_000_000_000 : 1_000_000_000 }
    }

    /// Work during which the thread does not read its mail.
    struct Step: Sendable {
        /// The end of the sentence "the thread is busy with".
        let what: StaticString
        let room: String?
        /// In nanoseconds of the machine's uptime.
        let begin: UInt64
        /// Whether the step may take minutes without being reported.
        let isLongWork: Bool
    }

    /// The result of one observation.
    struct Look: Sendable {
        /// The present step, and its duration in nanoseconds.
        var busy: (step: Step, nanoseconds: UInt64)?
        /// Whether the step takes too long and was not reported before.
        var isNewlyLate = false
        /// Steps reported as too long that have ended since, with their durations in nanoseconds.
        var ended: [(step: Step, nanoseconds: UInt64)] = []
    }

    /// The progress of the thread's rooms, in more detail.
    let progress = WorkProgress()

    private struct State {
        var step: Step?
        var isLate = false
        var ended: [(step: Step, nanoseconds: UInt64)] = []
    }

    let role: Role
    /// The thread's name in messages.
    let name: String
    private let clock: @Sendable () -> UInt64
    private let state = Mutex(State())
    /// Where the thread's room is recorded, for analysis after a crash.
    private let slot: StepRecord.Slot?
    /// Hears when the thread begins to work and to rest.
    private let shares: LaneShares?

    /// - Parameters:
    ///   - slot: Where the thread's room is recorded, for analysis after a crash.
    ///   - shares: Hears when the thread begins to work and to rest.
    ///   - clock: The machine's uptime in nanoseconds.
    init(
        _ role: Role, name: String, slot: StepRecord.Slot? = nil, shares: LaneShares? = nil,
        clock: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.role = role
        self.name = name
        self.slot = slot
        self.shares = shares
        self.clock = clock
    }

    /// Must be called on the thread before anything else, so that a fatal signal is recorded.
    func attach() { slot?.attach() }

    /// Begins a step and ends the one before. On the thread.
    func begin(_ what: StaticString, in room: String? = nil, isLongWork: Bool = false) {
        turn(
            to: Step(what: what, room: room, begin: clock(), isLongWork: isLongWork))
    }

    /// Ends the step; the thread waits for work. On the thread.
    func rest() { turn(to: nil) }

    private func turn(to next: Step?) {
        let wasBusy = state.withLock { state in
            let wasBusy = state.step != nil
            if state.isLate, let step = state.step {
                state.ended.append((step, (next?.begin ?? clock()).subtracting(step.begin)))
            }
            state.isLate = false
            state.step = next
            if let room = next?.room { slot?.begin(in: room) } else { slot?.rest() }
            return wasBusy
        }
        if wasBusy != (next != nil) { shares?.note(isBusy: next != nil) }
    }

    /// Whether the thread is in a step. From any thread.
    var isBusy: Bool { state.withLock { $0.step != nil } }

    /// Observes the thread. From any thread; each late step and its end are reported once.
    func look() -> Look {
        state.withLock { state in
            var look = Look(ended: state.ended)
            state.ended = []
            guard let step = state.step else { return look }
            let nanoseconds = clock().subtracting(step.begin)
            look.busy = (step, nanoseconds)
            look.isNewlyLate = !state.isLate && nanoseconds > role.patience
            if look.isNewlyLate {
                state.isLate = true
                slot?.noteLateness()
            }
            return look
        }
    }
}

extension UInt64 {
    /// The difference, at least 0.
    fileprivate func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
