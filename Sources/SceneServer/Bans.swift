/// Whom administrators removed from rooms, and until when. A value; its owner guards it. It is kept in memory alone: a
/// restart forgets it, and whoever has to stay away for longer must not be given tokens.
struct Bans {
    /// What tells people apart.
    enum Person: Hashable {
        /// The subject of their tokens.
        case subject(String)
        /// The signed part of a token that has no subject.
        case token(String)

        /// The person behind a token that was proved; `nil` where there are no tokens, since nobody can be told from others
        /// there.
        init?(_ grant: Grant, token: String) {
            if !grant.subject.isEmpty {
                self = .subject(grant.subject)
            } else if let end = token.lastIndex(of: ".") {
                // Some signatures have several valid forms, what they sign has one.
                self = .token(String(token[..<end]))
            } else {
                return nil
            }
        }
    }

    private struct Key: Hashable {
        let room: String
        let person: Person
    }

    /// The bans that are kept: the earliest to end goes first.
    static let maximum = 1000
    /// The ends, in nanoseconds of the gateway's clock.
    private var ends: [Key: UInt64] = [:]

    /// Bans a person from a room.
    ///
    /// - Complexity: O(*n*) in the number of bans.
    mutating func add(_ person: Person, room: String, until end: UInt64, now: UInt64) {
        ends = ends.filter { $0.value > now }
        ends[Key(room: room, person: person)] = end
        guard ends.count > Self.maximum, let first = ends.min(by: { $0.value < $1.value }) else {
            return
        }
        ends[first.key] = nil
    }

    /// Whether a person may not come into a room now.
    func hold(_ person: Person?, room: String, now: UInt64) -> Bool {
        guard let person, let end = ends[Key(room: room, person: person)] else { return false }
        return end > now
    }
}
