/// The people whom administrators removed from rooms, and the ends of their bans. A value; its
/// owner guards it. Kept in memory only: a restart forgets bans, so a longer exclusion requires
/// that no new token is issued.
struct Bans {
    /// The identity of a banned person.
    enum Person: Hashable {
        /// The subject of their tokens.
        case subject(Subject)
        /// The signed part of a token that has no subject.
        case token(String)

        /// The person of a verified token; `nil` without tokens, which leave people
        /// indistinguishable.
        init?(_ grant: Grant, token: String) {
            if !grant.subject.isEmpty {
                self = .subject(Subject(grant.subject))
            } else if let end = token.lastIndex(of: ".") {
                // Some signatures have several valid forms; the signed part has one.
                self = .token(String(token[..<end]))
            } else {
                return nil
            }
        }

        /// Reads a person that another node names; `nil` for bytes that name none.
        init?(bytes: [UInt8]) {
            guard let text = String(validating: bytes.dropFirst(), as: UTF8.self) else {
                return nil
            }
            switch bytes.first {
            case 1: self = .subject(Subject(text))
            case 2: self = .token(text)
            default: return nil
            }
        }

        /// The person for another node: 1 for a subject or 2 for a token, and then its UTF-8.
        var bytes: [UInt8] {
            switch self {
            case .subject(let subject): [1] + Array(subject.text.utf8)
            case .token(let text): [2] + Array(text.utf8)
            }
        }
    }

    private struct Key: Hashable {
        let room: String
        let person: Person
    }

    /// The maximum number of bans; beyond it the earliest to end is removed.
    static let maximum = 1000
    /// The end of each ban, in nanoseconds of the gateway's clock.
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

    /// Whether a person is banned from a room now.
    func hold(_ person: Person?, room: String, now: UInt64) -> Bool {
        guard let person, let end = ends[Key(room: room, person: person)] else { return false }
        return end > now
    }
}
