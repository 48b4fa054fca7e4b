import Dispatch
import FoundationEssentials
import RoomNames
import SceneStore
import Synchronization
import WebSocketTransport

/// Files of other programs as documents: `POST /convert/ROOM?name=NAME&scene=ID`, with a token that
/// may change the room. Nothing is kept; the page sends the document as an op.
extension Gateway {
    /// Converts one file after another, at a low priority: rooms do not wait for it.
    final class ConversionQueue: Sendable {
        private static let waitingMaximum = 4

        private let queue = DispatchQueue(label: "conversions", qos: .utility)
        private let waiting = Mutex(0)

        /// Does something when its turn comes.
        ///
        /// - Returns: Whether there is a place in the queue.
        func add(_ body: @escaping @Sendable () -> Void) -> Bool {
            let isFull = waiting.withLock { count in
                guard count < Self.waitingMaximum else { return true }
                count += 1
                return false
            }
            guard !isFull else { return false }
            queue.async { [self] in
                body()
                waiting.withLock { $0 -= 1 }
            }
            return true
        }
    }

    /// The room that a file is converted for; nil for another path, and without a converter.
    func conversionRoom(_ path: String) -> String? {
        let prefix = "/convert/"
        guard options.converter != nil, path.hasPrefix(prefix) else { return nil }
        let room = String(path.dropFirst(prefix.count))
        return RoomName.isValid(room) ? room : nil
    }

    /// Bytes of a file that may be brought to a path; nil where none may.
    func conversionMaximum(method: String, path: String) -> Int? {
        method == "POST" && conversionRoom(path) != nil ? blobs.byteMaximum : nil
    }

    func convert(_ request: HTTPRequest, room: String, _ responder: HTTPResponder) {
        guard request.method == "POST", let converter = options.converter else {
            return responder(.text(405, "POST /convert/ROOM?name=NAME\n"))
        }
        // Judged again, since a body of no bytes is not announced.
        judgeBlob(request, room: room) { [self] refusal in
            if let refusal { return responder(refusal) }
            let isTaken = conversions.add {
                let fields = URLComponents(string: "?\(request.query)")?.queryItems ?? []
                func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
                // A name is for messages alone, and names no place on this machine.
                let name = value("name")?.split(separator: "/").last.map(String.init) ?? "file"
                do throws(FileConverter.Failure) {
                    let answer = try converter.convert(
                        request.body, String(name.prefix(200)), value("scene"))
                    responder(.json(200, answer))
                } catch {
                    responder(.text(422, error.text + "\n"))
                }
            }
            if !isTaken {
                responder(.text(503, "other files are being read; try again\n"))
            }
        }
    }
}
