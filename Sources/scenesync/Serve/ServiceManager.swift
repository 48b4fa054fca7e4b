import Dispatch
import FoundationEssentials
import Glibc

/// Reports the state of the service to systemd. See `sd_notify(3)`: a datagram to the socket named
/// in the environment.
enum ServiceManager {
    /// Sends a state; does nothing without a service manager.
    static func notify(_ state: String) {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"],
            path.hasPrefix("/") || path.hasPrefix("@")
        else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // A name that starts with @ denotes an abstract socket.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(state.utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    /// The time after which the service manager ends a process that does not report `WATCHDOG=1`;
    /// `nil` for no limit. See `sd_watchdog_enabled(3)`.
    static var watchdogInterval: Duration? {
        let environment = ProcessInfo.processInfo.environment
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        else { return nil }
        // A child of the service's process inherits the environment.
        if let pid = environment["WATCHDOG_PID"], pid != String(getpid()) { return nil }
        return .microseconds(microseconds)
    }

    /// Reports the beginning of a reload; `READY=1` reports its end.
    static func notifyReloading() {
        let microseconds = DispatchTime.now().uptimeNanoseconds / 1000
        notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }
}
