import SceneDocument

extension SceneMirror {
    /// About how many bytes of memory the mirror takes, besides the texts, which it has in common
    /// with what it mirrors.
    public var byteEstimate: Int {
        entries.count * (MemoryLayout<Entry>.stride + MemoryLayout<Placement>.stride + 120)
            + places.count * MemoryLayout<Int32>.stride
    }
}

/// A mirror that nothing is done with, in few bytes: the messages that make it again, as they would
/// be sent.
public struct FrozenMirror: Sendable {
    /// The tick of the state.
    public let tick: UInt64
    /// The sum of the views' hashes.
    public let stateHash: UInt64
    /// What a receiver without any state needs, as binary messages: the snapshot and the remembered
    /// selections.
    public let payloads: [[UInt8]]
    private let animations: RunningAnimations
    private let limits: Limits

    /// Freezes a mirror; `nil` for one that waits for a snapshot.
    ///
    /// - Complexity: O(views).
    public init?(_ mirror: SceneMirror) {
        guard !mirror.needsSnapshot else { return nil }
        tick = mirror.tick
        stateHash = mirror.stateHash
        animations = mirror.animations
        limits = mirror.limits
        let messages: [ServerMessage] =
            mirror.snapshots().map { .snapshot($0) } + mirror.selects.map { .select($0) }
        payloads = messages.map { message in
            var bytes: [UInt8] = []
            message.encode(to: &bytes)
            // Kept for long, so in no more memory than it needs.
            var exact: [UInt8] = []
            exact.reserveCapacity(bytes.count)
            exact.append(contentsOf: bytes)
            return exact
        }
    }

    /// The mirror again: it answers every message as the one that was frozen would have.
    ///
    /// - Returns: `nil` if the bytes are not those that were made.
    /// - Complexity: O(views).
    public func thawed() -> SceneMirror? {
        var mirror = SceneMirror(limits: limits)
        for payload in payloads {
            guard let message = try? ServerMessage.decode(payload, limits: limits),
                (try? mirror.apply(message)) == true
            else { return nil }
        }
        mirror.animations = animations
        return mirror
    }
}
