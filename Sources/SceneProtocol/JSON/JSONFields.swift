/// The members of an object, taken one by one; a member that is not taken is an error, as it is
/// mostly a typing error.
struct JSONFields {
    var node: JSONCursor
    private let object: JSONCursor.Outer
    private let members: [JSONMember]
    /// Which members were taken: one bit each of the first 64, which are mostly all.
    private var taken: UInt64 = 0
    private var takenBeyond: Set<Int> = []
    private var untakenCount: Int
    private var names: [String] = []

    init(node: JSONCursor, members: [JSONMember]) {
        self.node = node
        self.members = members
        object = JSONCursor.Outer(node)
        // What most objects are asked for; growing takes memory several times.
        names.reserveCapacity(8)
        untakenCount = members.count
    }

    /// Whether every member was taken, so that no other key can be there.
    var isExhausted: Bool { untakenCount == 0 }

    mutating func take(_ key: String) -> JSONCursor? {
        // The names are told where a member is left over, which none is any more.
        if !isExhausted { names.append(key) }
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        if !isTaken(index) { untakenCount -= 1 }
        markTaken(index)
        return JSONCursor(memberOf: object, key, members[index].value, id: node.id)
    }

    private func isTaken(_ index: Int) -> Bool {
        index < 64 ? taken >> UInt64(index) & 1 == 1 : takenBeyond.contains(index)
    }

    private mutating func markTaken(_ index: Int) {
        if index < 64 { taken |= 1 << UInt64(index) } else { takenBeyond.insert(index) }
    }

    mutating func require(_ key: String) throws(DocumentError) -> JSONCursor {
        guard let result = take(key) else {
            throw node.missing(key)
        }
        return result
    }

    /// Takes every member that is left, for objects whose keys are names.
    mutating func takeAll() -> [(key: String, node: JSONCursor)] {
        untakenCount = 0
        return members.indices.filter { !isTaken($0) }.map { index in
            markTaken(index)
            let key = members[index].key
            return (key, JSONCursor(memberOf: object, key, members[index].value, id: node.id))
        }
    }

    /// - Parameter allowsNotes: Whether members that were not taken may stay if they are texts, as
    ///   notes for people.
    func finish(allowsNotes: Bool = false) throws(DocumentError) {
        let left = members.indices.first { index in
            guard !isTaken(index) else { return false }
            if allowsNotes, case .string = members[index].value.kind { return false }
            return true
        }
        guard let index = left else { return }
        let key = members[index].key
        // The fault is the key, so the path is the object's and the line the member's.
        let place = JSONCursor(members[index].value, path: node.path, id: node.id)
        throw place.error(
            .badOp, "unknown key \"\(key.prefix(80))\"",
            expected: "one of \(names.joined(separator: ", "))")
    }
}
