import SceneDocument
import SceneModel
import SceneWire
import TerminalViewer

/// Bordered boxes that move a quarter of a cell a frame and turn at the edges, as a server would
/// send them.
struct MovingBoxes {
    static let grid = GridSize(columns: 162, rows: 48)
    static let cell = Size(width: 8, height: 16)
    private static let box = (width: 80, height: 64)

    private struct Box {
        var x: Int
        var y: Int
        var dx: Int
        var dy: Int
    }

    private var boxes: [Box] = []
    private let movingCount: Int
    private var encoder = FrameEncoder()
    private(set) var tick: UInt64 = 0
    let snapshot: Snapshot

    init(count: Int, moving: Int) {
        movingCount = moving
        var state: UInt64 = 88
        // Numerical Recipes' generator: the same scene in every run.
        func random(_ range: Range<Int>) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(state >> 33) % range.count
        }
        var content = ViewContent()
        content.background = Color(r: 26, g: 27, b: 38)
        var records = [
            ViewRecord(
                number: ViewNumber(0), id: "root", parent: nil,
                frame: QuantisedFrame(x: 0, y: 0, width: 1296, height: 768), content: content)
        ]
        for index in 0..<count {
            let box = Box(
                x: random(0..<1296 - Self.box.width), y: random(0..<768 - Self.box.height),
                dx: random(0..<2) == 0 ? -2 : 2, dy: [-4, 0, 4][random(0..<3)])
            boxes.append(box)
            var content = ViewContent()
            content.border = [.single, .rounded, .double, .heavy][index % 4]
            func channel() -> UInt8 { UInt8(random(30..<250)) }
            content.background = Color(r: channel() / 4, g: channel() / 4, b: channel() / 4)
            content.foreground = Color(r: channel(), g: channel(), b: channel())
            records.append(
                ViewRecord(
                    number: ViewNumber(UInt32(index + 1)), id: "box\(index)", parent: ViewNumber(0),
                    frame: Self.frame(box), content: content))
        }
        var snapshot = Snapshot()
        snapshot.views = records
        snapshot.stateHash = SceneMirror.stateHash(of: records)
        self.snapshot = snapshot
    }

    private static func frame(_ box: Box) -> QuantisedFrame {
        QuantisedFrame(
            x: Int32(box.x), y: Int32(box.y), width: Int32(Self.box.width),
            height: Int32(Self.box.height))
    }

    /// The next tick's message.
    mutating func next() -> FrameDiff {
        var changes: [FrameChange] = []
        // Spread over the scene, so that few do not all lie behind others.
        let stride = max(1, boxes.count / max(1, movingCount))
        for index in boxes.indices.reversed() where (boxes.count - 1 - index) % stride == 0 {
            guard changes.count < movingCount else { break }
            let old = Self.frame(boxes[index])
            boxes[index].x += boxes[index].dx
            boxes[index].y += boxes[index].dy
            if boxes[index].x < 0 || boxes[index].x > 1296 - Self.box.width {
                boxes[index].dx.negate()
                boxes[index].x += 2 * boxes[index].dx
            }
            if boxes[index].y < 0 || boxes[index].y > 768 - Self.box.height {
                boxes[index].dy.negate()
                boxes[index].y += 2 * boxes[index].dy
            }
            changes.append(
                FrameChange(
                    number: ViewNumber(UInt32(index + 1)), old: old, new: Self.frame(boxes[index])))
        }
        changes.reverse()
        tick += 1
        return FrameDiff(
            tick: tick, baseTick: tick - 1, durableTick: tick - 1, body: encoder.encode(changes))
    }
}

/// The example dashboard while its divider is dragged, a cell a frame.
enum DividerDrag {
    static func mirrors(document text: [UInt8], steps: Int) throws -> [SceneMirror] {
        var document = try SceneDocument.parse(text)
        document.viewport.width = 1296
        document.viewport.height = 768
        let model = try SceneModel(document)
        var mirrors: [SceneMirror] = []
        for step in 0...steps {
            let ops = [
                Op.setConstraint(
                    id: "sidebar-width", constant: 160 + 8 * Double(step), priority: nil,
                    multiplier: nil, active: nil)
            ]
            _ = model.apply(ops)
            model.runCycle()
            var snapshot = Snapshot()
            snapshot.tick = UInt64(step)
            snapshot.views = model.records()
            snapshot.stateHash = model.stateHash
            var mirror = SceneMirror()
            try mirror.apply(snapshot)
            mirrors.append(mirror)
        }
        return mirrors
    }
}
