/// The pictures of a scene: which are here, which have been asked for, and which cannot be had.
///
/// It does no I/O: `takeRequests` says what to fetch, and `take` receives what came of it. Times
/// are seconds of a monotonic clock.
public struct PictureShelf: Sendable {
    /// What is known of a picture.
    enum Content {
        case loading
        case ready(ScenePicture)
        case failed(String)
    }

    private enum State {
        /// To be asked for, once that time has come.
        case due(Double, failure: String?)
        case asked
        case ready(ScenePicture)
        /// No attempt will follow.
        case refused(String)
    }

    private struct Entry {
        var state: State
        var failureCount = 0
        /// The number of the last `want` that named it.
        var use: UInt64
    }

    /// Bytes of pictures that are kept.
    static let byteMaximum = 64 << 20
    /// Pictures that are known at all; those that are not visible are forgotten beyond it.
    static let countMaximum = 1024
    /// Requests at a time.
    static let requestMaximum = 4
    /// Seconds until the first repetition, which double with each, and the most.
    static let patience = (first: 1.0, most: 60.0)

    /// Whether pictures are shown at all.
    let isEnabled: Bool
    /// Whether a cell can have two colours, one above the other: characters are not ASCII alone.
    let hasHalves: Bool
    private var entries: [String: Entry] = [:]
    private var use: UInt64 = 0
    private var byteCount = 0
    /// A number that changes with what is known.
    private(set) var revision: UInt64 = 0

    /// A shelf for scenes without pictures.
    public init() {
        isEnabled = false
        hasHalves = true
    }

    /// An empty shelf.
    ///
    /// Without colours there are no pictures.
    public init(colors: ColorDepth, encoding: TextEncoding) {
        isEnabled = colors != .none
        hasHalves = encoding == .utf8
    }

    /// A shelf with pictures, for a scene that is drawn once.
    ///
    /// - Parameter fetch: Called for each picture once, while there is memory for more; not at all
    ///   without colours.
    public init(
        colors: ColorDepth, encoding: TextEncoding, hashes: some Sequence<String>,
        fetch: (String) -> Result<ScenePicture, PictureFailure>
    ) {
        self.init(colors: colors, encoding: encoding)
        want(hashes)
        while case let due = takeRequests(now: 0), !due.isEmpty {
            for hash in due { take(fetch(hash), of: hash, now: 0) }
        }
    }

    /// What is known of a picture; nil where pictures are not shown.
    subscript(hash: String) -> Content? {
        guard isEnabled else { return nil }
        return switch entries[hash]?.state {
        case .ready(let picture): .ready(picture)
        case .refused(let text): .failed(text)
        case .due(_, let failure?): .failed(failure)
        case .due, .asked, nil: .loading
        }
    }

    /// Names the visible pictures. Complexity: O(hashes), beyond `countMaximum` O(known).
    mutating func want(_ hashes: some Sequence<String>) {
        guard isEnabled else { return }
        use += 1
        for hash in hashes {
            if entries[hash] == nil {
                entries[hash] = Entry(state: .due(-.infinity, failure: nil), use: use)
            } else {
                entries[hash]?.use = use
            }
        }
        if entries.count > Self.countMaximum {
            for (hash, entry) in entries where entry.use != use { remove(hash) }
        }
    }

    /// The pictures to fetch now, a few at a time.
    mutating func takeRequests(now: Double) -> [String] {
        let due = due.filter { $0.time <= now }
        guard !due.isEmpty else { return [] }
        let asked = entries.values.count { if case .asked = $0.state { true } else { false } }
        let hashes = due.prefix(max(0, Self.requestMaximum - asked)).map(\.hash)
        for hash in hashes { entries[hash]?.state = .asked }
        return hashes
    }

    /// The visible pictures that wait for an attempt, in the order of their times.
    private var due: [(hash: String, time: Double)] {
        guard isEnabled else { return [] }
        return entries.compactMap { hash, entry in
            guard entry.use == use, case .due(let time, _) = entry.state else { return nil }
            return (hash, time)
        }.sorted { ($0.time, $0.hash) < ($1.time, $1.hash) }
    }

    /// The time of the next request; nil if there is none, or too many are under way.
    var deadline: Double? {
        guard let first = due.first else { return nil }
        let asked = entries.values.count { if case .asked = $0.state { true } else { false } }
        return asked < Self.requestMaximum ? first.time : nil
    }

    /// Receives a picture, or the reason why there is none.
    public mutating func take(
        _ result: Result<ScenePicture, PictureFailure>, of hash: String, now: Double
    ) {
        guard isEnabled, var entry = entries[hash] else { return }
        revision += 1
        switch result {
        case .success(let picture):
            if makeRoom(for: picture.byteCount) {
                entry.state = .ready(picture)
                byteCount += picture.byteCount
            } else {
                fail(&entry, "too many pictures at a time", now)
            }
        case .failure(let failure) where failure.isFinal: entry.state = .refused(failure.text)
        case .failure(let failure): fail(&entry, failure.text, now)
        }
        entries[hash] = entry
    }

    private func fail(_ entry: inout Entry, _ text: String, _ now: Double) {
        // Doubling more often would not matter.
        let doublings = Double(1 << min(entry.failureCount, 16))
        entry.failureCount += 1
        let wait = min(Self.patience.first * doublings, Self.patience.most)
        entry.state = .due(now + wait, failure: text)
    }

    /// Drops pictures that are not visible, the least recently used first.
    ///
    /// - Returns: Whether that many bytes are free.
    private mutating func makeRoom(for bytes: Int) -> Bool {
        while byteCount + bytes > Self.byteMaximum {
            let hidden = entries.filter { _, entry in
                if case .ready = entry.state { entry.use != use } else { false }
            }
            guard let oldest = hidden.min(by: { $0.value.use < $1.value.use }) else {
                return false
            }
            remove(oldest.key)
        }
        return true
    }

    private mutating func remove(_ hash: String) {
        if case .ready(let picture) = entries.removeValue(forKey: hash)?.state {
            byteCount -= picture.byteCount
        }
    }
}
