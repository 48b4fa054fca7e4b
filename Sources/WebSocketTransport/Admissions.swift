import Synchronization

/// How many sockets and connections there are, of all and of each address; shared by the acceptor
/// and the loops.
final class Admissions: Sendable {
    /// The reason for which a connection is not admitted.
    enum Refusal {
        case tooMany
        case tooManyOfAddress
        case draining
    }

    private struct Counts {
        var sockets = 0
        var connections = 0
        var ofAddress: [AddressGroup: Int] = [:]
        var socketsOfAddress: [AddressGroup: Int] = [:]
        var handshakes = AddressRates()
        var isDraining = false
        var outOfDescriptors = 0
        var connectionsMaximum: Int
        var eachAddress: AddressLimits
        var thisMachine: AddressLimits
        let requestsMaximum: Int

        func limits(of group: AddressGroup) -> AddressLimits {
            group.isThisMachine ? thisMachine : eachAddress
        }
    }

    private let counts: Mutex<Counts>
    /// Their sockets are those of all their clients, whose connections are counted by the clients'
    /// addresses.
    private let proxies: Set<AddressGroup>

    init(_ configuration: ServerConfiguration) {
        proxies = Set(configuration.trustedProxies.map { AddressGroup($0) })
        counts = Mutex(
            Counts(
                connectionsMaximum: configuration.connectionsMaximum,
                eachAddress: configuration.eachAddress, thisMachine: configuration.thisMachine,
                requestsMaximum: configuration.requestsMaximum))
    }

    /// Changes the limits for connections that come from now on.
    func setMaxima(
        connections: Int, eachAddress: AddressLimits, thisMachine: AddressLimits
    ) {
        counts.withLock {
            $0.connectionsMaximum = connections
            $0.eachAddress = eachAddress
            $0.thisMachine = thisMachine
        }
    }

    /// Counts a socket in; false when there are too many that are not connections yet, or too many
    /// of its address: one address that says nothing must not hold the sockets that all share.
    func addSocket(_ address: String) -> Bool {
        let group = AddressGroup(address)
        return counts.withLock { counts in
            guard counts.sockets - counts.connections < counts.requestsMaximum else { return false }
            let mine = counts.socketsOfAddress[group] ?? 0
            let maximum = 2 * counts.limits(of: group).connections
            guard maximum == 0 || mine < maximum || proxies.contains(group) else { return false }
            counts.sockets += 1
            counts.socketsOfAddress[group] = mine + 1
            return true
        }
    }

    func removeSocket(_ address: String) {
        let group = AddressGroup(address)
        counts.withLock { counts in
            counts.sockets -= 1
            let rest = (counts.socketsOfAddress[group] ?? 1) - 1
            counts.socketsOfAddress[group] = rest > 0 ? rest : nil
        }
    }

    /// Counts an opening handshake, whatever becomes of it.
    ///
    /// - Returns: 0, or the nanoseconds after which its address may try again.
    func addHandshake(_ address: String) -> UInt64 {
        counts.withLock { counts in
            let group = AddressGroup(address)
            return counts.handshakes.take(
                of: group, perSecond: counts.limits(of: group).handshakesPerSecond,
                now: MonotonicClock.nanoseconds)
        }
    }

    /// Counts a connection in, unless there are too many.
    func addConnection(_ address: String) -> Refusal? {
        counts.withLock { counts in
            guard !counts.isDraining else { return .draining }
            guard counts.connections < counts.connectionsMaximum else { return .tooMany }
            let group = AddressGroup(address)
            let mine = counts.ofAddress[group] ?? 0
            let maximum = counts.limits(of: group).connections
            guard maximum == 0 || mine < maximum else { return .tooManyOfAddress }
            counts.connections += 1
            counts.ofAddress[group] = mine + 1
            return nil
        }
    }

    func removeConnection(_ address: String) {
        counts.withLock { counts in
            counts.connections -= 1
            let group = AddressGroup(address)
            let rest = (counts.ofAddress[group] ?? 1) - 1
            counts.ofAddress[group] = rest > 0 ? rest : nil
        }
    }

    /// Admits no connection from now on.
    func drain() { counts.withLock { $0.isDraining = true } }

    func noteOutOfDescriptors() { counts.withLock { $0.outOfDescriptors += 1 } }

    /// Sockets, connections among them, and how often a socket was refused for want of descriptors.
    var summary: (sockets: Int, connections: Int, outOfDescriptors: Int) {
        counts.withLock { ($0.sockets, $0.connections, $0.outOfDescriptors) }
    }
}
