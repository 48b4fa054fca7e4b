import SceneWire

extension ServerSuite {
    /// Section 3.2: tokens that take the place of others.
    static let tokenCases: [Case] = [
        Case("3.2-6", "a new token of the same is taken, without an answer") { suite in
            guard let tokens = suite.setting.tokens else { return needsTokens }
            let client = try suite.client()
            try client.greet(.editor)
            var hello = Hello()
            hello.token = tokens.renewed
            // The rest of the message does not count.
            hello.role = .viewer
            hello.roots = ["nobody"]
            client.send(.hello(hello))
            guard try client.isAlive() else { return .bad("no answer to a ping") }
            let outcome = try client.apply(Self.scene, sequence: 1)
            guard case .committed = outcome else { return .bad("an editor's ops: \(outcome)") }
            try suite.wait(client) { $0.view(id: "a") != nil }
            while case .message(let kind, let bytes)? = client.next(0.3) {
                switch try client.read(kind, bytes) {
                case .welcome, .error: return .bad("it was answered")
                default: break
                }
            }
            return .fine
        },
        Case("3.2-7", "a new token of another subject closes with 4001") { suite in
            guard let tokens = suite.setting.tokens else { return needsTokens }
            return try suite.expectRefusal(of: tokens.stranger)
        },
        Case("3.2-8", "a new token that is none closes with 4001") { suite in
            guard suite.setting.tokens != nil else { return needsTokens }
            return try suite.expectRefusal(of: "nonsense")
        },
        Case("3.2-9", "a connection whose token ends is closed with 4001") { suite in
            guard let ending = suite.setting.tokens?.ending else {
                return .note("this needs a fourth token, which ends within a minute")
            }
            return try suite.expectRefusal(of: ending, within: 60)
        },
    ]

    private static var needsTokens: Finding { .note("this needs --tokens") }

    private func expectRefusal(of token: String, within seconds: Double = 4) throws -> Finding {
        let client = try client()
        try client.greet(.editor)
        var hello = Hello()
        hello.token = token
        client.send(.hello(hello))
        let code = try client.end(seconds)
        return .require(code == 4001, "closed with \(code.map(String.init) ?? "no code")")
    }
}
