import CProcess
package import Foundation
import Threads

/// A program in a process of its own. Names are those of Foundation's `Process`.
///
/// That one learns of an exit from a socket that a thread of the whole process watches, and where
/// many start and end at once on a busy machine, now and then it never does: `waitUntilExit` spins
/// without end. Here each process has a thread that waits for it.
package final class ChildProcess: Sendable {
    /// What a standard stream is connected to.
    package enum Stream {
        /// What it is in this process.
        case same
        case null
        case file(FileHandle)
        /// The other end is this process's.
        case pipe(Pipe)
    }

    /// The program could not be started.
    package struct Failure: Error {
        package let text: String
    }

    package let processIdentifier: Int32
    /// What `waitpid` told, once the process has ended.
    private let ending = Monitor<Int32?>(nil)

    /// Starts a program, which gets no descriptors but the standard streams.
    ///
    /// - Parameters:
    ///   - command: The program's path, and its arguments.
    ///   - environment: Variables beside this process's, or instead of them.
    /// - Throws: `Failure`.
    package init(
        _ command: [String], environment: [String: String] = [:], input: Stream = .null,
        output: Stream = .same, errors: Stream = .same
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, stream) in [(Int32(0), input), (1, output), (2, errors)] {
            switch stream {
            case .same: break
            case .null:
                unsafe posix_spawn_file_actions_addopen(
                    &actions, descriptor, "/dev/null", O_RDWR, 0)
            case .file(let handle):
                unsafe posix_spawn_file_actions_adddup2(
                    &actions, handle.fileDescriptor, descriptor)
            case .pipe(let pipe):
                unsafe posix_spawn_file_actions_adddup2(
                    &actions, Self.childsEnd(of: pipe, descriptor).fileDescriptor, descriptor)
            }
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Threads of Dispatch block most signals, which a new process would inherit.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var identifier: pid_t = 0
        let error = unsafe posix_spawn(
            &identifier, command[0], &actions, &attributes, &arguments, &settings)
        guard error == 0 else {
            throw Failure(text: "\(command[0]): \(unsafe String(cString: strerror(error)))")
        }
        for (descriptor, stream) in [(Int32(0), input), (1, output), (2, errors)] {
            if case .pipe(let pipe) = stream {
                try Self.childsEnd(of: pipe, descriptor).close()
            }
        }
        processIdentifier = identifier
        OwnedThread(name: "child", stackBytes: 64 << 10).start { [ending] in
            Self.reap(identifier, ending)
        }
    }

    deinit { terminate() }

    private static func childsEnd(of pipe: Pipe, _ descriptor: Int32) -> FileHandle {
        descriptor == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting
    }

    private static func reap(_ identifier: pid_t, _ ending: Monitor<Int32?>) {
        // Until it is reaped its number is no other process's, to which signals might go; so that
        // is done under the lock.
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0, errno == EINTR
        {}
        ending.withLock { ending in
            var status: Int32 = 0
            unsafe waitpid(identifier, &status, 0)
            ending = status
        }
        ending.wakeAll()
    }

    /// Whether it has not ended.
    package var isRunning: Bool { ending.withLock { $0 == nil } }

    /// Sends a signal, unless it has ended.
    package func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { kill(processIdentifier, signal) }
        }
    }

    /// Asks it to end, unless it has.
    package func terminate() { send(SIGTERM) }

    /// Returns once it has ended. From any thread, any number of times.
    package func waitUntilExit() { _ = status }

    private var status: Int32 {
        ending.wait { ending, _ in ending.map { .finish($0) } ?? .wait }
    }

    /// Whether it ended by itself or by a signal; waits for it.
    package var terminationReason: Process.TerminationReason {
        status & 0x7F == 0 ? .exit : .uncaughtSignal
    }

    /// The exit code, or the signal; waits for its end.
    package var terminationStatus: Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }
}
