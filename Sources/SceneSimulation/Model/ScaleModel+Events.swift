import Glibc
import SceneCluster
import SeededRandom

/// What happens once: everybody comes, and a node dies.
extension ScaleModel {
    static func logarithm(_ value: Double) -> Double { log(value) }
    static func power(_ value: Double) -> Double { exp(value) }

    private enum Event {
        case arrive(node: Int)
        /// A member's handshake at a node is done.
        case greeted(node: Int, since: Double)
        /// A node's request for the stream reaches the owner.
        case attach(node: Int)
        /// The owner's snapshot reaches a node.
        case attached(node: Int)
    }

    // MARK: Everybody comes

    /// Viewers join at random times and at random nodes. The first one at a node makes the node
    /// attach to the owner. Viewers that join before the owner's snapshot is there wait for it.
    mutating func join(_ report: inout Report) {
        var queue = EventQueue<Event>()
        var cores = (0..<plan.nodes).map { _ in CoreQueue(cores: plan.cores) }
        var scene = CoreQueue(cores: 1)
        var hasAsked = [Bool](repeating: false, count: plan.nodes)
        var isAttached = hasAsked
        var waiting = [[Double]](repeating: [], count: plan.nodes)
        var spread = Spread()
        // Frames take their share of each core all the while, more and more of it; at its end the
        // share is that of all.
        let framesPerSecond = Double(plan.viewers / plan.nodes * plan.rate)
        let share = min(0.95, framesPerSecond * costs.frame / 1e6 / Double(plan.cores))
        let snapshot = costs.attachPerThousandViews * Double(plan.views) / 1000
        for _ in 0..<plan.viewers {
            let time = Int(uniform() * plan.arrivalSeconds * 1e6)
            queue.plan(.arrive(node: random.below(plan.nodes)), at: time)
        }
        let hop = Int(costs.readBack * 1000)
        while let (time, event) = queue.next() {
            let now = Double(time)
            switch event {
            case .arrive(let node):
                let slowdown = 1 / (1 - share * min(1, now / (plan.arrivalSeconds * 1e6)))
                let done = cores[node].take(at: now, cost: costs.join * slowdown)
                queue.plan(.greeted(node: node, since: now), at: Int(done))
            case .greeted(let node, let since):
                if isAttached[node] {
                    spread.add((now - since) / 1000)
                } else {
                    waiting[node].append(since)
                }
                guard !hasAsked[node] else { break }
                hasAsked[node] = true
                queue.plan(.attach(node: node), at: time + hop)
            case .attach(let node):
                report.attaches += 1
                queue.plan(
                    .attached(node: node), at: Int(scene.take(at: now, cost: snapshot)) + hop)
            case .attached(let node):
                isAttached[node] = true
                for since in waiting[node] { spread.add((now - since) / 1000) }
                waiting[node] = []
            }
        }
        report.joins = (spread.share(0.5), spread.share(0.99), spread.share(1))
        report.ownerAttachTime = scene.busy / 1000
    }

    // MARK: A node dies

    /// The node with the most rooms dies. Others notice that its beats are missing, take its shards
    /// as `Placement` has it, read what a standby has not read, and bring active rooms to life; its
    /// viewers come to the others.
    mutating func fail(_ report: inout Report) {
        let rooms = sums { roomCounts[$0] }
        let dead = rooms.indices.max { rooms[$0] < rooms[$1] } ?? 0
        let left = (1...plan.nodes).filter { $0 != dead + 1 }
            .map { Placement.Candidate(node: NodeID(UInt16($0))) }
        var cores = (0..<plan.nodes).map { _ in CoreQueue(cores: plan.cores) }
        let thaw = costs.thawPerThousandViews * Double(plan.views) / 1000 * 1000
        var work: [(at: Double, node: Int, cost: Double, isRoom: Bool)] = []
        for shard in owners.indices where owners[shard] == dead {
            let next = Placement.next(for: map.shards[shard], among: left)
            let node = Int(next?.rawValue ?? 1) - 1
            // The last beat came up to a beat's interval before the end; the look at places comes
            // within its own interval.
            let noticed =
                milliseconds(OwnerLimits.silence)
                - uniform() * milliseconds(ClusterNode.beatInterval)
                + uniform() * milliseconds(ClusterNode.placementInterval)
            let (least, most) = costs.journal
            let spanned = least + uniform() * (most - least)
            let read = spanned * costs.unreadRecords / 10_000
            let serving = noticed + read + acknowledgement() + costs.readBack
            let active = Int((Double(roomCounts[shard]) * plan.activeShare).rounded())
            for _ in 0..<active { work.append((serving * 1000, node, thaw, true)) }
        }
        // Connections end at once, and people begin the next ones within a second, lest all come in
        // one moment.
        for _ in 0..<plan.failingViewers {
            var node = random.below(plan.nodes - 1)
            if node >= dead { node += 1 }
            work.append((uniform() * 1e6, node, costs.join, false))
        }
        var (back, seen) = (Spread(), Spread())
        for (at, node, cost, isRoom) in work.sorted(by: { $0.at < $1.at }) {
            let end = cores[node].take(at: at, cost: cost)
            if isRoom { back.add(end / 1000) } else { seen.add((end - at) / 1000) }
        }
        report.rooms = (back.count, back.share(0.5), back.share(0.99), back.share(1))
        let election =
            costs.election.least + uniform() * (costs.election.most - costs.election.least)
        report.roomsOfLedStreams = back.share(1) + election
        report.viewers = (seen.count, seen.share(0.5), seen.share(0.99), seen.share(1))
    }

    private func milliseconds(_ span: Duration) -> Double { span / .milliseconds(1) }

    // MARK: What is full first

    /// The numbers at which the first part of each kind is at a share of its cores.
    ///
    /// - Parameter share: From 0 to 1.
    public func limits(at share: Double) -> (viewers: Int, rooms: Int, commitsPerSecond: Int) {
        let core = 1e6 * share
        let room = Double(plan.rate) * costs.activeTick * plan.activeShare
        let frames = Double(plan.rate) * costs.frame
        let busiest = sums { roomCounts[$0] }.max() ?? 0
        // The busiest node has so much more than its part.
        let unevenness = max(
            1, Double(busiest * plan.nodes) / Double(max(plan.rooms, 1)))
        let cores = Double(plan.cores) * core
        let left = cores - Double(busiest) * room
        return (
            max(0, Int(left / frames)) * plan.nodes,
            Int(cores * Double(plan.nodes) / room / unevenness),
            Int(Double(plan.engineCores) * core / costs.commit)
        )
    }
}
