import Foundation
import LayoutValues
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneTestSupport
import SceneWire
import Testing

/// `EarlierJournal/` holds the journal of an earlier build, killed once and ended twice, of three
/// rooms with random ops of every kind; `rooms.json` is what that build's viewer showed of each
/// room afterwards.
@Suite("Journals of an earlier build")
struct EarlierJournalTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("EarlierJournal")

    private struct Room: Decodable {
        var hash: String
        var frames: [String: [Double]]
    }

    /// Opens an unpacked copy of the journal.
    private func open(_ body: (SQLiteStore) throws -> Void) throws {
        let copy = FileManager.default.temporaryDirectory
            .appendingPathComponent("scenesync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: copy) }
        let packed = copy.appendingPathComponent("journal.sqlite.gz")
        try FileManager.default.copyItem(
            at: Self.folder.appendingPathComponent("journal.sqlite.gz"), to: packed)
        let gunzip = try ChildProcess(["/usr/bin/env", "gunzip", packed.path])
        try #require(gunzip.terminationStatus == 0)
        let store = try SQLiteStore(directory: copy.path)
        defer { store.finish() }
        try body(store)
    }

    @Test("each room opens with the frames and the state hash that it had")
    func opens() throws {
        let rooms = try JSONDecoder().decode(
            [String: Room].self,
            from: Data(contentsOf: Self.folder.appendingPathComponent("rooms.json")))
        try open { store in
            #expect(try store.rooms().sorted() == rooms.keys.sorted())
            for (name, room) in rooms {
                let records = try store.records(of: name)
                #expect(!records.isEmpty)
                let model = try JournalReplay(records).timeline.model
                #expect(ViewHash.text(model.stateHash) == room.hash, "room \(name)")
                let frames = model.frames().map { ($0.id, $0.rect) }
                #expect(frames.count == room.frames.count, "room \(name)")
                for (id, rect) in frames {
                    #expect(
                        [rect.minX, rect.minY, rect.width, rect.height] == room.frames[id],
                        "\(name): \(id)")
                }
            }
        }
    }
}
