import JSON
import SceneDocument
import SceneWire
import Synchronization

extension ServerSuite {
    /// Section 13: what would exceed the limits of `welcome`.
    static let limitCases: [Case] = [
        Case("13-4", "more ops than limits.ops are refused with limit, as a whole") { suite in
            try suite.expectLimit { limits in
                let op = #"{"op":"setNeedsLayout"}"#
                return
                    "[\(Array(repeating: op, count: Int(limits.ops) + 1).joined(separator: ","))]"
            }
        },
        Case("13-5", "a scene of more views than limits.views is refused with limit") { suite in
            try suite.expectLimit { limits in
                scene(views: (0...limits.views).map { #"{"id":"v\#($0)"}"# })
            }
        },
        Case("13-6", "a scene of more levels than limits.depth is refused with limit") { suite in
            try suite.expectLimit { limits in
                scene(
                    views: (0...limits.depth).map { level in
                        level == 0
                            ? #"{"id":"v0"}"# : #"{"id":"v\#(level)","parent":"v\#(level - 1)"}"#
                    })
            }
        },
        Case("13-7", "a scene of more rules than limits.constraints is refused with limit") {
            suite in
            try suite.expectLimit { limits in
                scene(
                    views: [#"{"id":"a"}"#],
                    constraints: Array(
                        repeating: #""a.left>=0""#, count: Int(limits.constraints) + 1))
            }
        },
        Case("13-8", "more messages than limits.messagesPerSecond end with 4029 and a time") {
            try $0.expectRate()
        },
    ]

    private static func scene(views: [String], constraints: [String] = []) -> String {
        #"""
        [{"op":"setScene","scene":1,"viewport":{"width":4,"height":3},
          "views":[\#(views.joined(separator: ","))],"constraints":[\#(constraints.joined(separator: ","))]}]
        """#
    }

    /// Sends ops that exceed a limit, and expects that the scene stays as it is.
    private func expectLimit(_ ops: (GrantedLimits) -> String) throws -> Finding {
        let editor = try editor()
        let client = try client()
        let limits = try client.greet(.editor).limits
        let text = ops(limits)
        // What no message can hold cannot be sent either.
        guard text.utf8.count + 64 <= Int(limits.messageBytes) else {
            return .note("no message can hold it")
        }
        guard case .refused(let refusal) = try client.apply(text, sequence: 1) else {
            return .bad("it was taken")
        }
        guard refusal.code == .limit else { return .bad("refused as \(refusal.code.rawValue)") }
        _ = try editor.apply(width(133), sequence: 2)
        try wait(client) { $0.view(id: "a")?.frame.width == 133 }
        return .require(try client.isAlive(), "the connection ended")
    }

    /// The fastest rate that a suite should try to exceed.
    private static let rateMaximum: UInt32 = 2000

    private func expectRate() throws -> Finding {
        let client = try editor()
        let limits = try self.client().greet().limits
        guard limits.messagesPerSecond > 0, limits.messagesPerSecond <= Self.rateMaximum else {
            return .note("\(limits.messagesPerSecond) messages a second are allowed")
        }
        var message = Ops()
        message.clientSequence = 1
        message.ops = .array([])
        // A server may let some more pass at once than it does in a second.
        for _ in 0..<4 * limits.messagesPerSecond / Self.groupSize {
            for _ in 0..<Self.groupSize {
                message.clientSequence += 1
                client.send(.ops(message))
            }
            // A few at a time: what is under way when a connection ends may hide its code.
            client.send(.ping(Ping()))
            if let finding = try awaitPongOrEnd(client) { return finding }
        }
        return .note("it is too far away to be sent more than that in a second")
    }

    private static let groupSize: UInt32 = 16

    /// - Returns: What the end of the connection means; nothing where it goes on.
    private func awaitPongOrEnd(_ client: ScriptedClient) throws -> Finding? {
        var told: ErrorMessage?
        while let event = client.next() {
            switch event {
            case .opened: return .bad("opened twice")
            case .message(let kind, let bytes):
                switch try client.read(kind, bytes) {
                case .error(let error): told = error
                case .pong: return nil
                default: break
                }
            case .closed(let code, _):
                let after = told.map { "\($0.code), after \($0.retryAfterMilliseconds) ms" }
                return .require(
                    code == 4029 && told?.code == 4029 && (told?.retryAfterMilliseconds ?? 0) > 0,
                    "closed with \(code.map(String.init) ?? "no code"), told \(after ?? "nothing")")
            }
        }
        return .bad("no answer")
    }
}
