import Bytes
import Digests
import JSON
import SceneWire

/// Members that repeat the scene's records, and what they have not been told of yet.
struct RecordFeed {
    /// Those that asked for the records, the earliest first. Mostly there are none, and each event
    /// asks.
    private(set) var members: [Member] = []
    /// Those of them that begin anew with the next telling.
    private var starting: Set<MemberID> = []
    /// Records since the last telling, as JSON.
    private var untold: [JSONValue] = []
    /// Whether the state hash is told with the next telling.
    private var tellsHash = false

    /// Whether nobody follows.
    var isEmpty: Bool { members.isEmpty }
    /// The members that begin anew, but for those that lag.
    var starters: [Member] {
        starting.isEmpty
            ? [] : members.filter { starting.contains($0.id) && $0.phase != .behind }
    }
    /// Whether there are such members.
    var isAnyReadyToStart: Bool { !starting.isEmpty && !starters.isEmpty }

    /// Has a member follow from the next telling on; one that follows already begins anew.
    mutating func add(_ member: Member) {
        if !members.contains(where: { $0 === member }) { members.append(member) }
        starting.insert(member.id)
    }

    /// Has a member follow no longer; returns whether it did.
    @discardableResult
    mutating func remove(_ member: Member) -> Bool {
        starting.remove(member.id)
        let before = members.count
        members.removeAll { $0 === member }
        if members.isEmpty { (untold, tellsHash) = ([], false) }
        return members.count < before
    }

    /// Has all begin anew: what they have does not lead to what is there now.
    mutating func restart() {
        for member in members { starting.insert(member.id) }
        untold = []
    }

    /// Notes that a member has been told what it begins with.
    mutating func didStart(_ member: Member) { starting.remove(member.id) }

    /// Notes a record that is to be told.
    mutating func note(_ record: @autoclosure () -> JSONValue) {
        if !isEmpty { untold.append(record()) }
    }

    /// Has the state hash told with the next telling.
    mutating func expectHash() { tellsHash = !isEmpty }

    /// What is to be told, and to whom; `nil` if that is nothing. Members that lag are told nothing
    /// and begin anew once they have caught up.
    mutating func take() -> (records: [JSONValue], hasHash: Bool, readers: [Member])? {
        guard !isEmpty, !untold.isEmpty || tellsHash else { return nil }
        defer { (untold, tellsHash) = ([], false) }
        if !untold.isEmpty {
            for member in members where member.phase == .behind { starting.insert(member.id) }
        }
        let readers = members.filter { !starting.contains($0.id) && $0.phase != .behind }
        return readers.isEmpty ? nil : (untold, tellsHash, readers)
    }

    /// What records name an author by: equal for the same author, and nothing that a member could
    /// answer for the author with. Empty for nobody.
    static func name(of author: String) -> String {
        guard !author.isEmpty else { return "" }
        return Hexadecimal.text(Array(SHA256Digest.of(Array(author.utf8)).prefix(8)))
    }
}

extension BatchPayload {
    /// The batch as members are told it: without what is its author's secret.
    var told: JSONValue {
        var batch = self
        batch.author = RecordFeed.name(of: author)
        batch.tokenDigest = nil
        batch.measuredText = nil
        return batch.json
    }
}
