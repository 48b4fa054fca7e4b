/// A room's URL, and the server's and the room's name in it.
struct RoomAddress: Hashable {
    let url: String
    /// The server's host and port, as they stand in the URL.
    let host: String
    /// The part of the path after the first slash; empty if there is none.
    let room: String

    init(_ url: String) {
        self.url = url
        var text = Substring(url)
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        text = text.prefix { $0 != "?" && $0 != "#" }
        host = String(text.prefix { $0 != "/" })
        room = text.firstIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? ""
    }
}
