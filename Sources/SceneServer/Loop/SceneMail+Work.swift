import SceneWire

extension SceneMail {
    /// The description of the work for messages, and the room concerned.
    var work: (what: StaticString, room: String?) {
        switch self {
        case .room(let room, let mail): (mail.work, room)
        case .list: ("an administrator's list of rooms", nil)
        case .openSlowly(let room, _, _): ("the opening", room)
        case .moved(let room, _), .wantsBack(let room), .recall(let room), .cameBack(let room, _):
            ("the move to or from the slow lane", room)
        case .summary(let summary): ("a summary", summary.name)
        case .drain: ("the last tick before shutdown", nil)
        case .stop: ("the shutdown", nil)
        }
    }
}

extension RoomMail {
    fileprivate var work: StaticString {
        switch self {
        case .member(let mail): mail.work
        case .loaded, .handedOver, .elsewhere: "the opening"
        case .history: "a seek"
        case .origin: "the opening"
        case .sceneRead: "the reading of a branch"
        case .suggestion: "the news of a suggestion"
        case .store: "a report of the store"
        case .open: "the start"
        case .evict: "the unloading"
        case .administer(let request, _): request.work
        }
    }
}

extension MemberMail {
    fileprivate var work: StaticString {
        switch self {
        case .join: "a member's arrival"
        case .message(_, let message, _): message.work
        case .left: "a member's leave"
        case .revoke: "an administrator's removal of a member"
        }
    }
}

extension RoomRequest {
    fileprivate var work: StaticString {
        switch self {
        case .export, .exportRecord: "an administrator's export"
        case .replace, .importRecord: "an administrator's import"
        case .suggestion, .suggestions: "a question about suggestions"
        case .sceneForOthers: "the reading of a scene"
        case .reserve, .open, .rename, .endRenaming: "an administrator's renaming"
        case .confirm: "the answer to an administrator's import"
        case .delete: "an administrator's deletion"
        }
    }
}

extension ClientMessage {
    fileprivate var work: StaticString {
        switch self {
        case .hello: "a member's hello"
        case .ack: "a member's ack"
        case .ops: "a member's ops"
        case .resync: "a member's resync"
        case .ping: "a member's ping"
        case .presence: "a member's presence"
        case .undo: "a member's undo"
        case .redo: "a member's redo"
        case .subscribe: "a member's subscribe"
        case .seek: "a member's seek"
        case .trace: "a member's trace"
        case .inspect: "a member's inspect"
        case .device: "a member's device"
        case .follow: "a member's follow"
        case .event: "a member's event"
        case .handle: "a member's handle"
        case .handled: "a member's handled"
        }
    }
}
