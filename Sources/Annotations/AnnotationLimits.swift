/// How much people can say about a scene.
public enum AnnotationLimits {
    /// Ops of one message.
    public static let ops = 100
    /// Threads of a room.
    public static let threads = 2_000
    /// Comments of a thread.
    public static let commentsOfThread = 500
    /// Comments of a room.
    public static let comments = 10_000
    /// Bytes of all texts of a room.
    public static let bytes = 4 << 20
    /// Bytes of a comment, and of a note.
    public static let textBytes = 8_192
    /// People that a comment mentions.
    public static let mentions = 16
    /// Bytes of a reaction: an emoji with all its joiners.
    public static let reactionBytes = 32
    /// Different reactions to a comment.
    public static let reactions = 32
    /// People with the same reaction.
    public static let peopleOfReaction = 200
    /// Locks of a room.
    public static let locks = 200
    /// Seconds that a lock outlasts its holder's last connection: the most, and unless said
    /// otherwise.
    public static let lockSeconds = 86_400
    /// The same unless said otherwise.
    public static let lockSecondsStandard = 60
    /// Versions of a room.
    public static let versions = 100
    /// Bytes of a version's name.
    public static let versionNameBytes = 64
    /// Bytes of all versions' scenes, compressed.
    public static let versionBytes = 8 << 20
    /// Suggestions of a room that are open.
    public static let openSuggestions = 20
    /// Suggestions of a room; beyond it the oldest decided one is forgotten.
    public static let suggestions = 100
    /// Bytes of all scenes that suggestions began with, compressed.
    public static let suggestionBytes = 8 << 20
    /// Names of what an acceptance takes.
    public static let parts = 500
    /// Bytes of such a name: a constraint without one has its rule.
    public static let partBytes = 512
    /// Conflicts of an update that members see.
    static let conflicts = 20
    /// The length of each.
    static let conflictCharacters = 300
}
