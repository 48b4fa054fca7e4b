/// How long a ping to one server takes over a connection of the engine's kind, with its TLS and
/// key.
public enum RoundTrip {
    /// Pings of which the middle one counts.
    private static let pings = 5

    /// Connects, pings and closes.
    ///
    /// - Returns: The median, or why the server does not take the connection.
    public static func measure(
        _ configuration: NATSConfiguration, to address: NATSAddress
    ) -> Result<Duration, NATSError> {
        do throws(NATSError) {
            let connection = try NATSConnection(configuration.with(only: address))
            var times: [Duration] = []
            for _ in 0..<pings { times.append(try connection.roundTrip()) }
            return .success(times.sorted()[pings / 2])
        } catch {
            return .failure(error)
        }
    }
}
