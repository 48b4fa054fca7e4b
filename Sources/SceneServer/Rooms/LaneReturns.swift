/// The slow lane's rooms on their way home: those offered to their homes, the mail that arrived
/// after they left, and how long the others have been light.
struct LaneReturns {
    /// Rooms that wait to be recalled by their homes.
    private var offered: [String: ReturningRoom] = [:]
    /// Mail for rooms that are not on the thread any more.
    private var mail: [String: [RoomMail]] = [:]
    /// The tick since which each light room has been so without interruption.
    private var lightSince: [String: ClockTick] = [:]
    /// The tick at which homes next receive summaries.
    private var summaryTick = ClockTick(0)

    /// Registers that a room's home was asked to recall it.
    mutating func offer(_ name: String, _ returning: ReturningRoom) { offered[name] = returning }

    /// Whether a room's home was asked to recall it.
    func isOffered(_ name: String) -> Bool { offered[name] != nil }

    /// Keeps mail for a room that is not on the thread any more.
    mutating func keep(_ item: RoomMail, for name: String) { mail[name, default: []].append(item) }

    /// Removes a room that its home has recalled, with all its mail.
    mutating func take(_ name: String) -> ReturningRoom {
        var returning = offered.removeValue(forKey: name) ?? ReturningRoom()
        returning.mail = mail.removeValue(forKey: name) ?? []
        lightSince[name] = nil
        return returning
    }

    /// Registers whether a room is light at a tick.
    ///
    /// - Returns: For how many ticks it has been so; `nil` if it is not.
    mutating func note(_ name: String, isLight: Bool, at now: ClockTick) -> UInt64? {
        guard isLight else {
            lightSince[name] = nil
            return nil
        }
        let since = lightSince[name] ?? now
        lightSince[name] = since
        return now - since
    }

    /// Registers that a room was removed from the thread.
    mutating func forget(_ name: String) { lightSince[name] = nil }

    /// The earliest tick at which a room will have been light for so many ticks; `nil` if none is
    /// light.
    func nextReturn(after ticks: UInt64) -> ClockTick? {
        lightSince.values.min().map { $0 + ticks }
    }

    /// Whether summaries are due at a tick; the next ones are due an interval later.
    mutating func takeSummaries(at now: ClockTick, interval: UInt64) -> Bool {
        guard now >= summaryTick else { return false }
        summaryTick = now + interval
        return true
    }
}
