import JSON

/// A recording of a terminal as asciicast, version 2: a header, then each output with its time.
///
/// - Source: asciinema, "asciicast v2" file format.
public struct Cast: Sendable, Equatable {
    /// An event of the recording.
    public enum Event: Sendable, Equatable {
        /// Output to the terminal.
        case output(String)
        /// A new size of the terminal.
        case resize(GridSize)
    }

    /// The initial size.
    public var size: GridSize
    /// Events with seconds since the start, in order.
    public var events: [(seconds: Double, event: Event)]

    /// Whether both are equal.
    public static func == (left: Cast, right: Cast) -> Bool {
        left.size == right.size && left.events.elementsEqual(right.events, by: ==)
    }

    /// Makes a recording.
    public init(size: GridSize, events: [(seconds: Double, event: Event)]) {
        self.size = size
        self.events = events
    }

    // MARK: Writing

    /// The first line, without a line feed.
    ///
    /// - Parameter timestamp: The start of the recording, in seconds since 1970; nil if it is of no
    ///   one time.
    public static func header(size: GridSize, timestamp: Int?, title: String) -> String {
        var members = [
            JSONMember("version", .number(2)),
            JSONMember("width", .number(Double(size.columns))),
            JSONMember("height", .number(Double(size.rows))),
            JSONMember("title", .string(title)),
            JSONMember("env", .object([JSONMember("TERM", .string("xterm-256color"))])),
        ]
        if let timestamp {
            members.insert(JSONMember("timestamp", .number(Double(timestamp))), at: 3)
        }
        return JSONValue.object(members).text()
    }

    /// A further line, without a line feed.
    ///
    /// - Parameter seconds: Since the start.
    public static func line(seconds: Double, _ event: Event) -> String {
        let (kind, data) =
            switch event {
            case .output(let text): ("o", text)
            case .resize(let size): ("r", "\(size.columns)x\(size.rows)")
            }
        let time = (seconds * 1e6).rounded() / 1e6
        return JSONValue.array([.number(time), .string(kind), .string(data)]).text()
    }

    // MARK: Reading

    /// The reason why bytes are not a playable recording.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line, from 1.
        public var line: Int
        /// The error.
        public var message: String

        /// The line and the error.
        public var description: String { "line \(line): \(message)" }
    }

    /// Parses a recording; ignores events that a terminal does not show.
    ///
    /// - Complexity: O(bytes).
    public static func parse(_ bytes: [UInt8]) throws(Failure) -> Cast {
        var cast: Cast?
        var last = 0.0
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            let value: JSONValue
            do throws(JSONError) { value = try JSONReader.read(Array(line)) } catch {
                throw Failure(line: index + 1, message: error.message)
            }
            guard cast != nil else {
                cast = try header(value, line: index + 1)
                continue
            }
            guard let parts = value.array, parts.count == 3,
                let seconds = parts[0].number, let kind = parts[1].string,
                let data = parts[2].string
            else {
                throw Failure(line: index + 1, message: "an event is [seconds, kind, text]")
            }
            guard seconds >= last else {
                throw Failure(line: index + 1, message: "the time goes back")
            }
            last = seconds
            switch kind {
            case "o": cast?.events.append((seconds, .output(data)))
            case "r":
                guard let size = GridSize(text: data) else {
                    throw Failure(line: index + 1, message: "a size is COLUMNSxROWS")
                }
                cast?.events.append((seconds, .resize(size)))
            default: break
            }
        }
        guard let cast else { throw Failure(line: 1, message: "the header is missing") }
        return cast
    }

    private static func header(_ value: JSONValue, line: Int) throws(Failure) -> Cast {
        guard case .number(2)? = value["version"]?.kind else {
            throw Failure(line: line, message: "not an asciicast of version 2")
        }
        func side(_ key: String) throws(Failure) -> Int {
            guard let number = value[key]?.number, let side = Int(exactly: number),
                (1...CellGrid.sideMaximum).contains(side)
            else {
                throw Failure(line: line, message: "\(key) must be 1 to \(CellGrid.sideMaximum)")
            }
            return side
        }
        return Cast(
            size: GridSize(columns: try side("width"), rows: try side("height")), events: [])
    }
}
