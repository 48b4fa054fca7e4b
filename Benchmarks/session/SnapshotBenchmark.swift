import Foundation
import Measuring
import SceneModel
import SceneSession
import SceneWire

/// The state of a scene of 10,000 views, as one who joins is sent it.
enum SnapshotBenchmark {
    private static let rounds = 20

    /// Seconds to encode it as messages and to read these into a mirror, and bytes; medians of
    /// several rounds.
    static func measure() throws -> [Double] {
        let model = try scene(views: 10_000)
        model.runCycle()
        var whole = Snapshot()
        whole.views = model.records()
        whole.stateHash = SceneMirror.stateHash(of: whole.views)
        var start = SceneMirror()
        try start.apply(whole)
        var encoding: [Double] = []
        var decoding: [Double] = []
        var bytes = 0
        for _ in 0..<rounds {
            let begin = processorTime()
            let messages = start.snapshots().map { chunk in
                var message: [UInt8] = []
                ServerMessage.snapshot(chunk).encode(to: &message)
                return message
            }
            let encoded = processorTime()
            var mirror = SceneMirror()
            for message in messages { try mirror.apply(try ServerMessage.decode(message)) }
            decoding.append(processorTime() - encoded)
            encoding.append(encoded - begin)
            bytes = messages.reduce(0) { $0 + $1.count }
            precondition(mirror.stateHash == start.stateHash, "what is read is what was sent")
        }
        encoding.sort()
        decoding.sort()
        return [encoding[rounds / 2], decoding[rounds / 2], Double(bytes)]
    }
}
