import SceneDocument
import SceneWire
import SeededRandom

/// Random values of the kinds that these tests need.
struct Generator: RandomNumberGenerator {
    private var random: SplitMix64

    init(state: UInt64) { random = SplitMix64(seed: state) }

    mutating func next() -> UInt64 { random.next() }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func bool() -> Bool { next() & 1 == 1 }
    mutating func pick<T>(_ values: [T]) -> T { values[int(0...values.count - 1)] }
    mutating func maybe<T>(_ make: (inout Generator) -> T) -> T? { bool() ? make(&self) : nil }

    mutating func frame(_ limit: Int = 2000) -> QuantisedFrame {
        QuantisedFrame(
            x: Int32(int(-limit...limit)), y: Int32(int(-limit...limit)),
            width: Int32(int(0...limit)), height: Int32(int(0...limit)))
    }

    mutating func color() -> Color { Color(rgba: UInt32(truncatingIfNeeded: next())) }

    mutating func content() -> ViewContent {
        var content = ViewContent(kind: pick(ContentKind.allCases))
        content.hidden = bool()
        content.clips = bool()
        content.opacity = UInt8(int(0...255))
        content.background = maybe { $0.color() }
        content.foreground = maybe { $0.color() }
        content.border = pick(BorderStyle.allCases)
        content.align = pick(TextAlignment.allCases)
        content.contentOffsetX = Int32(int(-5...5))
        for _ in 0..<int(0...2) {
            content.lines.append(
                ContentLine(
                    text: pick(["", "Files", "naïve 日本", "a\"b\\\n"]), x: Int32(int(-9...9)),
                    y: Int32(int(0...99)), width: Int32(int(0...999))))
        }
        return content
    }

    /// A tree in preorder with numbers that may have gaps.
    mutating func records(_ count: Int) -> [ViewRecord] {
        var records: [ViewRecord] = []
        var number: UInt32 = 0
        var path: [ViewNumber] = []
        for index in 0..<count {
            let parent = path.last
            records.append(
                ViewRecord(
                    number: ViewNumber(number), id: index == 0 ? "root" : "v\(index)",
                    parent: parent, frame: frame(), content: content()))
            // The next view goes below any view on the way from the root to this one.
            path.append(ViewNumber(number))
            path.removeLast(int(0...max(0, path.count - 1)))
            number += UInt32(int(1...3))
        }
        return records
    }
}

/// A mirror that holds these views at tick 0.
func mirror(_ records: [ViewRecord]) throws -> SceneMirror {
    var mirror = SceneMirror()
    var snapshot = Snapshot()
    snapshot.views = records
    snapshot.stateHash = stateHash(records)
    try mirror.apply(snapshot)
    return mirror
}

/// The state hash from its definition, not kept incrementally.
func stateHash(_ records: [ViewRecord]) -> UInt64 {
    var hash: UInt64 = 0
    for record in records {
        let parentID = records.first { $0.number == record.parent }?.id ?? ""
        let prefix = ViewHash.prefix(id: record.id, parentID: parentID, content: record.content)
        hash &+= ViewHash.hash(prefix: prefix, frame: record.frame)
    }
    return hash
}

func bytes(_ message: ServerMessage) -> [UInt8] {
    var output: [UInt8] = []
    message.encode(to: &output)
    return output
}

func bytes(_ message: ClientMessage) -> [UInt8] {
    var output: [UInt8] = []
    message.encode(to: &output)
    return output
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
