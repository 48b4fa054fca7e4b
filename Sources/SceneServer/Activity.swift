import Dispatch
import SceneModel
import Synchronization

/// What a thread is doing now, told by the thread and read by the watchdog.
///
/// A step lasts from `begin` to the next `begin` or `rest`. That costs a lock that hardly ever waits, and allocates
/// nothing.
final class Activity: Sendable {
    /// The thread's part in the server.
    enum Role: String, CaseIterable, Sendable {
        /// Rooms that keep their time.
        case home
        /// Rooms that need more than that.
        case slow
        /// The journal.
        case store
        /// The past of rooms, for members that seek.
        case history

        /// Nanoseconds that one step takes at most where nothing is wrong.
        var patience: UInt64 { self == .slow || self == .history ? 10_000_000_000 : 1_000_000_000 }
    }

    /// Something that the thread does without looking at its mail.
    struct Step: Sendable {
        /// For people: completes "busy with".
        let what: StaticString
        let room: String?
        /// Nanoseconds of the machine's uptime.
        let begin: UInt64
        /// Whether it is no fault if it takes minutes.
        let isLongWork: Bool
    }

    /// What a look has shown.
    struct Look: Sendable {
        /// The present step, and how many nanoseconds it has taken.
        var busy: (step: Step, nanoseconds: UInt64)?
        /// Whether that has taken too long, and no look has shown it before.
        var isNewlyLate = false
        /// Steps that earlier looks found too long, ended since, with how many nanoseconds they took.
        var ended: [(step: Step, nanoseconds: UInt64)] = []
    }

    /// What the rooms of the thread are at, in more detail.
    let progress = WorkProgress()

    private struct State {
        var step: Step?
        var isLate = false
        var ended: [(step: Step, nanoseconds: UInt64)] = []
    }

    let role: Role
    /// The thread's name for people.
    let name: String
    private let clock: @Sendable () -> UInt64
    private let state = Mutex(State())
    /// Where the thread's room is recorded, to be read after a crash.
    private let slot: StepRecord.Slot?

    /// - Parameters:
    ///   - slot: Where the thread's room is recorded, to be read after a crash.
    ///   - clock: Nanoseconds of the machine's uptime.
    init(
        _ role: Role, name: String, slot: StepRecord.Slot? = nil,
        clock: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.role = role
        self.name = name
        self.slot = slot
        self.clock = clock
    }

    /// To be called on the thread before anything else, so that a signal that ends it is noted.
    func attach() { slot?.attach() }

    /// Notes the beginning of a step, and the end of the one before. On the thread.
    func begin(_ what: StaticString, in room: String? = nil, isLongWork: Bool = false) {
        turn(
            to: Step(what: what, room: room, begin: clock(), isLongWork: isLongWork))
    }

    /// Notes that the thread waits for something to do. On the thread.
    func rest() { turn(to: nil) }

    private func turn(to next: Step?) {
        state.withLock { state in
            if state.isLate, let step = state.step {
                state.ended.append((step, (next?.begin ?? clock()).subtracting(step.begin)))
            }
            state.isLate = false
            state.step = next
            if let room = next?.room { slot?.begin(in: room) } else { slot?.rest() }
        }
    }

    /// Looks what the thread is doing. From any thread; each lateness and each end is shown once.
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
    /// The difference; 0 where the other is greater.
    fileprivate func subtracting(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
