import ArgumentParser
import FoundationEssentials
import SceneModel
import SceneSession
import SceneStore
import SceneWire

/// Restores rooms whose journals are damaged.
struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what can be restored of damaged rooms, and restore it.",
        discussion: """
            A server puts a room aside whose journal is damaged, and leaves every byte of it. Without \
            --apply nothing is changed: each damaged room is listed with the damage, and with what is to be \
            had, as a scene with its number of views and its hash:
              before   the scene by the records before the damage
              behind   the same, with the records behind the damage replayed on it as far as they fit; \
            exact if only a snapshot was lost that repeats the scene
              present  the scene by the last snapshot and all records after it: only the past is damaged
            --apply restores it: behind or present, unless --take says otherwise. The server must not be running. The \
            whole journal is copied beside the old one first, to before-repair-TIME. Exits with 1 while \
            damage remains.
            """)

    /// What becomes of a damaged room.
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case before
        case behind
        case nothing
    }

    @Option(help: "The directory of the journal.")
    var data = ".scenesync"

    @Flag(help: "Restore the rooms.")
    var apply = false

    @Option(help: "What to restore: before, behind, or nothing, which deletes the room.")
    var take = Choice.behind

    @Argument(help: "The rooms; all damaged ones by default.")
    var rooms: [String] = []

    func validate() throws {
        guard take != .nothing || !rooms.isEmpty else {
            throw ValidationError("name the rooms that --take nothing deletes")
        }
    }

    func run() throws {
        let remaining: Int
        do throws(StoreError) {
            remaining = try damageLeft(in: try SQLiteStore(directory: data, isReadOnly: !apply))
        } catch {
            throw Output.failure(error)
        }
        guard remaining > 0 else { return Output.result("the journal is whole") }
        throw Output.failure(
            .failure, "the journal is damaged",
            try: apply
                ? "restore a backup, or delete them with --take nothing"
                : "--apply restores what is behind the damage, --take before what was before it")
    }

    /// Lists the damaged rooms, and restores them where that is asked for.
    ///
    /// - Returns: The number of rooms that are still damaged.
    private func damageLeft(in store: SQLiteStore) throws(StoreError) -> Int {
        let damaged = try store.damagedRooms()
        let chosen = damaged.filter { rooms.isEmpty || rooms.contains($0.room) }
        for room in rooms where !damaged.contains(where: { $0.room == room }) {
            Output.result("room \(room) is not damaged")
        }
        var remaining = damaged.count
        let groups = try store.damagedGroups()
        if apply, !chosen.isEmpty || !groups.isEmpty {
            let copy = try store.copyJournal(into: "before-repair-\(Self.stamp)")
            Output.note("the journal as it was is in \(copy)")
        }
        for damage in chosen {
            let remains = Remains(try store.pieces(of: damage.room))
            Output.result("\(damage)")
            for line in remains.lines { Output.result("  \(line)") }
            if apply, try restore(damage.room, remains, store) { remaining -= 1 }
        }
        // The groups that damaged rooms need are told with them.
        if damaged.isEmpty, !groups.isEmpty {
            let numbers = groups.map(String.init).joined(separator: ", ")
            Output.result("damaged groups that no room needs: \(numbers)")
            remaining = 1
        }
        if apply {
            if damaged.isEmpty || remaining == 0 {
                try store.removeDamagedGroups()
                remaining = 0
            }
            store.finish()
        }
        return remaining
    }

    /// - Returns: Whether the room is whole now.
    private func restore(
        _ room: String, _ remains: Remains, _ store: SQLiteStore
    ) throws(StoreError) -> Bool {
        let now = Int64(Date().timeIntervalSince1970)
        guard take != .nothing else {
            try store.delete(room)
            Output.result("  deleted")
            return true
        }
        guard let (index, next) = remains.restoration(before: take == .before) else {
            Output.note("room \(room): nothing can be restored; --take nothing deletes it")
            return false
        }
        try store.restore(room, to: remains.pieces[index], then: next, time: now)
        Output.result("  restored")
        return true
    }

    /// The time for the name of a directory, such as `20261129T101500Z`.
    private static var stamp: String {
        Date().formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
    }
}

/// The remains of a room, and the scenes that they lead to, for people.
private struct Remains {
    let pieces: [JournalPiece]
    private let remains: JournalRemains

    init(_ pieces: [JournalPiece]) {
        self.pieces = pieces
        remains = JournalRemains(pieces)
    }

    func restoration(before isBefore: Bool) -> (piece: Int, next: [JournalRecord])? {
        remains.restoration(before: isBefore)
    }

    /// The lines for people.
    var lines: [String] {
        switch remains.result {
        case .none(let reason): ["nothing  \(reason)"]
        case .present(let index, let scene):
            [
                "present  \(Self.text(pieces[index])): \(Self.text(scene))"
                    + (scene.isExact ? "" : ", without the changes of records lost at the end")
            ]
        case .parted(let index, let before, let behind):
            ["before   \(Self.text(pieces[index])): \(Self.text(before))", behindLine(behind)]
                + behind.notes.map { "         left out: \($0)" }
        }
    }

    private func behindLine(_ scene: JournalSalvage) -> String {
        let places = remains.behind.map { "records \($0.lowerBound) to \($0.upperBound)" } ?? ""
        let fit =
            scene.leftOut == 0 ? "all fit" : "\(scene.leftOut) fit in part or not at all"
        return "behind   \(places), \(fit): \(Self.text(scene))"
            + (scene.isExact ? ", exact" : ", without the changes of the lost records")
    }

    private static func text(_ piece: JournalPiece) -> String {
        guard let first = piece.records.first, let last = piece.records.last else { return "" }
        return "records \(first.sequence) to \(last.sequence)"
    }

    private static func text(_ scene: JournalSalvage) -> String {
        let model = scene.timeline.model
        return
            "tick \(scene.tick), \(model.frames().count) views, hash \(ViewHash.text(model.stateHash))"
    }
}
