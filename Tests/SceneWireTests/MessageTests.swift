import JSON
import SceneDocument
import SceneWire
import Testing

@Suite("Messages")
struct MessageTests {
    private func error(_ bytes: [UInt8]) -> DecodeError? {
        do throws(DecodeError) {
            _ = try ServerMessage.decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("varints are short, and no longer than they need be")
    func varints() {
        var hash = StateHash()
        for (value, count) in [(0, 1), (127, 1), (128, 2), (UInt64.max, 10)] as [(UInt64, Int)] {
            hash.tick = value
            #expect(bytes(.hash(hash)).count == 1 + count + 8)
        }
        let rest = Array(repeating: UInt8(0), count: 8)
        #expect(error([0x47, 0x80, 0x00] + rest) == .malformedVarint(offset: 1))
        let long = Array(repeating: UInt8(0xFF), count: 9)
        #expect(error([0x47] + long + [0x01] + rest) == nil)
        #expect(error([0x47] + long + [0x02] + rest) == .malformedVarint(offset: 1))
        #expect(error([0x47] + long + [0x81, 0x00] + rest) == .malformedVarint(offset: 1))
    }

    @Test("extensions with an even id are skipped, with an odd id refused")
    func extensions() {
        let message = bytes(.pong(Pong()))
        #expect(message == [0x4A, 0, 0, 0])
        #expect(error(message + [2, 3, 9, 9, 9]) == nil)
        #expect(error(message + [3, 0]) == .unknownExtension(id: 3))
        #expect(error(message + [2, 3, 9]) == .truncated(offset: 6, neededBytes: 3))
        #expect(error(message + [2]) == .truncated(offset: 5, neededBytes: 1))
        let json = #"{"type": "ping", "t0": 1, "extensions": {"ID": "00"}}"#
        func decode(_ id: String) -> ClientMessage? {
            let text =
                String(json.split(separator: "ID")[0]) + id + String(json.split(separator: "ID")[1])
            return try? ClientMessage.decode(json: utf8(text))
        }
        #expect(decode("2") != nil)
        #expect(decode("3") == nil)
        #expect(decode("x") == nil)
    }

    @Test("unknown types are errors; those of later versions can be told apart")
    func types() {
        #expect(DecodeError.unknownType(0x80).isIgnorable)
        #expect(!DecodeError.unknownType(0x7F).isIgnorable)
        #expect(!DecodeError.empty.isIgnorable)
        #expect(throws: DecodeError.unknownType(0x80)) {
            try ServerMessage.decode(json: utf8(#"{"type": "x-later", "what": 1}"#))
        }
        #expect(throws: DecodeError.unknownType(0)) {
            try ServerMessage.decode(json: utf8(#"{"type": "later"}"#))
        }
        #expect(error([]) == .empty)
        for type in [0x00, 0x01, 0x40, 0x51, 0x7F, 0x80, 0xFF] as [UInt8] {
            #expect(error([type, 0, 0, 0]) == .unknownType(type))
        }
        for type in [0x00, 0x0D, 0x40, 0x41, 0x80] as [UInt8] {
            #expect(throws: DecodeError.unknownType(type)) { try ClientMessage.decode([type]) }
        }
    }

    @Test("counts and lengths are held against what is left and against the limits")
    func counts() {
        // A content message that says it has 10,001 changes, or too many.
        #expect(error([0x46, 0, 0x91, 0x4E]) == .truncated(offset: 4, neededBytes: 10_001))
        #expect(
            error([0x46, 0, 0x92, 0x4E]) == .tooMany(offset: 2, count: 10_002, maximum: 10_001))
        var limits = Limits()
        limits.messageBytesMaximum = 3
        #expect(throws: DecodeError.messageTooLong(bytes: 4, maximum: 3)) {
            try ServerMessage.decode([0x4A, 0, 0, 0], limits: limits)
        }
    }

    @Test("doubles that are not finite, texts that are not UTF-8 and flags beyond 1 are errors")
    func values() {
        var presence = Presence()
        presence.cursor = Point(x: 1, y: 2)
        presence.name = "ab"
        let message = bytes(ServerMessage.presence(presence))
        #expect(hexadecimal(Array(message.prefix(8))) == "4b 00 00 00 02 61 62 00")
        var wrong = message
        wrong[5] = 0xFF
        #expect(error(wrong) == .invalidUTF8(offset: 5))
        wrong = message
        wrong[3] = 2
        #expect(error(wrong) == .invalidValue(offset: 3))
        wrong = message
        // The first double begins after the optional's flag; make its exponent all ones.
        wrong[15] = 0xF0
        wrong[16] = 0x7F
        #expect(error(wrong) == .invalidValue(offset: 9))
    }

    @Test(
        "a wrong JSON message is an error that names the field",
        arguments: [
            ("{}", "type"), ("[]", "message"), (#"{"type": "ack", "tick": -1}"#, "tick"),
            (#"{"type": "ack", "tick": 1.5}"#, "tick"), (#"{"type": "ack", "tick": "5"}"#, "tick"),
            (#"{"type": "ack", "tick": 1}"#, "lagMilliseconds"),
            (#"{"type": "ping", "t0": 1, "t9": 1}"#, "t9"),
            (#"{"type": "resync", "tick": 1, "hash": "0"}"#, "hash"),
        ])
    func json(text: String, field: String) {
        do throws(DecodeError) {
            _ = try ClientMessage.decode(json: utf8(text))
            Issue.record("no error")
        } catch {
            guard case .field(let name, let line, _, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(name == field)
            #expect(line == 1)
        }
    }

    @Test("the worked examples of the specification are what the code does")
    func examples() throws {
        var encoder = FrameEncoder()
        let changes = (10..<210).map { number in
            let old = QuantisedFrame(x: 0, y: Int32(number) * 24, width: 300, height: 24)
            var new = old
            new.y += 24
            return FrameChange(number: ViewNumber(UInt32(number)), old: old, new: new)
        }
        var alone = FrameChange(number: ViewNumber(3), old: .zero, new: .zero)
        alone.new.x = -2
        alone.new.width = 5
        var frame = FrameDiff(
            tick: 300, baseTick: 299, durableTick: 297, body: encoder.encode([alone] + changes))
        #expect(
            hexadecimal(bytes(.frame(frame)))
                == "43 2c 51 01 03 01 42 01 0a 8e 03 30 01 05 21 f5 04")
        frame = FrameDiff(
            tick: 301, baseTick: 300, durableTick: 297, body: encoder.encode(changes))
        #expect(hexadecimal(bytes(.frame(frame))) == "43 2d 42 01 04 01 50 04 01")
        #expect(
            ServerMessage.frame(frame).json.text()
                == #"{"type":"frame","tick":45,"baseDistance":1,"durableDistance":4,"body":{"citesDifferences":false,"groups":[{"slot":0,"deltas":[24]}],"rows":[],"absoluteRows":[]}}"#
        )
        frame.durableDistance = 1
        #expect(hexadecimal(bytes(.frame(frame))) == "43 2d 80 30")
        let root = ViewHash.prefix(id: "root", parentID: "", content: ViewContent())
        let hash = ViewHash.hash(
            prefix: root, frame: QuantisedFrame(x: 0, y: 0, width: 640, height: 384))
        #expect(ViewHash.text(hash) == Self.rootHash)
    }

    /// From an independent implementation (Python) of the definition in the specification.
    private static let rootHash = "14b025c034a4594c"
}
