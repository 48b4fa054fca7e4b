import Digests
import Bytes
import Essentials
import Glibc
public import Pictures
import Synchronization

/// Why a blob is not kept.
public enum BlobError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is no picture that can be taken.
    case picture(PictureError)
    /// The file has too many bytes.
    case tooLong(bytes: Int, maximum: Int)
    /// The room has no room for it.
    case roomIsFull(bytes: Int, maximum: Int)
    /// The file could not be written.
    case disk(String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .picture(let error): error.description
        case .tooLong(let bytes, let maximum):
            "a picture of \(bytes) bytes; at most \(maximum) are taken"
        case .roomIsFull(let bytes, let maximum):
            "the room's pictures would have \(bytes) bytes, at most \(maximum); remove some that the scene does not name"
        case .disk(let reason): "the picture cannot be kept: \(reason)"
        }
    }
}

/// What is known of a kept blob.
public struct Blob: Hashable, Sendable {
    /// The SHA-256 of its bytes: 64 hexadecimal digits in lower case.
    public var hash: String
    /// Its type and size.
    public var picture: PictureInfo
    /// Its bytes.
    public var byteCount: Int
}

/// The pictures of rooms, by the hashes of their bytes. A blob belongs to the rooms to which it was
/// brought, and goes when none of them has it.
///
/// In a folder each blob is a file by its hash, and a link to it for each room, so that the number
/// of links says whether it is in use. A blob is on disk before `put` returns: what names it is
/// written later. May be used from any thread; calls wait for the disk.
public final class BlobStore: Sendable {
    /// The most bytes of a blob.
    public let byteMaximum: Int
    /// The most bytes of all blobs of a room.
    public let roomByteMaximum: Int
    private let folder: BlobFolder?

    private struct Entry {
        var byteCount: Int
        /// Read from the file when it is first asked for.
        var picture: PictureInfo?
        /// When it was brought or asked for last, in seconds since 1970.
        var time: Int64
    }

    private struct State {
        /// The blobs of each room, by hash.
        var rooms: [String: [String: Entry]] = [:]
        /// The bytes by hash, where there is no folder.
        var bytes: [String: [UInt8]] = [:]
    }

    private let state: Mutex<State>
    /// Held while files and `state` change together, so that a blob that is brought again does not
    /// go with the old one. Never waited for with `state` locked.
    private let disk = Mutex(())

    /// Opens the blobs of a folder, which is made when the first blob comes.
    ///
    /// - Parameter directory: The folder; nil keeps blobs in memory.
    /// - Complexity: O(blobs).
    public init(
        directory: String?, byteMaximum: Int = 4 << 20, roomByteMaximum: Int = 64 << 20
    ) {
        self.byteMaximum = byteMaximum
        self.roomByteMaximum = roomByteMaximum
        folder = directory.map { BlobFolder(path: $0) }
        var initial = State()
        for (room, blobs) in folder?.rooms() ?? [:] {
            initial.rooms[room] = blobs.mapValues {
                Entry(byteCount: $0.byteCount, picture: nil, time: $0.time)
            }
        }
        state = Mutex(initial)
    }

    /// Takes a picture in for a room.
    ///
    /// - Throws: `BlobError`; nothing has changed then.
    public func put(_ bytes: [UInt8], room: String) throws(BlobError) -> Blob {
        guard bytes.count <= byteMaximum else {
            throw .tooLong(bytes: bytes.count, maximum: byteMaximum)
        }
        let picture: PictureInfo
        do throws(PictureError) { picture = try PictureInfo(of: bytes) } catch {
            throw .picture(error)
        }
        let hash = Hexadecimal.text(SHA256Digest.of(bytes))
        try disk.withLock { (_) throws(BlobError) in
            let used = state.withLock { state in
                (state.rooms[room] ?? [:]).reduce(bytes.count) {
                    $0 + ($1.key == hash ? 0 : $1.value.byteCount)
                }
            }
            guard used <= roomByteMaximum else {
                throw .roomIsFull(bytes: used, maximum: roomByteMaximum)
            }
            if let folder { try folder.write(bytes, hash: hash, room: room) }
            state.withLock { state in
                state.rooms[room, default: [:]][hash] = Entry(
                    byteCount: bytes.count, picture: picture, time: Int64(time(nil)))
                if folder == nil { state.bytes[hash] = bytes }
            }
        }
        return Blob(hash: hash, picture: picture, byteCount: bytes.count)
    }

