import SceneCluster

/// Links that an owner ended because the edge was silent. A live edge may wait for an answer over
/// such a link without sending, so it is notified several times, because each message may be lost.
struct EndedLinks {
    private struct Links {
        /// The room of each link, by the link's number.
        var rooms: [UInt64: String]
        var tellAt: MonotonicInstant
        var pause = EndedLinks.firstPause
    }

    /// The time between the first two messages; doubled after each.
    private static let firstPause = Duration.milliseconds(200)
    /// After a pause longer than this an edge receives no more notices, about 100 s after the
    /// first.
    private static let greatestPause = Duration.seconds(60)

    private var edges: [NodeLife: Links] = [:]

    /// Adds links of one edge, which receives notices from `now` on.
    mutating func add(_ rooms: [UInt64: String], of edge: NodeLife, at now: MonotonicInstant) {
        let earlier = edges[edge]?.rooms ?? [:]
        edges[edge] = Links(rooms: earlier.merging(rooms) { $1 }, tellAt: now)
    }

    /// The links whose notices are due, in order.
    ///
    /// - Complexity: O(edges), and O(links · log links) of those that are due.
    mutating func takeDue(
        at now: MonotonicInstant
    ) -> [(edge: NodeLife, number: UInt64, room: String)] {
        let due = edges.filter { $0.value.tellAt <= now }
            .sorted { ($0.key.node, $0.key.life) < ($1.key.node, $1.key.life) }
        for (edge, links) in due {
            let next = links.pause * 2
            edges[edge] =
                next > Self.greatestPause
                ? nil
                : Links(
                    rooms: links.rooms, tellAt: now.advanced(by: links.pause), pause: next)
        }
        return due.flatMap { edge, links in
            links.rooms.sorted { $0.key < $1.key }.map { (edge, $0.key, $0.value) }
        }
    }
}
