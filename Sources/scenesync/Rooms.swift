import ArgumentParser
import FoundationEssentials
import JSON
import SceneStore

/// The rooms of a server, or of a directory.
struct Rooms: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        abstract: "List the rooms of a server, or of a journal.",
        discussion: """
            Prints the rooms in a running server's memory with their members, and the rooms that are put aside; with \
            --people also who is in them. With --data it lists the rooms of a journal, and when each was last changed. \
            --format json is for scripts:

              scenesync rooms http://127.0.0.1:7070
              scenesync rooms https://scene.example --token-file token --format json
              scenesync rooms --data .scenesync
            """)

    @Argument(help: "A running server: http://HOST:PORT, https://HOST:PORT or http+unix:///SOCKET.")
    var server: String?

    @Option(help: "The directory of a journal, in place of a server.")
    var data: String?

    @Flag(help: "List the members of each room.")
    var people = false

    @Option(help: "text or json.")
    var format = Format.text

    @OptionGroup var credentials: AdministratorCredentials

    func validate() throws {
        guard data == nil || (server == nil && !people && !credentials.areGiven) else {
            throw ValidationError("--data reads a journal: leave the server and its options out")
        }
    }

    func run() throws {
        ReaderWatch.begin()
        let listing = try data.map(stored) ?? served(by: address)
        switch format {
        case .json: Output.result(listing.text())
        case .text: for line in Self.lines(of: listing) { Output.result(line) }
        }
    }

    /// The server's address for requests; that of rooms means the same server.
    private var address: String {
        guard let server else { return RoomNames.server }
        for (scheme, other) in [("ws://", "http://"), ("wss://", "https://")]
        where server.hasPrefix(scheme) {
            return other + server.dropFirst(scheme.count)
        }
        return server
    }

    // MARK: Listings

    private func served(by server: String) throws -> JSONValue {
        let listing = try read(try credentials.send("GET", "/admin/rooms", to: server), server)
        guard people else { return listing }
        var rooms: [JSONValue] = []
        for room in listing["rooms"]?.array ?? [] {
            guard let name = room["room"]?.string, let members = room.members else { continue }
            let path = "/admin/rooms/\(name)/members"
            // It may be gone by now.
            let answer = try credentials.find(path, at: server).map { try read($0, server) }
            let list = answer?["members"] ?? .array([])
            rooms.append(.object(members + [JSONMember("people", list)]))
        }
        return .object([
            JSONMember("rooms", .array(rooms)),
            JSONMember("putAside", listing["putAside"] ?? .array([])),
        ])
    }

    private func read(_ bytes: [UInt8], _ server: String) throws -> JSONValue {
        do throws(JSONError) { return try JSONReader.read(bytes) } catch {
            throw Output.failure(
                .badData, "\(server): an answer that is no JSON: \(error)",
                try: "is a SceneSync server there?")
        }
    }

    private func stored(in data: String) throws -> JSONValue {
        do throws(StoreError) {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            var rooms: [JSONValue] = []
            for name in try store.rooms() {
                var members = [JSONMember("room", .string(name))]
                if let time = try store.lastChange(of: name) {
                    let date = Date(timeIntervalSince1970: Double(time))
                    members.append(JSONMember("changed", .string(date.formatted(.iso8601))))
                }
                rooms.append(.object(members))
            }
            return .object([JSONMember("rooms", .array(rooms))])
        } catch {
            throw Output.failure(error)
        }
    }

    // MARK: Text

    private static func lines(of listing: JSONValue) -> [String] {
        var lines: [String] = []
        for room in listing["rooms"]?.array ?? [] {
            var line = room["room"]?.string ?? ""
            if let members = room["members"]?.number {
                line += "  \(Int(members)) member\(members == 1 ? "" : "s")"
            }
            if let views = room["views"]?.number { line += ", \(Int(views)) views" }
            if let tick = room["tick"]?.number { line += ", tick \(Int(tick))" }
            if let changed = room["changed"]?.string { line += "  changed \(changed)" }
            lines.append(line)
            for person in room["people"]?.array ?? [] {
                let name = [person["subject"], person["address"]].compactMap { $0?.string }
                    .first { !$0.isEmpty }
                lines.append("  \(name ?? "somebody"), \(person["role"]?.string ?? "member")")
            }
        }
        for room in listing["putAside"]?.array ?? [] {
            lines.append(
                "\(room["room"]?.string ?? "")  put aside: \(room["reason"]?.string ?? "")")
        }
        return lines.isEmpty ? ["no rooms"] : lines
    }
}
