import SceneWire

/// The epoch that a present one goes on from.
struct FormerEpoch: Equatable {
    let epoch: UInt64
    /// The last of its ticks that the present epoch goes on from.
    let tick: UInt64
    /// Whether members may have been given other numbers for its views after that tick, with a
    /// snapshot that was lost: numbers change between two ticks, and what a client has under a tick
    /// does not tell which they are.
    var mayHaveLostNumbers = false

    /// Seconds of ticks that may be lost with an epoch's owner after they were shown.
    private static let lostSeconds = 1

    /// Whether a client that names an earlier epoch than the present one can be led on from the
    /// tick that it names.
    ///
    /// Ticks up to `tick` are those of the former epoch. Later ones may be the present epoch's:
    /// nodes lead their viewers on from owner to owner, and no message tells these the new epoch.
    /// Those right after `tick` are taken for ticks that were lost. Where a client was shown others
    /// that were, the hash that follows a merged frame tells it.
    func leads(from resume: Resume, tickRate: Int) -> Bool {
        let isLater = resume.lastTick > tick + UInt64(Self.lostSeconds * max(tickRate, 1))
        if mayHaveLostNumbers, resume.lastTick >= tick, !isLater { return false }
        guard resume.epoch == epoch else { return resume.epoch < epoch }
        return resume.lastTick <= tick || isLater
    }
}
