import Foundation

/// How far random tests go: some cases in every run, the rest when somebody asks for a long one
/// (`./dev soak`).
package enum Soak {
    /// By how much the number of cases is multiplied; `SCENESYNC_SOAK` in the environment, 1
    /// without it.
    package static let factor = max(
        1, ProcessInfo.processInfo.environment["SCENESYNC_SOAK"].flatMap { Int($0) } ?? 1)
}
