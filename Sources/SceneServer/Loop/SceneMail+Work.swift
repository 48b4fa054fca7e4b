import SceneWire

extension SceneMail {
    /// The description of the work for messages, and the room concerned.
    var work: (what: StaticString, room: String?) {
        switch self {
        case .join(let room, _, _): ("a member's arrival", room)
        case .message(let room, _, let message, _): (message.work, room)
        case .left(let room, _): ("a member's leave", room)
        case .loaded(let room, _), .handedOver(let room, _), .elsewhere(let room, _),
            .openSlowly(let room, _, _):
            ("the opening", room)
        case .history(let room, _, _, _): ("a seek", room)
        case .store(let outcome): ("a report of the store", outcome.room)
        case .open(let room, _): ("the start", room)
        case .evict(let room): ("the unloading", room)
        case .administer(let room, let request, _): request.work(in: room)
        case .moved(let room, _), .wantsBack(let room), .recall(let room), .cameBack(let room, _):
            ("the move to or from the slow lane", room)
        case .summary(let summary): ("a summary", summary.name)
        case .drain: ("the last tick before shutdown", nil)
        case .stop: ("the shutdown", nil)
        }
    }
}

extension RoomRequest {
    fileprivate func work(in room: String) -> (what: StaticString, room: String?) {
        switch self {
        case .list: ("an administrator's list of rooms", nil)
        case .export: ("an administrator's export", room)
        case .replace: ("an administrator's import", room)
        case .exportRecord: ("an administrator's export", room)
        case .importRecord: ("an administrator's import", room)
        case .reserve, .open, .rename, .endRenaming: ("an administrator's renaming", room)
        case .confirm: ("the answer to an administrator's import", room)
        case .revoke: ("an administrator's removal of a member", room)
        case .delete: ("an administrator's deletion", room)
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
