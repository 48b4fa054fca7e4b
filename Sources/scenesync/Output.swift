import ArgumentParser
import Essentials
import FoundationEssentials
import Glibc
import SceneProtocol

/// BSD's `sysexits`, as far as they are used here.
extension ExitCode {
    /// The input is wrong.
    static let badData = ExitCode(65)
    /// The server cannot be reached.
    static let unavailable = ExitCode(69)
    /// The configuration is wrong.
    static let badConfiguration = ExitCode(78)
}

/// Where things are printed. Documents and servers are somebody else's, so whatever a terminal would obey is escaped.
enum Output {
    /// A result, to standard output: text or JSON, which stays the same JSON.
    static func result(_ text: String) {
        drawing(text.escapingControls(keepsLayout: true))
    }

    /// A picture, to standard output as it is: its renderer has to keep controls of others out.
    static func drawing(_ text: String) {
        do {
            try Descriptor.output.write(Array((text + "\n").utf8))
        } catch {
            // Whoever read this is gone, as `head` is after its lines: there is nobody to tell more.
            exit(ExitCode.failure.rawValue)
        }
    }

    /// Anything else, to standard error, as one line.
    static func note(_ text: String) {
        let line = "scenesync: " + text.escapingControls() + "\n"
        // Where nobody can be told, that cannot be told either.
        try? Descriptor.error.write(Array(line.utf8))
    }

    /// Reports a failure, and returns the error to throw.
    ///
    /// - Parameter advice: What to try; it follows the text after a semicolon.
    static func failure(_ code: ExitCode, _ text: String, try advice: String) -> ExitCode {
        note("\(text); \(advice)")
        return code
    }
}

/// Why a file is no document; for people, with its name.
struct InputFailure: Error {
    enum Kind {
        case unreadable
        case malformed
    }

    var kind: Kind
    var text: String
}

/// Where documents and ops are read from.
enum Input {
    /// The bytes of a file, or of standard input for `-`.
    static func bytes(_ path: String) throws(InputFailure) -> [UInt8] {
        do {
            if path == "-" { return try Descriptor.input.readAll() }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw InputFailure(
                kind: .unreadable, text: "cannot read \(path): \(FileFailure.reason(of: error))")
        }
    }

    /// The document that the bytes of a file are.
    static func parse(
        _ bytes: [UInt8], _ path: String
    ) throws(InputFailure) -> SceneDocument {
        do { return try SceneDocument.parse(bytes) } catch {
            throw InputFailure(kind: .malformed, text: "\(path): \(error)")
        }
    }

    /// The same as `bytes`; what is wrong is reported, and ends the command.
    static func read(_ path: String) throws -> [UInt8] {
        do throws(InputFailure) { return try bytes(path) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }

    /// A document; what is wrong is reported, and ends the command.
    static func document(_ path: String) throws -> SceneDocument {
        do throws(InputFailure) { return try parse(bytes(path), path) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }
}