    /// A blob of a room; nil if it was not brought there. What is asked for may be named in an op,
    /// so it is as if it had come now.
    public func blob(_ hash: String, in room: String) -> Blob? {
        let known = state.withLock { state -> Entry? in
            state.rooms[room]?[hash]?.time = Int64(time(nil))
            return state.rooms[room]?[hash]
        }
        guard let entry = known else { return nil }
        if let picture = entry.picture {
            return Blob(hash: hash, picture: picture, byteCount: entry.byteCount)
        }
        guard let bytes = bytes(of: hash), let picture = try? PictureInfo(of: bytes) else {
            return nil
        }
        state.withLock { $0.rooms[room]?[hash]?.picture = picture }
        return Blob(hash: hash, picture: picture, byteCount: entry.byteCount)
    }

    /// The rooms that have a blob, in the order of their names.
    ///
    /// - Complexity: O(rooms with blobs).
    public func rooms(having hash: String) -> [String] {
        state.withLock { state in
            state.rooms.filter { $0.value[hash] != nil }.map(\.key).sorted()
        }
    }

    /// The bytes of a blob that a room has; nil if none has it.
    public func bytes(of hash: String) -> [UInt8]? {
        guard SHA256Text.isValid(hash), !rooms(having: hash).isEmpty else { return nil }
        if let folder { return folder.read(hash, byteMaximum: byteMaximum) }
        return state.withLock { $0.bytes[hash] }
    }

    /// The bytes of all blobs of a room.
    public func byteCount(of room: String) -> Int {
        state.withLock { $0.rooms[room]?.values.reduce(0) { $0 + $1.byteCount } ?? 0 }
    }

    /// The rooms that have blobs, in the order of their names.
    public var rooms: [String] { state.withLock { $0.rooms.keys.sorted() } }

    /// Removes the blobs of a room that were brought and asked for before a time, and that no
    /// payload names.
    ///
    /// - Parameters:
    ///   - payloads: Everything that is kept of the room: JSON, in which hashes stand as texts.
    ///   - time: In seconds since 1970. What came later may be named soon.
    /// - Returns: The number of blobs that were removed.
    /// - Complexity: O(bytes of payloads).
    public func collect(_ room: String, namedBy payloads: [[UInt8]], before time: Int64) -> Int {
        let old = state.withLock { state in
            Set((state.rooms[room] ?? [:]).filter { $0.value.time < time }.keys)
        }
        guard !old.isEmpty else { return 0 }
        var named: Set<String> = []
        for payload in payloads { named.formUnion(SHA256Text.all(in: payload)) }
        // An op may have asked for one while the payloads were read.
        return remove(from: room) { !named.contains($0) && $1.time < time }
    }

    /// Whatever a record's payload names that may be a blob, in order.
    public static func hashes(in payload: [UInt8]) -> [String] {
        SHA256Text.all(in: payload).sorted()
    }

    /// The hashes of a room's blobs, in order.
    public func hashes(of room: String) -> [String] {
        state.withLock { $0.rooms[room]?.keys.sorted() ?? [] }
    }

    /// Has a room have all pictures of another one, as far as they can be written.
    public func share(of room: String, with other: String) {
        for hash in hashes(of: room) {
            if let bytes = bytes(of: hash) { _ = try? put(bytes, room: other) }
        }
    }

    /// Removes the blobs of a room but some; those that no other room has go from the disk.
    public func keep(_ kept: Set<String>, in room: String) {
        _ = remove(from: room) { hash, _ in !kept.contains(hash) }
    }

    /// - Returns: The number of blobs that were removed.
    private func remove(from room: String, where condition: (String, Entry) -> Bool) -> Int {
        disk.withLock { _ in removeLocked(from: room, where: condition) }
    }

    private func removeLocked(
        from room: String, where condition: (String, Entry) -> Bool
    ) -> Int {
        let removed = state.withLock { state -> [String] in
            let gone = (state.rooms[room] ?? [:]).filter { condition($0.key, $0.value) }.keys
                .sorted()
            for hash in gone { state.rooms[room]?[hash] = nil }
            if state.rooms[room]?.isEmpty == true { state.rooms[room] = nil }
            for hash in gone where state.rooms.allSatisfy({ $0.value[hash] == nil }) {
                state.bytes[hash] = nil
            }
            return gone
        }
        for hash in removed { folder?.remove(hash, room: room) }
        return removed.count
    }
}

/// Hashes as texts.
enum SHA256Text {
    /// Whether a text is 64 hexadecimal digits in lower case, and so no path.
    static func isValid(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy(isDigit)
    }

    /// Whatever looks like a hash among bytes.
    static func all(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        var start = 0
        for place in 0...bytes.count {
            if place < bytes.count, isDigit(bytes[place]) { continue }
            if place - start == digitCount {
                found.insert(String(decoding: bytes[start..<place], as: UTF8.self))
            }
            start = place + 1
        }
        return found
    }

    private static let digitCount = 64

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
