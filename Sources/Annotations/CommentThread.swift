/// What was said about one thing, oldest first.
public struct CommentThread: Sendable, Equatable {
    /// Its name, which its first author chose.
    public let id: String
    /// What it is about.
    public let anchor: Anchor
    /// Who marked it as settled; `nil` while it is open.
    public internal(set) var resolvedBy: Person?
    /// The comments that are left, by number.
    public internal(set) var comments: [Comment] = []
    /// The number of the next comment; numbers are not used again.
    var nextNumber = 1
}

/// A comment.
public struct Comment: Sendable, Equatable {
    /// Counts the thread's comments, from 1.
    public let number: Int
    /// Who wrote it.
    public let author: Person
    /// When, in milliseconds since 1970.
    public let time: Int64
    /// When it was last changed; `nil` if never.
    public internal(set) var editTime: Int64?
    /// The text, for people: renderers show it as it is.
    public internal(set) var text: String
    /// Names or subjects of people that it is meant for.
    public internal(set) var mentions: [String]
    /// The reactions in the order of their first, each with the people who had it.
    public internal(set) var reactions: [(reaction: String, people: [Person])] = []

    /// Field by field.
    public static func == (left: Comment, right: Comment) -> Bool {
        left.number == right.number && left.author == right.author && left.time == right.time
            && left.editTime == right.editTime && left.text == right.text
            && left.mentions == right.mentions
            && left.reactions.elementsEqual(right.reactions) {
                $0.reaction == $1.reaction && $0.people == $1.people
            }
    }

    /// About how many bytes its texts take.
    var byteCount: Int {
        120 + text.utf8.count + mentions.reduce(0) { $0 + $1.utf8.count + 16 }
            + reactions.reduce(0) { $0 + $1.reaction.utf8.count + 64 * $1.people.count }
    }
}

/// A view that one person has for themself, with all below it.
public struct ViewLock: Sendable, Equatable {
    /// The view.
    public let view: String
    /// Who has it.
    public let holder: Person
    /// What for; may be empty.
    public let note: String
    /// Since when, in milliseconds since 1970.
    public let time: Int64
    /// Seconds that it outlasts the holder's last connection.
    public let seconds: Int
}

/// A scene that was given a name.
public struct SceneVersion: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// What it is for; may be empty.
    public let note: String
    /// Who named it.
    public let author: Person
    /// When, in milliseconds since 1970.
    public let time: Int64
    /// The tick at which the scene was so.
    public let tick: UInt64
    /// The scene.
    public let scene: PackedDocument
}
