/// The members of an object, taken one by one; a member that is not taken is an error, as it is
/// mostly a typing error.
package struct JSONFields {
    /// The object.
    package var node: JSONCursor
    private let object: JSONCursor.Outer
    private let members: [JSONMember]
    /// Which members were taken: one bit each of the first 64, which are mostly all.
    private var taken: UInt64 = 0
    private var takenBeyond: Set<Int> = []
    private var untakenCount: Int
    /// The keys that were asked for while members were left.
    package private(set) var names: [String] = []

    init(node: JSONCursor, members: [JSONMember]) {
        self.node = node
        self.members = members
        object = JSONCursor.Outer(node)
        // What most objects are asked for; growing takes memory several times.
        names.reserveCapacity(8)
        untakenCount = members.count
    }

    /// Whether every member was taken, so that no other key can be there.
    package var isExhausted: Bool { untakenCount == 0 }

    /// Takes the member of that key; `nil` where there is none.
    package mutating func take(_ key: String) -> JSONCursor? {
        // An error lists the keys only if a member is left over, which none is any more.
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

    /// Takes every member that is left, for objects whose keys are names.
    package mutating func takeAll() -> [(key: String, node: JSONCursor)] {
        untakenCount = 0
        return members.indices.filter { !isTaken($0) }.map { index in
            markTaken(index)
            let key = members[index].key
            return (key, JSONCursor(memberOf: object, key, members[index].value, id: node.id))
        }
    }

    /// The first member that was not taken.
    ///
    /// - Parameter passingTexts: Whether members that are texts are passed over.
    package func firstUntaken(passingTexts: Bool) -> JSONMember? {
        let index = members.indices.first { index in
            guard !isTaken(index) else { return false }
            if passingTexts, case .string = members[index].value.kind { return false }
            return true
        }
        return index.map { members[$0] }
    }
}
