import SceneWire
import WebSocketAddress

/// The addresses at which a client finds its room, and which of them is the next to try. SPEC.md,
/// CONN-34 and CONN-37.
///
/// A pass tries each address once, beginning after the one that was tried last and going around;
/// the owner waits between passes. The first pass begins with the first address.
struct AddressList: Sendable {
    /// The user's own addresses, the preferred first.
    private let given: [String]
    /// Whether unencrypted addresses of other machines are accepted.
    private let takesPlain: Bool
    /// Those that the last welcome named.
    private var alternates: [String] = []
    /// The one that was welcomed last. It stays although the next server does not name it: it may
    /// be the only one that works.
    private var proven: String?
    /// Those tried in this pass.
    private var tried: Set<String>
    /// The address that was tried last.
    private(set) var present: String

    /// - Parameter given: At least one.
    init(_ given: [String]) {
        precondition(!given.isEmpty, "a client needs an address")
        self.given = given
        takesPlain = !given.contains { URLParts($0)?.isPrivate ?? false }
        present = given[0]
        tried = [given[0]]
    }

    /// All addresses in their order, each once.
    var all: [String] {
        var all: [String] = []
        for address in given + alternates + (proven.map { [$0] } ?? [])
        where !all.contains(address) {
            all.append(address)
        }
        return all
    }

    /// The next address of this pass; `nil` if each has been tried.
    mutating func next() -> String? {
        let all = all
        let start = all.firstIndex(of: present) ?? -1
        for offset in 1...all.count {
            let candidate = all[(start + offset) % all.count]
            guard tried.insert(candidate).inserted else { continue }
            present = candidate
            return candidate
        }
        return nil
    }

    /// Begins another pass.
    mutating func nextPass() -> String {
        tried = []
        return next() ?? present
    }

    /// Notes that the connection to the present address ended after it had lasted for a while, so
    /// that a new pass begins, which counts this address as tried.
    mutating func settled() { tried = [present] }

    /// Notes that the present address works, and what its server named in its welcome.
    mutating func prove(_ alternates: [String]) {
        proven = present
        self.alternates = alternates.prefix(Alternates.countMaximum).filter(isAcceptable)
    }

    /// Whether a server's word is enough to connect there: nothing that the user kept from readers
    /// on the way may be sent in the open.
    private func isAcceptable(_ address: String) -> Bool {
        // A server names other machines, never files of this one.
        guard address.utf8.count <= Alternates.urlBytesMaximum, let parts = URLParts(address),
            parts.socketPath == nil
        else { return false }
        return takesPlain || parts.isPrivate
    }
}
