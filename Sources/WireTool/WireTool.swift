import Bytes
import FoundationEssentials
import JSON
import SceneDocument
import SceneWire

/// Says what the readers make of messages and of the language, so that implementations in other
/// languages and the schemas can be held against them. Each line of standard input is a kind and
/// bytes in hexadecimal, and is answered by a line of JSON.
///
/// | kind | bytes | answer |
/// |---|---|---|
/// | `client`, `server` | a message in the binary format | `{"json": …, "hex": …}`: the message, and its bytes encoded again |
/// | `client-json`, `server-json` | a message in the JSON format | the same |
/// | `document`, `op`, `scenario` | a JSON text | `{"json": …}`: the same as it is written |
///
/// What cannot be read is answered with `{"error": NAME}`.
@main
enum WireTool {
    private enum Kind: String {
        case client, server, document, op, scenario
        case clientJSON = "client-json"
        case serverJSON = "server-json"
    }

    static func main() {
        while let line = readLine() {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
                let bytes = Hexadecimal.bytes(parts[1])
            else {
                print(#"{"error":"usage"}"#)
                continue
            }
            print(answer(kind, bytes).text())
        }
    }

    private static func answer(_ kind: Kind, _ bytes: [UInt8]) -> JSONValue {
        do {
            switch kind {
            case .client: return answer(try ClientMessage.decode(bytes))
            case .clientJSON: return answer(try ClientMessage.decode(json: bytes))
            case .server: return answer(try ServerMessage.decode(bytes))
            case .serverJSON: return answer(try ServerMessage.decode(json: bytes))
            case .document: return answer(try SceneDocument.parse(bytes).json)
            case .op: return answer(try Op.parse(try JSONReader.read(bytes)).json)
            case .scenario: return answer(try Scenario.parse(bytes).json)
            }
        } catch let error as DecodeError {
            return refusal(error.code)
        } catch let error as DocumentError {
            return refusal(error.code.rawValue)
        } catch {
            return refusal("json")
        }
    }

    private static func answer(_ json: JSONValue) -> JSONValue {
        .object([JSONMember("json", json)])
    }

    private static func answer(_ message: ClientMessage) -> JSONValue {
        var bytes: [UInt8] = []
        message.encode(to: &bytes)
        return answer(message.json, bytes)
    }

    private static func answer(_ message: ServerMessage) -> JSONValue {
        var bytes: [UInt8] = []
        message.encode(to: &bytes)
        return answer(message.json, bytes)
    }

    private static func answer(_ json: JSONValue, _ bytes: [UInt8]) -> JSONValue {
        .object([JSONMember("json", json), JSONMember("hex", .string(Hexadecimal.text(bytes)))])
    }

    private static func refusal(_ name: String) -> JSONValue {
        .object([JSONMember("error", .string(name))])
    }
}
