import Foundation

/// Runs something on a thread with an eighth of the stack that the server's threads have, where
/// recursion that no limit bounds ends the process.
///
/// - Returns: What it came to.
package func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 1 << 20
        thread.start()
    }
}
