import SceneDocument
import SceneModel
public import SceneWire

/// Opens a room from its journal.
public struct JournalReplay {
    /// The reason why a journal cannot be replayed.
    public typealias Failure = JournalPlayer.Failure

    /// The scene after the last record.
    public let timeline: SceneTimeline
    /// The last epoch.
    public let epoch: UInt64
    /// The tick of the last record, whose cycle has run.
    public let tick: UInt64
    /// The room's tick rate.
    public let tickRate: Int
    /// The last record's sequence and checksum, which the next record continues.
    public let last: (sequence: UInt64, checksum: UInt64)
    /// The records from the last snapshot on, from which the scene was rebuilt.
    let records: [JournalRecord]
    /// A sentence for each part that could not be read or replayed as recorded, and how the replay
    /// continued; usually none.
    public let notes: [String]
    /// What may look different from how the scene was last shown, as a sentence; nil if nothing
    /// does.
    public let layoutNote: String?
    /// Whether the last snapshot was laid out by the rules of an earlier release.
    let isOfEarlierRules: Bool
    let clients: ClientRegistry
    /// Units of work to build the scene of the last snapshot, and to replay the rest.
    let (snapshotWork, workSinceSnapshot): (UInt64, UInt64)
    /// The members' baselines, and the history for members that resume.
    let streams: [BroadcastStream]

    /// Replays records, oldest first; records before the last snapshot are only checked for
    /// integrity. If that snapshot is unreadable, the replay starts at the one before it, if the
    /// records include it.
    ///
    /// - Parameter through: The last tick to replay; `nil` means all.
    /// - Throws: `Failure`.
    public init(_ records: [JournalRecord], through: UInt64? = nil) throws(Failure) {
        try self.init(records, through: through, options: SessionOptions(), recalls: 0)
    }

    /// Replays for a session that continues from here.
    ///
    /// - Parameters:
    ///   - recalls: The number of last ticks whose changes are kept, for members that resume.
    ///   - workLimit: Units of work for the replay; beyond them it fails with `tooExpensive`.
    /// - Throws: `Failure` for records that do not follow one another or cannot be read, and for a
    ///   replay that is too dear.
    public init(
        _ records: [JournalRecord], options: SessionOptions, recalls: UInt64 = 600,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        try self.init(
            records, through: nil, options: options, recalls: recalls, workLimit: workLimit)
    }

    /// The same with all options.
    init(
        _ records: [JournalRecord], through: UInt64?, options: SessionOptions, recalls: UInt64,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        let shadow = try ShadowRoom(
            records, through: through, options: options, recalls: recalls, workLimit: workLimit)
        try self.init(shadow, through: through ?? shadow.last.tick)
    }

    /// Ends the replay of a room that was followed, and must not be used any more.
    ///
    /// - Throws: `Failure`, if the records of the last tick cannot be replayed.
    public init(_ shadow: ShadowRoom) throws(Failure) {
        try self.init(shadow, through: shadow.last.tick)
    }

    private init(_ shadow: ShadowRoom, through target: UInt64) throws(Failure) {
        try shadow.advance(to: target)
        let player = shadow.player
        timeline = player.timeline
        timeline.model.workLimit = .max
        epoch = shadow.last.epoch
        tick = max(player.tick, shadow.last.tick)
        tickRate = player.tickRate
        last = (shadow.last.sequence, shadow.last.checksum)
        records = player.records
        notes = player.notes
        let faces = Self.facesNote(timeline.model.missingFaces)
        layoutNote =
            player.layoutNote.map { note in faces.map { "\(note); \($0)" } ?? note } ?? faces
        isOfEarlierRules = timeline.model.repeatsEarlierRules
        timeline.model.repeatsEarlierRules = false
        clients = player.clients
        (snapshotWork, workSinceSnapshot) = (player.snapshotWork, player.workSinceSnapshot)
        streams = shadow.recorder.streams
    }

    private static func facesNote(_ missing: [FaceSpec]) -> String? {
        guard !missing.isEmpty else { return nil }
        let names = missing.map { "\($0.name) \($0.weight) (SHA-256 \($0.hash))" }
        return "not here are the faces \(names.joined(separator: ", ")): text keeps its measures, "
            + "new text is measured in other faces; put their files into the folder of --fonts"
    }
}
