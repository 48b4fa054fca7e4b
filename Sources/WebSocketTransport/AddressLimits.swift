import Glibc

/// The limits of each address, so that one network cannot take what all share.
public struct AddressLimits: Sendable, Equatable {
    /// WebSocket connections at one time; 0 for no limit. Sockets, requests and unfinished
    /// handshakes among them, may be twice as many.
    public var connections: Int
    /// Opening handshakes in a second on average; 0 for no limit. `AddressRates.burstSeconds` as
    /// many may come at once.
    public var handshakesPerSecond: Int

    /// Makes limits; without any, all is allowed.
    public init(connections: Int = 0, handshakesPerSecond: Int = 0) {
        self.connections = connections
        self.handshakesPerSecond = handshakesPerSecond
    }
}

/// What one client has for certain: an IPv4 address, or the network of 64 bits that an IPv6 address
/// is in, of which every host may take as many addresses as it likes. RFC 4291, section 2.5.4.
public struct AddressGroup: Hashable, Sendable {
    private enum Name: Hashable {
        case address(UInt32)
        case network(UInt64)
        /// What is no address, such as one with a zone.
        case text(String)
    }

    private let name: Name
    /// Whether the address is one of this machine's own.
    public let isThisMachine: Bool

    /// Whether the text was an IPv4 or IPv6 address without a zone.
    public var isAddress: Bool {
        switch name {
        case .address, .network: true
        case .text: false
        }
    }

    /// The group that an address belongs to.
    public init(_ address: String) {
        isThisMachine = isLoopbackAddress(address)
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, address, &four) == 1 {
            name = .address(four.s_addr)
        } else if inet_pton(AF_INET6, address, &six) == 1 {
            name = .network(
                withUnsafeBytes(of: six) { $0.loadUnaligned(as: UInt64.self) })
        } else {
            name = .text(address)
        }
    }
}

/// How often each address has done something lately. A value; its owner guards it.
public struct AddressRates {
    /// The seconds whose worth may come at once.
    public static let burstSeconds = 5

    private var buckets: [AddressGroup: TokenBucket] = [:]
    /// The count of buckets at which the full ones are forgotten: as many again as were left the
    /// last time.
    private var sweepCount = Self.sweepMinimum
    private static let sweepMinimum = 1024

    /// Makes rates of nothing yet.
    public init() {}

    /// Addresses that are remembered; those that have not done anything for a while are forgotten.
    var count: Int { buckets.count }

    /// Takes an amount from an address's bucket.
    ///
    /// - Parameters:
    ///   - perSecond: The amount that an address has in a second; 0 for no limit.
    ///   - now: Nanoseconds of a clock that only goes forward.
    /// - Returns: 0 where there was enough; else the nanoseconds until there is.
    /// - Complexity: O(1), amortized.
    public mutating func take(
        _ amount: Int = 1, of address: AddressGroup, perSecond: Int, now: UInt64
    ) -> UInt64 {
        guard perSecond > 0 else { return 0 }
        if buckets.count >= sweepCount {
            buckets = buckets.filter { !$0.value.isFull(now: now) }
            sweepCount = max(Self.sweepMinimum, 2 * buckets.count)
        }
        return buckets[
            address,
            default: TokenBucket(
                perSecond: perSecond, brim: Self.burstSeconds * perSecond, now: now)
        ].take(amount, now: now)
    }
}
