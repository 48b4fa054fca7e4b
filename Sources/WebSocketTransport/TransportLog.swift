import CTransportShims
import Synchronization

/// Receives the library's own complaints; none by default, since every failure is reported by its
/// caller too.
public enum TransportLog {
    private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Sets the receiver of lines; `nil` drops them. From any thread.
    public static func set(_ handler: (@Sendable (String) -> Void)?) {
        sink.withLock { $0 = handler }
        ss_set_log(handler == nil ? nil : emitLibraryLog)
    }

    static func emit(_ line: String) {
        sink.withLock { $0 }?(line)
    }

    /// Whether lines are dropped.
    static var isSilent: Bool { sink.withLock { $0 == nil } }
}

private func emitLibraryLog(_ level: Int32, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    TransportLog.emit(String(cString: line))
}
