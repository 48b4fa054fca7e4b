import ArgumentParser
import Essentials
import FoundationEssentials
import Glibc
import JSON
import SceneDocument
import SceneStore
import TerminalViewer

/// The exit codes of BSD's `sysexits` used here.
extension ExitCode {
    /// A layout did not come to rest.
    static let unsettled = ExitCode(2)
    /// The usage is wrong.
    static let usage = ExitCode(64)
    /// The input is invalid.
    static let badData = ExitCode(65)
    /// The server cannot be reached.
    static let unavailable = ExitCode(69)
    /// The configuration is invalid.
    static let badConfiguration = ExitCode(78)
}

/// Prints output. Documents and messages come from other people, so control characters are escaped.
enum Output {
    /// Prints a result to standard output: text, or JSON, which remains valid JSON.
    static func result(_ text: String) {
        drawing(text.escapingControls(keepsLayout: true))
    }

    /// Prints a picture to standard output unchanged: its renderer must keep out control
    /// characters.
    static func drawing(_ text: String) {
        do throws(Descriptor.Failure) {
            try Descriptor.output.write(Array((text + "\n").utf8))
        } catch {
            if error.number == EPIPE { ReaderWatch.end() }
            note("cannot write to standard output: \(error)")
            exit(ExitCode.failure.rawValue)
        }
    }

    /// The encoding of pictures on standard output.
    static let encoding = TextEncoding.detect(
        environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)

    /// Prints anything else to standard error, as one line.
    static func note(_ text: String) {
        let line = "scenesync: " + text.escapingControls() + "\n"
        // A failure of standard error cannot be reported.
        try? Descriptor.error.write(Array(line.utf8))
    }

    /// Reports a failure of a journal.
    static func failure(_ error: StoreError) -> ExitCode {
        if case .damaged = error {
            return failure(.badData, error.description, try: Advice.after(error))
        }
        return failure(.badConfiguration, error.description, try: Advice.after(error))
    }

    /// Reports a failure, and returns the error to throw.
    ///
    /// - Parameter advice: A suggestion; printed after the text and a semicolon.
    static func failure(_ code: ExitCode, _ text: String, try advice: String) -> ExitCode {
        note("\(text); \(advice)")
        return code
    }
}

/// The reason why a file is not a document; with its name.
struct InputFailure: Error {
    enum Kind {
        case unreadable
        case malformed
    }

    var kind: Kind
    var text: String
}

/// Reads documents and ops.
enum Input {
    /// The bytes of a file, or of standard input for `-`.
    static func bytes(_ path: String) throws(InputFailure) -> [UInt8] {
        do {
            if path == "-" { return try Descriptor.input.readAll() }
            let file = InterfaceInput.split(path).path
            if let excess = InterfaceInput.excess(file) {
                throw InputFailure(kind: .malformed, text: "\(file): \(excess)")
            }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        } catch let failure as InputFailure {
            throw failure
        } catch {
            throw InputFailure(
                kind: .unreadable, text: "cannot read \(path): \(FileFailure.reason(of: error))")
        }
    }

    /// Parses a document, or a scene of a file of Interface Builder: `Main.storyboard#login`.
    static func parse(
        _ bytes: [UInt8], _ path: String
    ) throws(InputFailure) -> SceneDocument {
        let (file, scene) = InterfaceInput.split(path)
        if InterfaceInput.accepts(bytes, file) {
            return try InterfaceInput.document(bytes, file, scene: scene)
        }
        do { return try SceneDocument.parse(bytes) } catch {
            throw InputFailure(kind: .malformed, text: "\(path): \(error)")
        }
    }

    /// The same as `bytes`; reports an error and exits.
    static func read(_ path: String) throws -> [UInt8] {
        do throws(InputFailure) { return try bytes(path) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }

    /// Reads a document; reports an error and exits.
    static func document(_ path: String) throws -> SceneDocument {
        do throws(InputFailure) { return try parse(bytes(path), path) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }
}
