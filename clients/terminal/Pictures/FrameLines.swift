import JSON
public import SceneWire

/// A scene's frames as lines of JSON, one for each state: the first has all frames, each later one
/// the changes.
///
///     {"tick":7,"hash":"…","frames":{"title":[8,16,40,16]},"texts":{"title":"Hi"},"removed":["a"]}
///
/// Frames are in points, in the superview's coordinates, in preorder. `texts` has the labels with a
/// new text, lines joined by line feeds; it and `removed` are omitted if empty.
public struct FrameLines: Sendable {
    private let unitsPerPoint: Double
    private var last: SceneMirror?

    /// Starts without a state.
    public init(metrics: SceneMetrics) { unitsPerPoint = metrics.unitsPerPoint }

    /// The line for a state, without a line feed; nil if nothing has changed.
    ///
    /// - Complexity: O(views).
    public mutating func line(for mirror: SceneMirror) -> String? {
        var frames: [JSONMember] = []
        var texts: [JSONMember] = []
        for record in mirror.records {
            let before = last?.view(id: record.id)
            if before?.frame != record.frame {
                let frame = record.frame
                frames.append(
                    JSONMember(
                        record.id,
                        .array(
                            [frame.x, frame.y, frame.width, frame.height].map {
                                .number(Double($0) / unitsPerPoint)
                            })))
            }
            let lines = record.content.lines.map(\.text)
            if lines != before?.content.lines.map(\.text) ?? [] {
                texts.append(JSONMember(record.id, .string(lines.joined(separator: "\n"))))
            }
        }
        let removed = (last?.records ?? []).map(\.id).filter { mirror.view(id: $0) == nil }
        let isFirst = last == nil
        let isNew = last?.tick != mirror.tick || last?.stateHash != mirror.stateHash
        last = mirror
        guard isFirst || isNew else { return nil }
        var members = [
            JSONMember("tick", .number(Double(mirror.tick))),
            JSONMember("hash", .string(ViewHash.text(mirror.stateHash))),
            JSONMember("frames", .object(frames)),
        ]
        if !texts.isEmpty { members.append(JSONMember("texts", .object(texts))) }
        if !removed.isEmpty {
            members.append(JSONMember("removed", .array(removed.map { .string($0) })))
        }
        return JSONValue.object(members).text()
    }
}
