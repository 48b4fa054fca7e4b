import SceneDocument
import SceneWire

/// The scene that clients are shown.
enum Sample {
    static let snapshot: Snapshot = {
        var snapshot = Snapshot()
        snapshot.epoch = 1
        snapshot.tick = 100
        for number in 0..<60 as Range<UInt32> {
            var content = ViewContent(kind: number % 3 == 2 ? .label : .view)
            if content.kind == .label {
                content.lines = [
                    ContentLine(text: "Zeile \(number) é 日本", x: 0, y: 0, width: 96)
                ]
                content.foreground = Color(rgba: 0x1020_30FF)
            }
            snapshot.views.append(
                ViewRecord(
                    number: ViewNumber(number), id: number == 0 ? "root" : "view-\(number)",
                    parent: number == 0 ? nil : ViewNumber(number < 4 ? 0 : number / 4),
                    frame: QuantisedFrame(
                        x: Int32(number) * 3, y: -Int32(number), width: 100, height: 20),
                    content: content))
        }
        // In preorder, as snapshots are.
        snapshot.views = preorder(snapshot.views)
        for record in snapshot.views {
            let parent = snapshot.views.first { $0.number == record.parent }?.id ?? ""
            let prefix = ViewHash.prefix(id: record.id, parentID: parent, content: record.content)
            snapshot.stateHash &+= ViewHash.hash(prefix: prefix, frame: record.frame)
        }
        return snapshot
    }()

    private static func preorder(_ records: [ViewRecord]) -> [ViewRecord] {
        var result: [ViewRecord] = []
        var stack = records.filter { $0.parent == nil }
        while let record = stack.popLast() {
            result.append(record)
            stack += records.filter { $0.parent == record.number }.reversed()
        }
        return result
    }
}
