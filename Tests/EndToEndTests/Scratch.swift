import Foundation
import WebSocketTransport

/// A directory that is removed with the object.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "scenesync-e2e-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Changes the first byte of a text wherever it occurs in a folder's files.
    ///
    /// - Returns: The number of places.
    func damage(_ folder: String, where text: String) throws -> Int {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder) {
            let url = URL(fileURLWithPath: path + "/" + folder + "/" + name)
            var data = try Data(contentsOf: url)
            var start = data.startIndex
            while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
                data[range.lowerBound] ^= 1
                start = range.upperBound
                count += 1
            }
            try data.write(to: url)
        }
        return count
    }

    func write(_ text: String, as name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// A new certificate for this machine, in a directory of the name given.
    func certificate(_ name: String) throws -> (path: String, key: String, text: String) {
        let made = try SelfSignedCertificate.make(directory: path + "/" + name)
        let text = try String(contentsOfFile: made.certificatePath, encoding: .utf8)
        return (made.certificatePath, made.privateKeyPath, text)
    }

    /// Waits until a file holds a text; false after a time that only a fault lets pass.
    func waits(for text: String, in name: String) -> Bool {
        let deadline = DispatchTime.now() + 20
        while DispatchTime.now() < deadline {
            let found = (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? ""
            if found.contains(text) { return true }
            usleep(20_000)
        }
        return false
    }
}
