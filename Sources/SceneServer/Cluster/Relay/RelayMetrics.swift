import Synchronization

/// What is counted of members at another node than their room's owner. Safe from any thread.
final class RelayMetrics: Sendable {
    /// Links that this node began to owners of rooms.
    let attaches = Counter()
    /// Links of these that ended while members watched.
    let gaps = Counter()
    private let edgeRooms = Atomic(0)
    private let edgeMembers = Atomic(0)
    private let hostLinks = Atomic(0)
    private let hostMembers = Atomic(0)

    /// Notes present numbers.
    func set(edgeRooms: Int, edgeMembers: Int, hostLinks: Int, hostMembers: Int) {
        self.edgeRooms.store(edgeRooms, ordering: .relaxed)
        self.edgeMembers.store(edgeMembers, ordering: .relaxed)
        self.hostLinks.store(hostLinks, ordering: .relaxed)
        self.hostMembers.store(hostMembers, ordering: .relaxed)
    }

    /// The counts in Prometheus' text format.
    var text: String {
        var text = ""
        for (name, kind, help, value) in [
            (
                "attaches_total", "counter",
                "Links begun to owners of rooms that members here watch.",
                Int(clamping: attaches.value)
            ),
            (
                "relay_gaps_total", "counter", "Links of these that ended while members watched.",
                Int(clamping: gaps.value)
            ),
            (
                "relayed_rooms", "gauge", "Rooms of other nodes that members here watch.",
                edgeRooms.load(ordering: .relaxed)
            ),
            (
                "relayed_members", "gauge", "Members of such rooms here.",
                edgeMembers.load(ordering: .relaxed)
            ),
            (
                "relay_links", "gauge", "Links of other nodes to rooms that this one owns.",
                hostLinks.load(ordering: .relaxed)
            ),
            (
                "relay_link_members", "gauge", "Members of rooms here that such links stand for.",
                hostMembers.load(ordering: .relaxed)
            ),
        ] {
            text +=
                "# HELP scenesync_\(name) \(help)\n# TYPE scenesync_\(name) \(kind)\nscenesync_\(name) \(value)\n"
        }
        return text
    }
}
