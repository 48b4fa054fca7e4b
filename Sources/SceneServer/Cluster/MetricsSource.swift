import Synchronization

/// The page of metrics, for the cluster's thread: it is made before the gateway that knows the
/// page. Safe from any thread.
final class MetricsSource: Sendable {
    private let source = Mutex<(@Sendable () -> String)?>(nil)

    /// Sets the function that makes the page.
    func set(_ body: @escaping @Sendable () -> String) { source.withLock { $0 = body } }

    /// The page in Prometheus' text format; `nil` before the server is complete.
    var page: String? { source.withLock { $0 }?() }
}
