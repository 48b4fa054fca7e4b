extension ClientSuite {
    /// A case: its number, its title and its script.
    struct Case: Sendable {
        enum Script: Sendable {
            case code(@Sendable (ScriptedServer) throws -> Void)
            case dialogue(Dialogue)
            case frames(@Sendable (RawConnection) throws -> Void)
            case driven(@Sendable (DrivenClient) throws -> Void)
        }

        let id: String
        let title: String
        let script: Script
        /// Whether other cases mean nothing where this one fails.
        let isEssential: Bool
        /// Whether it tries a SHOULD.
        let isWeak: Bool

        /// Whether the driver has to be connected at `/control`.
        var needsControl: Bool { if case .driven = script { true } else { false } }

        init(
            id: String, title: String, isEssential: Bool = false,
            run: @escaping @Sendable (ScriptedServer) throws -> Void
        ) {
            self.id = id
            self.title = title
            script = .code(run)
            self.isEssential = isEssential
            isWeak = false
        }

        init(
            frames id: String, _ title: String,
            run: @escaping @Sendable (RawConnection) throws -> Void
        ) {
            self.id = id
            self.title = title
            script = .frames(run)
            isEssential = false
            isWeak = false
        }

        init(
            driven id: String, _ title: String,
            run: @escaping @Sendable (DrivenClient) throws -> Void
        ) {
            self.id = id
            self.title = title
            script = .driven(run)
            isEssential = false
            isWeak = false
        }

        init(_ dialogue: Dialogue) {
            id = dialogue.id
            title = dialogue.title
            script = .dialogue(dialogue)
            isEssential = dialogue.isEssential
            isWeak = dialogue.isWeak
        }
    }
}
