private import Essentials
private import FoundationEssentials
import Signatures
private import Synchronization

/// The keys that prove messages between the nodes of a cluster, from a file that is read again when
/// keys change.
///
/// Each line is a key of 32 bytes or more in hexadecimal, or the word `open`, which stands for
/// messages without proof. Messages are sent with the first line, and taken with any. So keys are
/// changed, or introduced, without a stop: a line is added behind the others at all nodes, then put
/// first at all nodes, and then the old one is removed. Lines that begin with `#` are comments.
/// Safe from any thread.
public final class ClusterKeys: Sendable {
    /// One line.
    enum Entry: Sendable {
        case key(Secret)
        case open
    }

    /// The most lines: each message is tried with all of them.
    private static let entryMaximum = 4
    private static let fileBytesMaximum = 1 << 16

    private let file: String
    private let state: Mutex<[Entry]>

    /// Reads a file.
    ///
    /// - Throws: `NATSError.unreadableFile` or `.badClusterKey`.
    public init(file: String) throws(NATSError) {
        self.file = file
        state = Mutex(try Self.read(file))
    }

    /// Reads the file again. If that fails, the keys stay.
    ///
    /// - Throws: As `init`.
    public func reload() throws(NATSError) {
        let entries = try Self.read(file)
        state.withLock { $0 = entries }
    }

    /// The lines, in order; at least one.
    var entries: [Entry] { state.withLock { $0 } }

    /// Whether messages without proof are taken.
    public var isOpen: Bool {
        entries.contains { if case .open = $0 { true } else { false } }
    }

    private static func read(_ file: String) throws(NATSError) -> [Entry] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
            throw .unreadableFile(file, reason: FileFailure.reason(of: error))
        }
        guard data.count <= fileBytesMaximum else {
            throw .unreadableFile(file, reason: "it has more than \(fileBytesMaximum) bytes")
        }
        var entries: [Entry] = []
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.map(\.trimmed) where !line.isEmpty && !line.hasPrefix("#") {
            entries.append(try entry(line, file))
        }
        guard 1...entryMaximum ~= entries.count else {
            throw .badClusterKey(
                file: file, reason: "it has \(entries.count) lines, expected 1 to \(entryMaximum)")
        }
        return entries
    }

    private static func entry(_ line: String, _ file: String) throws(NATSError) -> Entry {
        if line == "open" { return .open }
        let digits = Array(line.utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count - digits.count % 2, by: 2) {
            guard let high = Character(UnicodeScalar(digits[start])).hexDigitValue,
                let low = Character(UnicodeScalar(digits[start + 1])).hexDigitValue
            else { break }
            bytes.append(UInt8(high << 4 | low))
        }
        guard bytes.count * 2 == digits.count else {
            throw .badClusterKey(file: file, reason: "a line is neither hexadecimal nor \"open\"")
        }
        do throws(KeyError) { return .key(try Secret(bytes)) } catch {
            throw .badClusterKey(file: file, reason: error.description)
        }
    }

    /// Makes a file with a new key, unless there is one already.
    ///
    /// - Returns: Whether it was made.
    /// - Throws: `NATSError.unreadableFile` if it cannot be written; as `init` for a file that is
    ///   there.
    public static func make(file: String) throws(NATSError) -> Bool {
        if FileManager.default.fileExists(atPath: file) {
            _ = try read(file)
            return false
        }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<32).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        do throws(Descriptor.Failure) {
            let descriptor = try Descriptor.create(file, mode: 0o600)
            try descriptor.write(Array((digits.joined() + "\n").utf8))
            descriptor.close()
        } catch {
            throw .unreadableFile(file, reason: error.description)
        }
        return true
    }
}
