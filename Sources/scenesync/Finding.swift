import JSON

/// What a check of `scenesync doctor` has found.
enum Finding {
    case ok(String)
    case note(String)
    case fault(String)

    var isFault: Bool { if case .fault = self { true } else { false } }
    var isOK: Bool { if case .ok = self { true } else { false } }

    /// The finding for people.
    func line(_ check: String) -> String {
        switch self {
        case .ok(let text): "ok    \(check): \(text)"
        case .note(let text): "note  \(check): \(text)"
        case .fault(let text): "FAULT \(check): \(text)"
        }
    }

    /// The finding for programs.
    func json(_ check: String) -> JSONValue {
        let (level, text) =
            switch self {
            case .ok(let text): ("ok", text)
            case .note(let text): ("note", text)
            case .fault(let text): ("fault", text)
            }
        return .object([
            JSONMember("check", .string(check)), JSONMember("level", .string(level)),
            JSONMember("text", .string(text)),
        ])
    }
}
