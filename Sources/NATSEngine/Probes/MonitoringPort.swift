import JSON

/// A server's storage settings, from its monitoring port.
public struct StorageSettings: Equatable, Sendable {
    /// Whether each message is on the disk before it is acknowledged.
    public var syncsAlways: Bool
    /// The time between two writes to the disk otherwise, in seconds.
    public var syncIntervalSeconds: Double
    /// Where the files are.
    public var directory: String
}

/// A server's monitoring port: plain HTTP, which only operators reach.
public struct MonitoringPort: Equatable, Sendable {
    private let host: String
    private let port: Int

    /// Why it does not help, in words.
    public struct Failure: Error, Equatable, Sendable {
        /// The reason.
        public var reason: String
    }

    private static let standardPort = 8222

    /// Reads `http://HOST:PORT`; nil for another text.
    public init?(_ text: String) {
        let scheme = "http://"
        guard text.hasPrefix(scheme) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.last == "/" { rest.removeLast() }
        // The rules of hosts and ports are those of a server's own address.
        guard let address = try? NATSAddress.list("nats://\(rest)").first else { return nil }
        host = address.host
        port = rest.contains(":") ? address.port : Self.standardPort
    }

    /// Asks for the settings of JetStream.
    ///
    /// - Parameter timeout: For each of connecting, asking and reading.
    public func storageSettings(timeout: Duration = .seconds(2)) -> Result<StorageSettings, Failure>
    {
        do throws(PlainSocket.Failure) {
            let value = try get("/jsz", timeout)
            guard let settings = value["config"], let directory = settings["store_dir"]?.string
            else { throw PlainSocket.Failure(reason: "JetStream is switched off there") }
            return .success(
                StorageSettings(
                    syncsAlways: settings["sync_always"]?.bool ?? false,
                    syncIntervalSeconds: Double(settings["sync_interval"]?.count ?? 0)
                        / 1_000_000_000,
                    directory: directory))
        } catch {
            return .failure(Failure(reason: error.reason))
        }
    }

    private func get(_ path: String, _ timeout: Duration) throws(PlainSocket.Failure) -> JSONValue {
        let page = try PlainHTTP.page(path, host, port, timeout)
        do { return try JSONReader.read(page) } catch {
            throw PlainSocket.Failure(reason: "its answer is no JSON: \(error)")
        }
    }
}
