package import JSON

extension JSONFields {
    /// Takes the member of a key that has to be there.
    package mutating func require(_ key: String) throws(DocumentError) -> JSONCursor {
        guard let result = take(key) else {
            throw node.missing(key)
        }
        return result
    }

    /// Refuses members that were not taken.
    ///
    /// - Parameter allowsNotes: Whether members that were not taken may stay if they are texts, as
    ///   notes for people.
    package func finish(allowsNotes: Bool = false) throws(DocumentError) {
        guard let left = firstUntaken(passingTexts: allowsNotes) else { return }
        // The fault is the key, so the path is the object's and the line the member's.
        let place = JSONCursor(left.value, path: node.path, id: node.id)
        throw place.error(
            .badOp, "unknown key \"\(left.key.prefix(80))\"",
            expected: "one of \(names.joined(separator: ", "))")
    }
}
