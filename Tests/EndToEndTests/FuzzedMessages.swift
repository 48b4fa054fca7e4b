import Foundation
import JSON
import SceneTestSupport
import SceneWire
import SeededRandom

/// Messages of a client that means harm, or is broken: such as the specification has, with ops that
/// are right and wrong, and either of these with some bytes changed.
struct FuzzedMessages {
    /// A message, and whether its bytes were changed.
    struct Message {
        var bytes: [UInt8]
        var isDamaged: Bool
    }

    /// What the published vectors have clients send, in both formats.
    private struct Templates {
        var binary: [[UInt8]] = []
        var json: [[UInt8]] = []

        init() throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../protocol/vectors/v1/valid")
            for name in ["boundaries", "lenient", "messages"] {
                let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
                guard let cases = try JSONReader.read(Array(data)).array else {
                    continue
                }
                for entry in cases where entry["from"] == .string("client") {
                    if let hex = entry["hex"]?.string {
                        binary.append(Self.bytes(hex))
                    }
                    if let json = entry["json"] { self.json.append(Array(json.text().utf8)) }
                }
            }
        }

        private static func bytes(_ hex: String) -> [UInt8] {
            let digits = hex.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count - 1, by: 2).map {
                UInt8(digits[$0] << 4 | digits[$0 + 1])
            }
        }
    }

    private let templates: Templates
    private var random: SplitMix64
    private var source: RandomOps

    /// Starts a row of messages; equal seeds give equal ones.
    init(seed: Int) throws {
        templates = try Templates()
        random = SplitMix64(seed: UInt64(seed))
        source = RandomOps(seed: seed)
    }

    /// How many templates of each format there are.
    var templateCounts: (binary: Int, json: Int) {
        (templates.binary.count, templates.json.count)
    }

    /// A message of a member that has sent `sequence` − 1 messages with ops.
    mutating func next(_ format: Subprotocol, sequence: inout UInt64) throws -> Message {
        var bytes: [UInt8]
        if random.below(2) == 0 {
            sequence += 1
            bytes = try ops(sequence).encoded(as: format)
        } else {
            bytes = random.pick(format == .json ? templates.json : templates.binary)
        }
        let isDamaged = random.below(8) == 0
        if isDamaged { damage(&bytes, format) }
        return Message(bytes: bytes, isDamaged: isDamaged)
    }

    private mutating func ops(_ sequence: UInt64) throws -> ClientMessage {
        var list = (0...random.below(6)).map { _ in source.op() }
        // A document counts as the op that sets it.
        if random.below(12) == 0 { list.append(source.document()) }
        var message = Ops()
        // Now and then a number that came before, or is far ahead.
        message.clientSequence =
            random.below(40) == 0 ? random.next() >> UInt64(random.below(64)) : sequence
        message.isAtomic = random.below(3) == 0
        message.ops = try JSONReader.read(Array("[\(list.joined(separator: ","))]".utf8))
        return .ops(message)
    }

    private mutating func damage(_ bytes: inout [UInt8], _ format: Subprotocol) {
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty else { return bytes.append(UInt8(random.below(256))) }
            let place = random.below(bytes.count)
            switch random.below(6) {
            case 0: bytes.removeLast(bytes.count - place)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(random.below(256)), at: place)
            case 3: bytes[place] ^= 1 << UInt8(random.below(8))
            case 4:
                // A part of another message in the middle of this one.
                let other = random.pick(format == .json ? templates.json : templates.binary)
                bytes.insert(contentsOf: other.prefix(random.below(64)), at: place)
            default: bytes[place] = UInt8(random.below(256))
            }
        }
        bytes = Array(bytes.prefix(60_000))
    }
}
