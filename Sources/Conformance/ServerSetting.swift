/// What a server under test is known to have beside what it tells by itself. Cases that need more
/// are informational.
public struct ServerSetting: Sendable {
    /// Tokens of a server that asks for them.
    public struct Tokens: Sendable, Equatable {
        /// What the suite comes with: for the room, as an editor who may do everything.
        public var own: String
        /// Another token of the same subject, for the same room and with the same rights.
        public var renewed: String
        /// A token of another subject, for the same room and with the same rights.
        public var stranger: String
        /// A token as `renewed`, which ends within a minute; `nil` for none.
        public var ending: String?
        /// A token of an editor who sees everything but the view `hidden` and what is below that,
        /// and sees `shown` all the same; `nil` for none.
        public var partial: String?

        /// Makes a set of tokens.
        public init(
            own: String, renewed: String, stranger: String, ending: String? = nil,
            partial: String? = nil
        ) {
            (self.own, self.renewed, self.stranger) = (own, renewed, stranger)
            (self.ending, self.partial) = (ending, partial)
        }
    }

    /// The tokens that the server asks for; none for a server that asks for none.
    public var tokens: Tokens?
    /// Whether cases are run that take more than a minute.
    public var hasTime: Bool

    /// Describes a server.
    public init(tokens: Tokens? = nil, hasTime: Bool = false) {
        self.tokens = tokens
        self.hasTime = hasTime
    }
}
