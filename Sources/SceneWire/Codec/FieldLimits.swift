/// The longest texts of messages that are no names of a scene, in bytes of UTF-8; see the tables in
/// protocol/SPEC.md.
enum FieldLimits {
    /// A session, a room, a person.
    static let nameBytes = 256
    /// A token that proves something.
    static let tokenBytes = 4096
}
