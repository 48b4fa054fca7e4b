import Annotations
import SceneDocument
import SceneModel
import SceneWire

/// Counts a room's memory. Beyond its budget the room first releases what can be rebuilt, then
/// refuses ops that would enlarge it. Accepted ops stay, and replay from the journal in any case.
extension SceneSession {
    /// The approximate memory of the room in bytes as of the last count: once a second while
    /// something changes.
    public var memoryUse: MemoryUse { memory.use }

    /// Whether the process is short of memory; then no room may grow.
    public var isMemoryShort: Bool {
        get { memory.isShort }
        set { memory.isShort = newValue }
    }

    /// Counts now.
    ///
    /// - Complexity: O(views on all devices and in the watched past, and members).
    public func countMemory() -> MemoryUse {
        var use = MemoryUse()
        if case .live(let timeline) = scene {
            use.scene = timeline.model.byteEstimate
            use.undo = timeline.undoByteCount
        }
        use.annotations = annotations?.byteCount ?? 0
        for payload in annotationState.whole.values.joined() { use.annotations += payload.count }
        use.streams = streams.byteEstimate + insets.byteEstimate
        for device in devices.scenes {
            use.devices +=
                (device.model?.byteEstimate ?? 0) + device.streams.byteEstimate
                + device.insets.byteEstimate
        }
        use.seekers = seekers.byteEstimate
        use.journal = journal.byteCount + (restoringSnapshot?.byteEstimate ?? 0)
        use.clients = clients.byteEstimate + events.byteEstimate
        use.inbox = inbox.byteCount + reads.byteCount
        memory.note(use, at: tick)
        return use
    }

    // MARK: Requests

    /// Returns a refusal if ops would make the room too large.
    func memoryExcess(_ ops: OpFootprint) -> Refusal? {
        memoryExcess(bytes: ops.growth)
    }

    /// Returns a refusal if bytes more would make the room too large.
    func memoryExcess(bytes: Int) -> Refusal? {
        guard bytes > max(memory.left, 0) else { return nil }
        return memoryRefusal(bytes, left: memory.left)
    }

    /// Returns a refusal if a document that replaces the scene would make the room too large.
    func memoryExcess(_ document: SceneDocument) -> Refusal? {
        let others = memory.use.devices > 0 ? devices.scenes.count : 0
        let growth = OpFootprint.growth(of: document) * (1 + others)
        let left = memory.left + memory.use.scene + memory.use.devices
        guard growth > max(left, 0) else { return nil }
        return memoryRefusal(growth, left: left)
    }

    private func memoryRefusal(_ growth: Int, left: Int) -> Refusal {
        let message =
            memory.isShort
            ? "the server has no memory for larger scenes at present; try again later, or remove something first"
            : "the change needs about \(growth >> 10) KiB of memory, and the room has \(max(left, 0) >> 10) KiB left of \(memory.budget.room >> 20) MiB; remove something first"
        return Refusal(code: .limit, message: message)
    }

    /// Returns a refusal if a member's request would exceed the memory for waiting requests.
    func memoryExcess(of member: Member, bytes: Int) -> Refusal? {
        let waiting = inbox.byteCount(of: member.id) + reads.byteCount(of: member.id)
        let past = seekers.of(member)?.byteEstimate ?? 0
        guard waiting > 0, waiting + past + bytes > memory.budget.member else { return nil }
        return Refusal(
            code: .limit,
            message:
                "this member's waiting requests take \((waiting + past) >> 10) KiB of \(memory.budget.member >> 10) KiB allowed; wait for results first"
        )
    }

    // MARK: Releasing memory

    /// Counts if that is due. While the budget is exceeded, releases memory in this order: trace
    /// buffers, the history for lagging members, the watched past, the devices with the fewest
    /// members.
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
