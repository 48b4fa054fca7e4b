import Conformance
import LoadGenerator
import SceneServer
import SceneSession
import SceneStore
import SceneWire
import WebSocketTransport

/// Suggestions after an error: the second half of each message on standard error.
///
/// `Output.failure` requires one, so that every error has a suggestion.
enum Advice {
    static func after(_ error: TransportError) -> String {
        switch error {
        case .badURL: "an address is ws://HOST:PORT/ROOM, such as ws://127.0.0.1:7070/demo"
        case .cannotBind(_, let port, let reason):
            switch reason {
            case "Address already in use":
                "give another --port, or stop the program that listens there: ss -ltnp 'sport = :\(port)'"
            case "Permission denied": "give a --port of 1024 or more"
            default: "give --host an address of this machine, such as 127.0.0.1"
            }
        case .cannotListen:
            "give --listen unix:PATH a path that this user may write and no other server has"
        case .cannotConnect:
            "is a server running there (scenesync serve), and is a --ca-file needed to trust it?"
        case .tls:
            "give --tls-cert and --tls-key as PEM files that belong together, or --tls-self-signed"
        case .libraryFailed: "scenesync doctor checks descriptors and memory"
        }
    }

    /// Returns a suggestion for a connection that the server closed.
    static func after(closeCode code: UInt16?) -> String {
        guard let code, let known = CloseCode(rawValue: code) else {
            return "is the server still running? its log says why it closes connections"
        }
        return switch known {
        case .unauthenticated: "pass a token for this room: --token-file or SCENESYNC_TOKEN"
        // A server with keys closes with this only after an administrator's removal; without keys
        // no token helps.
        case .forbidden:
            "ask whoever runs the server: its keys, and --insecure-bind, decide who is admitted"
        case .noSuchSession:
            "if there is no such room yet, create it: scenesync apply URL FILE"
        case .unsupported, .clientTooOld: "use a newer scenesync here"
        case .serverTooOld: "use a newer scenesync on the server"
        case .noSuchTick: "choose a later tick; older records are not kept"
        case .tooSlow: "try again over a faster connection"
        case .limit, .rateLimited: "wait a while, or raise the server's limit"
        case .draining: "try again after the server has restarted"
        case .ownerChanged: "try again now"
        case .badFrame, .hashMismatch: "use the same version of scenesync here and on the server"
        }
    }

    static func after(_ error: StoreError) -> String {
        switch error {
        case .inUse: inUse
        case .damaged(let damage):
            "scenesync repair \(damage.room) shows what can be restored, and restores it with --apply"
        case .cannotOpen:
            "give --data the directory of a journal, which this user may read and a server write"
        case .tooNew: "use the version of scenesync that wrote it, or a newer one"
        case .writeFailed, .readFailed:
            "scenesync doctor --data DIRECTORY checks the journal, its disk and its rooms"
        case .notDurable: "put --data on a local file system"
        }
    }

    private static let inUse =
        "stop that process, or give another --data; export and replay read beside it, and it imports rooms itself: "
        + "scenesync import --server"

    static func after(_ error: ServerError) -> String {
        switch error {
        case .insecureBind: "scenesync serve --help lists both"
        case .badOption: "scenesync serve --help lists the values of each setting"
        case .records: "give --record-events a directory that this user may write"
        case .store: "give --data a directory that this user may write, or --in-memory"
        case .inUse: inUse
        case .cluster: "scenesync doctor --cluster ADDRESSES searches for the cause"
        case .room: "scenesync doctor explains why rooms do not open"
        case .keys(let error): after(error)
        case .transport(let error): after(error)
        }
    }

    static func after(_ error: TokenError) -> String {
        switch error {
        case .missing: "pass one with --token-file or SCENESYNC_TOKEN"
        case .invalid: "check it with the key that it was signed with"
        case .expired: "issue a new one: scenesync token"
        case .notYet: "wait, or correct this machine's clock"
        case .tooLong: "issue one for a shorter time: --expires"
        case .subjectTooLong: "issue one with a shorter sub"
        case .badPatterns: "issue one whose edit and handle are lists of patterns, or without them"
        case .notForHere: "set --issuer and --audience to those of the token"
        case .badKey: "scenesync token --help shows how to make keys"
        }
    }

    /// Returns a suggestion for invalid or unreadable input.
    static func after(_ error: InputFailure) -> String {
        switch error.kind {
        case .unreadable: "check the name; scenesync new dashboard prints a document to begin with"
        case .malformed: "scenesync new dashboard prints a document to compare with"
        }
    }

    static let room = "scenesync replay --verify ROOM checks the whole journal of a room"
    static let unanswered = "is the server busy? --timeout waits longer"
}
