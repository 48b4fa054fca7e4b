import Foundation
import Pictures
import SceneWire
import Testing

@testable import SceneStore

@Suite("The pictures of rooms")
struct BlobStoreTests {
    /// A GIF of 3 × 2 pixels; the last bytes tell one from another.
    private func picture(_ mark: UInt8 = 0, count: Int = 0) -> [UInt8] {
        Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0, 0x2C, mark]
            + [UInt8](repeating: 0, count: count)
    }

    private func folder() -> String {
        FileManager.default.temporaryDirectory.path + "/blobs-\(UUID().uuidString)"
    }

    @Test(
        "a picture has the hash of its bytes and is there after another start",
        arguments: [true, false])
    func keeps(onDisk: Bool) throws {
        let directory = onDisk ? folder() : nil
        defer { if let directory { try? FileManager.default.removeItem(atPath: directory) } }
        let store = BlobStore(directory: directory)
        let blob = try store.put(picture(), room: "a")
        // printf 'GIF89a\3\0\2\0\0\0\0,\0' | sha256sum
        #expect(blob.hash == "bc0af63dfe4e1769b274e8d03691440d5429e3280beb2f13abd245435e6e1f53")
        #expect(blob.picture.width == 3 && blob.picture.height == 2 && blob.picture.type == .gif)
        #expect(store.bytes(of: blob.hash) == picture())
        #expect(store.blob(blob.hash, in: "a") == blob)
        #expect(store.blob(blob.hash, in: "b") == nil)
        guard onDisk else { return }
        let again = BlobStore(directory: directory)
        #expect(again.blob(blob.hash, in: "a") == blob)
        #expect(again.rooms(having: blob.hash) == ["a"])
    }

    @Test("a blob is one file, however many rooms have it, and goes with the last of them")
    func shares() throws {
        let directory = folder()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = BlobStore(directory: directory)
        let hash = try store.put(picture(), room: "a").hash
        #expect(try store.put(picture(), room: "b").hash == hash)
        #expect(store.rooms(having: hash) == ["a", "b"])
        store.keep([], in: "a")
        #expect(store.bytes(of: hash) == picture())
        #expect(store.blob(hash, in: "a") == nil)
        store.keep([], in: "b")
        #expect(store.bytes(of: hash) == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(files == ["rooms"])
    }

    @Test("an old picture that an op has asked for stays, since a record may name it soon")
    func asked() throws {
        let directory = folder()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let hashes = try {
            let store = BlobStore(directory: directory)
            return [
                try store.put(picture(1), room: "a").hash,
                try store.put(picture(2), room: "a").hash,
            ]
        }()
        for hash in hashes {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000)],
                ofItemAtPath: directory + "/rooms/a/" + hash)
        }
        let store = BlobStore(directory: directory)
        #expect(store.blob(hashes[0], in: "a") != nil)
        #expect(store.collect("a", namedBy: [], before: 2_000) == 1)
        #expect(store.hashes(of: "a") == [hashes[0]])
    }

    @Test("a picture that is brought while others are removed is there once it is answered")
    func contended() throws {
        let directory = folder()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = BlobStore(directory: directory)
        let pictures = (0..<3).map { picture($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for step in 0..<100 {
                if number == 0 {
                    store.keep([], in: "a")
                } else {
                    _ = try? store.put(pictures[(number + step) % 3], room: "a")
                }
            }
        }
        for hash in store.hashes(of: "a") { #expect(store.bytes(of: hash) != nil) }
        for picture in pictures {
            let hash = try store.put(picture, room: "a").hash
            #expect(store.bytes(of: hash) == picture)
        }
    }

    @Test("a room's file has its record and pictures; without pictures it is the record alone")
    func file() throws {
        var chain = Chain(room: "a")
        let record = chain.next(.snapshot).record
        #expect(RoomFile(record).bytes == record.encoded())
        #expect(try RoomFile(record.encoded()) == RoomFile(record))
        let whole = RoomFile(record, pictures: [picture(1), [], picture(2, count: 300)])
        let bytes = whole.bytes
        #expect(try RoomFile(bytes) == whole)
        for count in [0, 5, 10, 17, 18, 30, bytes.count - 9, bytes.count - 1] {
            #expect(throws: DecodeError.self) { try RoomFile(Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            var harmed = bytes
            harmed[place] ^= 4
            #expect(throws: DecodeError.self) { try RoomFile(harmed) }
        }
    }

    @Test("a room's pictures are counted, and those that are kept stay")
    func counts() throws {
        let store = BlobStore(directory: nil, byteMaximum: 40, roomByteMaximum: 50)
        let first = try store.put(picture(1, count: 5), room: "a").hash
        let second = try store.put(picture(2, count: 10), room: "a").hash
        #expect(store.byteCount(of: "a") == 45)
        #expect(throws: BlobError.roomIsFull(bytes: 60, maximum: 50)) {
            try store.put(picture(3), room: "a")
        }
        // The same one again takes no more, and another room has room.
        #expect(try store.put(picture(1, count: 5), room: "a").hash == first)
        #expect(try store.put(picture(3), room: "b").byteCount == 15)
        #expect(throws: BlobError.tooLong(bytes: 41, maximum: 40)) {
            try store.put(picture(3, count: 26), room: "c")
        }
        store.keep([second], in: "a")
        #expect(store.hashes(of: "a") == [second])
        #expect(store.byteCount(of: "a") == 25)
    }

    @Test("what no record names is collected once it is old")
    func collects() throws {
        let store = BlobStore(directory: nil)
        let (named, other) = (
            try store.put(picture(1), room: "a").hash, try store.put(picture(2), room: "a").hash
        )
        let payloads = [Array("{}".utf8), Array(#"{"image":"\#(named)","x":"\#(other)0"}"#.utf8)]
        #expect(store.collect("a", namedBy: payloads, before: 0) == 0)
        #expect(store.rooms == ["a"] && store.hashes(of: "a").count == 2)
        let later = Int64(Date().timeIntervalSince1970) + 10
        #expect(store.collect("a", namedBy: payloads, before: later) == 1)
        #expect(store.hashes(of: "a") == [named])
        #expect(store.collect("a", namedBy: [], before: later) == 1)
        #expect(store.rooms.isEmpty)
        #expect(store.collect("b", namedBy: [], before: later) == 0)
    }

    @Test("names that are no hashes name no files")
    func names() throws {
        let directory = folder()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = BlobStore(directory: directory)
        _ = try store.put(picture(), room: "a")
        for name in ["", "rooms", "../a", String(repeating: "A", count: 64), "..", "rooms/a"] {
            #expect(store.bytes(of: name) == nil)
        }
        #expect(throws: BlobError.picture(.unknownType)) {
            try store.put(Array("<svg/>".utf8), room: "a")
        }
    }

    @Test("a file that was cut off while it was written is written again")
    func partial() throws {
        let directory = folder()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let hash = try BlobStore(directory: nil).put(picture(), room: "a").hash
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try Data([1, 2]).write(to: URL(fileURLWithPath: directory + "/" + hash))
        let store = BlobStore(directory: directory)
        #expect(store.bytes(of: hash) == nil)
        _ = try store.put(picture(), room: "a")
        #expect(store.bytes(of: hash) == picture())
    }

    @Test("what cannot be written is an error, and nothing is kept")
    func disk() {
        let store = BlobStore(directory: "/proc/blobs")
        #expect {
            try store.put(picture(), room: "a")
        } throws: { error in
            if case BlobError.disk? = error as? BlobError { true } else { false }
        }
        #expect(store.hashes(of: "a").isEmpty)
    }
}
