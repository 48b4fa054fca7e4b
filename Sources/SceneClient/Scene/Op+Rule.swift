import JSON
public import SceneDocument

extension Op {
    /// Adds a constraint that is written as in a document: a rule (`"a.width == 2 * b.width
    /// @750"`), or a visual format.
    ///
    /// - Parameters:
    ///   - rule: LANGUAGE.md, sections 4 and 5.
    ///   - id: Its name; nil for none, by which it cannot be changed later.
    /// - Throws: `DocumentError`, with the character at fault.
    public static func addConstraint(
        _ rule: String, id: String? = nil
    ) throws(DocumentError) -> Op {
        var members = [
            JSONMember("op", .string("addConstraint")), JSONMember("rule", .string(rule)),
        ]
        if let id { members.append(JSONMember("id", .string(id))) }
        return try parse(.object(members))
    }
}
