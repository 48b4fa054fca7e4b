import Foundation
import SceneProtocol

/// Says what the codec makes of messages, so that implementations in other languages can be held against it: reads
/// lines `client HEX` or `server HEX`, and writes for each a line of JSON, `{"json": …, "hex": …}` (the message, and
/// its bytes encoded again) or `{"error": NAME}`.
@main
enum WireTool {
    static func main() {
        while let line = readLine() {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, let bytes = bytes(parts[1]) else {
                print(#"{"error":"usage"}"#)
                continue
            }
            print(answer(bytes, isClient: parts[0] == "client").text())
        }
    }

    private static func answer(_ bytes: [UInt8], isClient: Bool) -> JSONValue {
        var again: [UInt8] = []
        do throws(DecodeError) {
            let json: JSONValue
            if isClient {
                let message = try ClientMessage.decode(bytes)
                message.encode(to: &again)
                json = message.json
            } else {
                let message = try ServerMessage.decode(bytes)
                message.encode(to: &again)
                json = message.json
            }
            return .object([JSONMember("json", json), JSONMember("hex", .string(hex(again)))])
        } catch {
            return .object([JSONMember("error", .string(error.code))])
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var result: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            result.append(byte)
        }
        return result
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
