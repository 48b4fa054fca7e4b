/// An owner's doubts: whether it still owns its shard, and whether its engine keeps records.
struct OwnerWatch: Sendable {
    private var heardSelfAt: MonotonicInstant
    private var laterClaim: (epoch: UInt64, heardAt: MonotonicInstant)?
    private var probedAt: MonotonicInstant?
    /// Since when commits have waited without any being kept.
    private var waitingSince: MonotonicInstant?
    private var isSuspect = false
    private(set) var isStalled = false

    init(at now: MonotonicInstant) { heardSelfAt = now }

    mutating func heardSelf(at now: MonotonicInstant) { heardSelfAt = now }

    mutating func heardLaterClaim(epoch: UInt64, at now: MonotonicInstant) {
        laterClaim = (epoch, now)
    }

    /// Whether a later owner was heard of within `OwnerLimits.silence`, and the journal is to be
    /// looked at again.
    mutating func probeIsDue(at now: MonotonicInstant) -> Bool {
        guard hearsLaterOwner(at: now) else { return false }
        if let probedAt, now.elapsed(since: probedAt) < OwnerLimits.probeInterval { return false }
        probedAt = now
        return true
    }

    private func hearsLaterOwner(at now: MonotonicInstant) -> Bool {
        guard let laterClaim else { return false }
        return now.elapsed(since: laterClaim.heardAt) < OwnerLimits.silence
    }

    /// Whether the owner writes nothing new for the moment.
    func doubts(at now: MonotonicInstant) -> Bool {
        now.elapsed(since: heardSelfAt) >= OwnerLimits.silence || hearsLaterOwner(at: now)
    }

    /// Commits begin to wait, or go on waiting.
    mutating func commitsWait(at now: MonotonicInstant) {
        if waitingSince == nil { waitingSince = now }
    }

    /// Commits were kept.
    mutating func kept(moreWait: Bool, at now: MonotonicInstant) {
        waitingSince = moreWait ? now : nil
    }

    /// Tells what has changed by now.
    mutating func tell(
        at now: MonotonicInstant, trouble: String?, _ outbox: inout Outbox
    ) {
        let doubts = doubts(at: now)
        if doubts != isSuspect {
            isSuspect = doubts
            outbox.tell(doubts ? .suspect : .trusted)
        }
        let stalls = waitingSince.map { now.elapsed(since: $0) >= OwnerLimits.stall } ?? false
        if stalls != isStalled {
            isStalled = stalls
            outbox.tell(stalls ? .stalled(trouble ?? "the engine does not answer") : .resumed)
        }
    }
}
