import Dispatch
import JSON
import SceneWire
import Synchronization

extension ServerSuite {
    /// Section 6.15: views that get new numbers.
    static let numberingCases: [Case] = [
        Case("6.15-1", "no merged frame leads over a keyframe") { suite in
            guard suite.setting.hasTime else {
                return .note("a server renumbers once a minute at most: this needs --slow")
            }
            return try suite.overKeyframe()
        }
    ]

    private static let renumberingSeconds = 150.0

    /// One member stays behind while views get new numbers, one goes away: both may be told nothing
    /// but a snapshot.
    private func overKeyframe() throws -> Finding {
        let editor = try client()
        let welcome = try editor.greet(.editor, capabilities: Capability.keyframes)
        guard welcome.capabilities & Capability.keyframes != 0 else {
            return .note("the server sends no keyframes")
        }
        guard case .committed = try editor.apply(Self.scene, sequence: 1) else {
            return .bad("the scene was refused")
        }
        let lazy = try client()
        try lazy.greet()
        let away = try client()
        let left = try away.greet(capabilities: Capability.mergedResume)
        away.close()
        _ = try away.end()
        let lastTick = away.mirror.withLock { $0.tick }
        guard try churn(editor, from: 2) else {
            return .note("no keyframe came within \(Int(Self.renumberingSeconds)) s")
        }
        if welcome.limits.unacknowledgedFrames > 0, let failure = try catchUp(lazy, with: editor) {
            return failure
        }
        var resume = Resume()
        resume.session = left.session
        resume.token = left.resumeToken
        resume.epoch = left.epoch
        resume.lastTick = lastTick
        return try comeBack(resume, with: editor)
    }

    /// Adds and removes views, and writes long texts, until the views get new numbers.
    ///
    /// - Returns: Whether they did.
    private func churn(_ editor: ScriptedClient, from first: UInt64) throws -> Bool {
        let deadline = DispatchTime.now() + Self.renumberingSeconds
        let text = String(repeating: "text ", count: 8000)
        var sequence = first
        while DispatchTime.now() < deadline {
            let added = (0..<20).map { #"{"op": "addView", "id": "n\#($0)"}"# }
            let removed = (0..<20).map { #"{"op": "removeView", "id": "n\#($0)"}"# }
            let write = [#"{"op": "setView", "id": "b", "text": "\#(sequence) \#(text)"}"#]
            var message = Ops()
            message.clientSequence = sequence
            message.ops = try JSONReader.read(
                Array("[\((added + removed + write).joined(separator: ","))]".utf8))
            editor.send(.ops(message))
            var hasKeyframe = false
            try editor.wait("result") { message -> Void? in
                switch message {
                case .frame: editor.acknowledge()
                case .snapshot: editor.acknowledge()
                case .keyframe: hasKeyframe = true
                case .result(let result) where result.clientSequence == sequence: return ()
                default: break
                }
                return nil
            }
            sequence += 1
            // Frames come until there is nothing more to tell; a pause spares the server's budget.
            while !hasKeyframe, case .message(let kind, let bytes)? = editor.next(0.4) {
                switch try editor.read(kind, bytes) {
                case .frame, .snapshot: editor.acknowledge()
                case .keyframe: hasKeyframe = true
                default: break
                }
            }
            if hasKeyframe { return true }
        }
        return false
    }

    /// One who has acknowledged nothing since before the keyframe does so now.
    ///
    /// - Returns: What is wrong, if something is.
    private func catchUp(
        _ lazy: ScriptedClient, with editor: ScriptedClient
    ) throws -> Finding? {
        // What came while it was in step does not count, nor where nothing was held back.
        while case .message(let kind, let bytes)? = lazy.next(1) { _ = try lazy.read(kind, bytes) }
        let want = editor.mirror.withLock { $0.stateHash }
        guard lazy.mirror.withLock({ $0.stateHash }) != want else {
            return .weak("one who acknowledged nothing was told everything")
        }
        lazy.acknowledge()
        return try stateBegins(lazy, until: want)
    }

    private func comeBack(_ resume: Resume, with editor: ScriptedClient) throws -> Finding {
        let back = try client()
        var hello = Hello()
        hello.capabilities = Capability.mergedResume
        hello.resume = resume
        back.send(.hello(hello))
        let want = editor.mirror.withLock { $0.stateHash }
        return try stateBegins(back, until: want) ?? .fine
    }

    /// The first message about state is a snapshot, which leads to the present.
    private func stateBegins(_ client: ScriptedClient, until want: UInt64) throws -> Finding? {
        let isSnapshot = try client.wait("state") { message -> Bool? in
            switch message {
            case .snapshot: true
            case .frame, .tree, .content, .anim, .keyframe: false
            default: nil
            }
        }
        guard isSnapshot else { return .bad("a merged frame came") }
        try wait(client) { $0.stateHash == want }
        return nil
    }
}
