import Dispatch
import FoundationEssentials
import JSON
import Synchronization

/// Renews a client's token before it ends: on the open connection, and before a new one. See
/// SPEC.md, CONN-9.
///
/// The source runs on a queue of its own, since it may read a file or wait for another program.
final class TokenRenewal: Sendable {
    private struct State {
        var token: String
        var isStopped = false
    }

    private let source: @Sendable () -> String?
    private let deliver: @Sendable (String) -> Void
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "scenesync.token")
    /// A token with fewer seconds left is renewed before a connection is opened.
    private static let openingSeconds = 10.0

    /// - Parameters:
    ///   - token: The token at the beginning; if it is empty, the source is asked before the first
    ///     connection.
    ///   - source: Returns the present token; `nil` where there is none at the moment.
    ///   - deliver: Takes a token that differs from the one before.
    init(
        _ token: String, source: @escaping @Sendable () -> String?,
        deliver: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(token: token))
        self.source = source
        self.deliver = deliver
        plan()
    }

    /// Asks for no token any more.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Calls back once the token is good for a connection, or the source has no other.
    func prepare(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let token = state.withLock { $0.token }
            let end = TokenLifetime.end(of: token)
            if token.isEmpty || end.map({ $0 - Self.now < Self.openingSeconds }) ?? false {
                renew()
            }
            body()
        }
    }

    private static var now: Double { Date().timeIntervalSince1970 }

    private func renew() {
        guard !state.withLock({ $0.isStopped }), let token = source(), !token.isEmpty else {
            return
        }
        let isNew = state.withLock { state in
            defer { state.token = token }
            return state.token != token
        }
        if isNew { deliver(token) }
    }

    private func plan() {
        let (token, isStopped) = state.withLock { ($0.token, $0.isStopped) }
        guard !isStopped else { return }
        // A token without an end may get one by its first renewal.
        let rest = TokenLifetime.end(of: token).map { $0 - Self.now } ?? TokenLifetime.unknown
        let delay = Int(TokenLifetime.wait(secondsLeft: rest) * 1000)
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            self?.renew()
            self?.plan()
        }
    }
}

/// When a token ends, and when it is to be renewed.
enum TokenLifetime {
    /// The seconds after which a token is asked for where the present one does not tell its end.
    static let unknown = 300.0
    /// The seconds between attempts once a token has ended.
    private static let pause = 10.0

    /// The end of a JSON Web Token, in seconds since 1970, as it says itself; `nil` for one that
    /// does not say. RFC 7519, section 4.1.4.
    static func end(of token: String) -> Double? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: String(text)),
            let end = (try? JSONReader.read([UInt8](bytes)))?["exp"]?.number,
            end.isFinite
        else { return nil }
        return end
    }

    /// The seconds to wait before the next attempt, at least 1: a minute before the end, or three
    /// quarters of what is left of a shorter time, so that a source that fails is asked again and
    /// again before the end.
    static func wait(secondsLeft: Double) -> Double {
        guard secondsLeft > 0 else { return pause }
        // A day at most: timers of years overflow.
        return max(1, min(86_400, secondsLeft - min(60, max(2, secondsLeft / 4))))
    }
}
