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
            guard parts.count == 2, let bytes = Hexadecimal.bytes(parts[1]) else {
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
            return .object([
                JSONMember("json", json), JSONMember("hex", .string(Hexadecimal.text(again))),
            ])
        } catch {
            return .object([JSONMember("error", .string(error.code))])
        }
    }
}
