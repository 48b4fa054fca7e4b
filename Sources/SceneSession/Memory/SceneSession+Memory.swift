import SceneModel
import SceneProtocol

/// How much memory a room takes, and what it does where that is too much: what is cheapest to lose goes first, then whatever
/// would make the room larger is refused. What was accepted stays, and comes back from the journal in any case.
extension SceneSession {
    /// About how many bytes of memory the room took when that was last counted: once a second while something happens.
    public var memoryUse: MemoryUse { memory.use }

    /// Whether the process has no memory for more, so that no room may become larger.
    public var isMemoryShort: Bool {
        get { memory.isShort }
        set { memory.isShort = newValue }
    }

    /// Counts anew.
    ///
    /// - Complexity: O(views, on all devices and in the past that is watched, and members).
    public func countMemory() -> MemoryUse {
        var use = MemoryUse()
        if case .live(let timeline) = scene {
            use.scene = timeline.model.byteEstimate
            use.undo = timeline.undoByteCount
        }
        use.streams = streams.byteEstimate
        for device in devices.scenes {
            use.devices += (device.model?.byteEstimate ?? 0) + device.streams.byteEstimate
        }
        use.seekers = seekers.byteEstimate
        use.journal = journal.byteCount
        use.clients = clients.byteEstimate + events.byteEstimate
        use.inbox = inbox.byteCount
        memory.note(use, at: tick)
        return use
    }

    // MARK: What is asked for

    /// Why ops would make the room too large, if they would.
    func memoryExcess(_ growth: MemoryGrowth) -> Refusal? {
        guard growth.bytes > max(memory.left, 0) else { return nil }
        return memoryRefusal(growth.bytes, left: memory.left)
    }

    /// Why a document in the place of the scene would make the room too large, if it would.
    func memoryExcess(_ document: SceneDocument) -> Refusal? {
        let others = memory.use.devices > 0 ? devices.scenes.count : 0
        let growth = MemoryGrowth(of: document).bytes * (1 + others)
        let left = memory.left + memory.use.scene + memory.use.devices
        guard growth > max(left, 0) else { return nil }
        return memoryRefusal(growth, left: left)
    }

    private func memoryRefusal(_ growth: Int, left: Int) -> Refusal {
        let message =
            memory.isShort
            ? "the server has no memory for larger scenes at present; try again later, or remove something first"
            : "it needs about \(growth >> 10) KiB of memory, and the room may take \(max(left, 0) >> 10) KiB more of \(memory.budget.room >> 20) MiB; remove something first"
        return Refusal(code: .limit, message: message)
    }

    /// Why a member may not have another request wait, if it may not.
    func memoryExcess(of member: Member, bytes: Int) -> Refusal? {
        let waiting = inbox.byteCount(of: member.id)
        let past = seekers.of(member)?.byteEstimate ?? 0
        guard waiting > 0, waiting + past + bytes > memory.budget.member else { return nil }
        return Refusal(
            code: .limit,
            message:
                "what waits here for this member takes \((waiting + past) >> 10) KiB, and may take \(memory.budget.member >> 10) KiB; wait for results first"
        )
    }

    // MARK: What goes first

    /// Counts where that is due, and lets go of what is cheapest to lose while there is too much: what traces hold, how it was
    /// for members that lag, then the past that members watch, and the devices with the fewest members.
    func keepMemoryWithinBudget() {
        guard memory.isCountDue(at: tick, tickRate: tickRate) else { return }
        var use = countMemory()
        for seeker in seekers.all where seeker.byteEstimate > memory.budget.member {
            stopSeeking(seeker.member, "the past takes more memory than a member may have", .limit)
        }
        guard memory.isOverdrawn else { return }
        traces.release()
        streams.forgetHistory()
        for device in devices.scenes { device.streams.forgetHistory() }
        use = countMemory()
        while use.total > memory.budget.room, let seeker = seekers.largest {
            stopSeeking(seeker.member, "the room has no memory for the past", .limit)
            use = countMemory()
        }
        while use.total > memory.budget.room, let device = leastWatchedDevice {
            close(device, "the room has no memory for another device")
            use = countMemory()
        }
    }

    private var leastWatchedDevice: DeviceScene? {
        devices.scenes.min { watcherCount($0) < watcherCount($1) }
    }

    private func watcherCount(_ device: DeviceScene) -> Int {
        roster.inOrder.count { $0.stream.device == device.id }
    }
}
