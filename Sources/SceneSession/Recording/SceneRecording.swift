public import SceneDocument
import SceneModel
public import SceneWire

/// What the members of a room received in a range of ticks, built from its journal.
public struct SceneRecording: Sendable {
    /// How the units of frames and the text grid are to be shown.
    public struct Metrics: Sendable, Equatable {
        /// Units of the wire in a point.
        public var unitsPerPoint: Double
        /// The cell of the text grid, in points.
        public var cell: Size
        /// Pixels in a point.
        public var scale: Double
    }

    /// The messages of one tick.
    public struct Moment: Sendable, Equatable {
        /// The tick.
        public var tick: UInt64
        /// Whether they are the whole scene rather than changes.
        public var isWhole: Bool
        /// The metrics, where they are not those of the moment before.
        public var metrics: Metrics?
        /// The state hash after them; not of every moment.
        public var stateHash: UInt64?
        /// The messages in the binary format.
        public var messages: [[UInt8]]
    }

    /// The scene on one device.
    public struct Track: Sendable, Equatable {
        /// The device's name; empty for the viewport that all share.
        public var device: String
        /// Its moments in the order of their ticks; the first is whole.
        public var moments: [Moment]
    }

    /// A comment, or the name of a version.
    public struct Caption: Sendable, Equatable {
        /// The tick at which it was made.
        public var tick: UInt64
        /// The name of its author.
        public var author: String
        /// The text.
        public var text: String
    }

    /// The reason why there is no recording.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The journal cannot be replayed.
        case journal(JournalPlayer.Failure)
        /// The scene does not name such a device, or cannot be laid out for it.
        case device(String, reason: String)
        /// The replay has another scene than the messages lead to.
        case diverged(tick: UInt64)

        /// The text for people.
        public var description: String {
            switch self {
            case .journal(let failure): failure.description
            case .device(let name, let reason): "device \"\(name)\": \(reason)"
            case .diverged(let tick):
                "at tick \(tick) the messages lead to another scene than the journal"
            }
        }
    }

    /// Which devices are recorded.
    public enum Devices: Sendable {
        /// The viewport that all share, and every device that the scene names at the beginning.
        case all
        /// The viewport that all share.
        case shared
        /// These devices of the scene.
        case named([String])
    }

    /// The recorded ticks.
    public let ticks: ClosedRange<UInt64>
    /// Ticks in a second.
    public let tickRate: Int
    /// One for each device.
    public let tracks: [Track]
    /// What was said in the recorded ticks, in order.
    public let captions: [Caption]
    /// A sentence for each part of the journal that could not be replayed as recorded.
    public let notes: [String]

    /// Replays a room's journal.
    ///
    /// - Parameters:
    ///   - records: From a snapshot at or before the first tick on.
    ///   - ticks: The ticks to record.
    ///   - devices: The devices; a track for each.
    ///   - animatesLocally: Whether moving views are told once, for renderers that animate them, or
    ///     at each tick.
    /// - Throws: `Failure`.
    /// - Complexity: That of a replay, and of its layouts on each device.
    public init(
        _ records: [JournalRecord], ticks: ClosedRange<UInt64>, devices: Devices = .all,
        animatesLocally: Bool
    ) throws(Failure) {
        var recorder: RoomRecorder
        do throws(JournalPlayer.Failure) {
            let player = try JournalPlayer(records, tracksUndo: false)
            var budget = Int.max
            let first = player.tick
            recorder = RoomRecorder(player, animatesLocally: animatesLocally)
            recorder.follow(devices)
            try player.advance(
                to: ticks.lowerBound, budget: &budget, observing: first
            ) { tick, _ in recorder.note(tick, isRecorded: false) }
            recorder.begin(devices, at: ticks.lowerBound)
            if recorder.failure == nil {
                try player.advance(
                    to: ticks.upperBound, budget: &budget, observing: ticks.lowerBound + 1
                ) { tick, _ in recorder.note(tick, isRecorded: true) }
            }
            tickRate = player.tickRate
            notes = player.notes
        } catch {
            throw .journal(error)
        }
        if let failure = recorder.failure { throw failure }
        recorder.end()
        self.ticks = ticks
        (tracks, captions) = (recorder.tracks, recorder.captions)
    }
}
