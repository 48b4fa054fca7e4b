private import CThreads
private import Glibc
import Synchronization

/// How a thread steps back: it leaves the processors to every other thread that wants them, and yet
/// gets something done.
///
/// The kernel's class for that (SCHED_IDLE, sched(7)) gives it a three-hundredth of what others
/// have, which on a machine that others keep busy is next to nothing. So `keepShare` is to be
/// called at intervals: where the thread had less than a tenth of a processor in the last one, it
/// is scheduled like others for the next. That takes the right to leave the class again
/// (RLIMIT_NICE of 20, or CAP_SYS_NICE); without it the thread has a nice value of 10 instead,
/// about a tenth of what others have.
final class StepBack: Sendable {
    private enum Scheduling: Equatable {
        /// SCHED_IDLE, whenever it may be left.
        case idle
        /// Like others.
        case ordinary
        /// SCHED_OTHER with a nice value, for good.
        case nice
    }

    private struct State {
        var scheduling: Scheduling
        /// The time of the last observation and the thread's processor time then, in nanoseconds.
        var seen: (time: UInt64, used: UInt64)?
    }

    /// SCHED_IDLE of linux/sched.h, which the C library shows to GNU programs only.
    private static let idlePolicy: Int32 = 5
    private static let niceValue: Int32 = 10
    /// The thread is scheduled like others after it had less than one in so many nanoseconds.
    private static let shareDivisor: UInt64 = 10

    private let threadID: Int32
    private let state: Mutex<State>

    /// Whether threads of this process may leave SCHED_IDLE, tried once.
    private static let mayReturn: Bool = {
        let found = Atomic(false)
        let probe = OwnedThread(name: "probe")
        probe.start { @Sendable in
            found.store(set(idlePolicy) && set(SCHED_OTHER), ordering: .relaxed)
        }
        probe.join()
        return found.load(ordering: .relaxed)
    }()

    /// Has the current thread step back.
    init() {
        threadID = currentThreadID()
        if Self.mayReturn {
            _ = Self.set(Self.idlePolicy)
            state = Mutex(State(scheduling: .idle))
        } else {
            let process = __priority_which_t(PRIO_PROCESS.rawValue)
            _ = setpriority(process, id_t(threadID), Self.niceValue)
            state = Mutex(State(scheduling: .nice))
        }
    }

    /// Observes the thread. From any thread, while it lives.
    ///
    /// - Parameter isBusy: Whether it has something to do.
    func keepShare(isBusy: Bool) {
        state.withLock { state in
            guard state.scheduling != .nice else { return }
            guard isBusy, let used = Self.nanoseconds(threadCPUClock(threadID)),
                let now = Self.nanoseconds(CLOCK_MONOTONIC)
            else {
                state.seen = nil
                return turn(to: .idle, &state)
            }
            defer { state.seen = (now, used) }
            guard let seen = state.seen else { return }
            let isStarved = used &- seen.used < (now &- seen.time) / Self.shareDivisor
            turn(to: isStarved ? .ordinary : .idle, &state)
        }
    }

    private func turn(to scheduling: Scheduling, _ state: inout State) {
        guard scheduling != state.scheduling,
            Self.set(scheduling == .idle ? Self.idlePolicy : SCHED_OTHER, threadID)
        else { return }
        state.scheduling = scheduling
    }

    /// Sets a thread's scheduling policy; zero stands for the current one.
    private static func set(_ policy: Int32, _ threadID: Int32 = 0) -> Bool {
        var parameters = sched_param()
        return sched_setscheduler(threadID, policy, &parameters) == 0
    }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
