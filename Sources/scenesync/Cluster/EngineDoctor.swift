import Essentials
import NATSEngine
import SceneCluster

/// Tries a cluster's engine: what its status says, whether it keeps what it acknowledges, whether
/// it fences, and how fast it is.
enum EngineDoctor {
    /// Above this, people see that an edit waits for its acknowledgement.
    private static let commitMedianMaximum = Duration.milliseconds(50)

    /// Looks at everything; a check whose ground is missing is left out.
    ///
    /// - Parameter ports: The monitoring ports of servers, as URLs.
    static func findings(_ node: NodeSettings?, ports: [String]) -> [ClusterFindings.Named] {
        guard let node else { return [] }
        do throws(NATSError) {
            let layout = try ClusterLayout(prefix: node.prefix)
            let configuration = try node.configuration()
            let administrator = try ClusterAdministrator(configuration, layout: layout)
            let status = try administrator.status(of: configuration.addresses)
            return ClusterFindings.of(status) + monitors(ports) + [key(configuration)]
                + roundTrips(configuration)
                + (try race(configuration, layout, replicas: status.description?.replicas))
        } catch {
            return [("cluster", .fault(error.description))]
        }
    }

    private static func key(_ configuration: NATSConfiguration) -> ClusterFindings.Named {
        let notes = Serve.notes(of: configuration.clusterKeys)
        return ("key", notes.isEmpty ? .ok("messages between nodes are proved") : .note(notes[0]))
    }

    // MARK: Storage

    private static func monitors(_ texts: [String]) -> [ClusterFindings.Named] {
        guard !texts.isEmpty else {
            return [
                (
                    "sync",
                    .note(
                        "whether servers write to the disk before they acknowledge was not looked at; give --cluster-monitor http://HOST:8222 for each"
                    )
                )
            ]
        }
        return texts.map { ("sync \($0)", sync($0)) }
    }

    private static func sync(_ text: String) -> Finding {
        guard let port = MonitoringPort(text) else {
            return .fault("it is no monitoring port; write http://HOST:8222")
        }
        switch port.storageSettings() {
        case .failure(let failure):
            return .fault(
                "it does not answer: \(failure.reason); set http in the server's configuration, or correct the address"
            )
        case .success(let settings) where settings.syncsAlways:
            return .ok("every message is on the disk before it is acknowledged")
        case .success(let settings):
            return .fault(
                "messages are written to the disk every \(settings.syncIntervalSeconds.text(digits: 0)) s, so a power failure of all machines loses acknowledged ones; set sync_interval: always in the jetstream section"
            )
        }
    }

    // MARK: Time

    private static func roundTrips(_ configuration: NATSConfiguration) -> [ClusterFindings.Named] {
        configuration.addresses.map { address in
            let finding: Finding =
                switch RoundTrip.measure(configuration, to: address) {
                case .success(let time): .ok("\(milliseconds(time)) ms")
                case .failure(let error): .fault(error.description)
                }
            return ("round trip \(address)", finding)
        }
    }

    private static func milliseconds(_ time: Duration) -> String {
        (time / .milliseconds(1)).text(digits: 1)
    }

    // MARK: Fence

    private static func race(
        _ configuration: NATSConfiguration, _ layout: ClusterLayout, replicas: Int?
    ) throws(NATSError) -> [ClusterFindings.Named] {
        // Without a cluster there is nothing that says on how many servers it would be tried.
        guard let replicas else { return [] }
        let race = try FenceRace.run(configuration, layout: layout, replicas: replicas)
        return [("fence", fence(race)), ("commits", commits(race))]
    }

    private static func fence(_ race: FenceRace) -> Finding {
        guard race.refusals.isEmpty else {
            return .fault(race.refusals.sorted().joined(separator: "; "))
        }
        guard race.doubled == 0, race.mismatches == 0 else {
            return .fault(
                "in \(race.doubled) of \(FenceRace.rounds) races two publishers won, and \(race.mismatches) messages differ from what was acknowledged: two nodes could own one shard; run nats-server \(ReleaseVersion.leastServer) or newer on all servers, and do not serve before this check passes"
            )
        }
        guard race.roundsWon > 0 else {
            return .fault(
                "nobody won any of \(FenceRace.rounds) races, \(race.unknown) publishes had no answer; look at the streams' leaders: scenesync cluster status"
            )
        }
        let text =
            "\(race.roundsWon) of \(FenceRace.rounds) races of \(FenceRace.publishers) publishers had one winner"
        return race.unknown + race.roundsWithoutWinner == 0
            ? .ok(text)
            : .note(
                "\(text), \(race.roundsWithoutWinner) none, \(race.unknown) publishes had no answer; run it again when the servers are not busy"
            )
    }

    private static func commits(_ race: FenceRace) -> Finding {
        guard let longest = race.commits.last else {
            return .fault(
                "no publish was acknowledged; look at the streams' leaders: scenesync cluster status"
            )
        }
        let median = race.commits[race.commits.count / 2]
        let text = "median \(milliseconds(median)) ms, longest \(milliseconds(longest)) ms"
        return median <= commitMedianMaximum
            ? .ok(text)
            : .note(
                "\(text); put the servers' stores on faster disks, or the machines closer together")
    }
}
