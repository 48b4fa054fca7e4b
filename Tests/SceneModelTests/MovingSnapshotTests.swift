import AutoLayout
import JSON
import SceneDocument
import SceneModel
import Testing

/// A bar of 100 points whose way to 400 takes 60 ticks.
@Suite("Snapshots of scenes in which something moves")
struct MovingSnapshotTests {
    private func model() throws -> SceneModel {
        let model = try SceneModel(
            SceneDocument.parse(
                Array(
                    """
                    {"scene": 1, "viewport": {"width": 800, "height": 200}, "views": [{"id": "bar"}, {"id": "still"}],
                     "constraints": ["bar.left == root.left", {"id": "w", "rule": "bar.width == 100"}, "still.width == 10"]}
                    """.utf8)))
        #expect(model.apply(try Self.animation(to: 400)).refusals.isEmpty)
        return model
    }

    private static func animation(to width: Int) throws -> [Op] {
        try Op.parseArray(
            JSONReader.read(
                Array(
                    #"[{"op":"animate","duration":1,"delay":0.1,"curve":"easeOut","ops":[{"op":"setConstraint","id":"w","constant":\#(width)},{"op":"layoutIfNeeded"}]}]"#
                        .utf8)))
    }

    @Test(
        "a snapshot is itself again after JSON, and leads on to the same frames",
        arguments: [0, 1, 5, 6, 7, 30, 65])
    func comesBack(ticks: Int) throws {
        let model = try model()
        for _ in 0..<ticks { model.runCycle() }
        let snapshot = model.snapshot()
        #expect(snapshot.animations.map(\.id) == ["bar"])
        var bytes: [UInt8] = []
        snapshot.json.append(to: &bytes)
        let read = try SceneSnapshot.parse(try JSONReader.read(bytes))
        #expect(read == snapshot)
        let other = try SceneModel(read)
        model.rebuildCanonically(from: read)
        for _ in 0..<70 {
            #expect(model.records() == other.records())
            model.runCycle()
            other.runCycle()
        }
        #expect(model.isIdle && other.isIdle && model.snapshot().animations.isEmpty)
    }

    @Test("what moves on the main device is not taken for what moves on another, which goes on")
    func devices() throws {
        let main = try model()
        for _ in 0..<20 { main.runCycle() }
        let snapshot = main.snapshot()
        let device = try SceneModel(snapshot, on: ViewportPatch())
        #expect(device.isIdle && device.snapshot().animations.isEmpty)
        #expect(device.apply(try Self.animation(to: 40)).refusals.isEmpty)
        for _ in 0..<20 { device.runCycle() }
        let before = device.records()
        device.rebuildCanonically(from: snapshot)
        #expect(device.snapshot().animations.count == 1)
        #expect(device.records() != before && !device.isIdle)
    }

    @Test(
        "an animation that no snapshot has is refused with its place",
        arguments: [
            #"{"view":"bar","offset":[1,2,3],"start":0,"ticks":1,"curve":"linear"}"#,
            #"{"view":"bar","offset":[1,2,3,4],"start":0.5,"ticks":1,"curve":"linear"}"#,
            #"{"view":"bar","offset":[1,2,3,4],"start":1e300,"ticks":1,"curve":"linear"}"#,
            #"{"view":"bar","offset":[1,2,3,4],"start":0,"ticks":0,"curve":"linear"}"#,
            #"{"view":"bar","offset":[1,2,3,4],"start":0,"ticks":1,"curve":"none"}"#,
            #"{"offset":[1,2,3,4],"start":0,"ticks":1,"curve":"linear"}"#, "7",
        ])
    func refused(animation: String) throws {
        let text =
            #"{"tick":1,"nextNumber":2,"document":{"scene":1,"viewport":{"width":9,"height":9}},"animations":[\#(animation)]}"#
        let error = #expect(throws: DocumentError.self) {
            try SceneSnapshot.parse(try JSONReader.read(Array(text.utf8)))
        }
        #expect(error?.description.contains("animations") == true)
    }

    @Test("one of a view that a damaged snapshot has lost is passed over")
    func lost() throws {
        let text =
            #"{"tick":1,"nextNumber":2,"document":{"scene":1,"viewport":{"width":9,"height":9}},"animations":[{"view":"gone","offset":[1,2,3,4],"start":0,"ticks":9,"curve":"linear"}]}"#
        let snapshot = try SceneSnapshot.parse(try JSONReader.read(Array(text.utf8)))
        #expect(try SceneModel(snapshot).isIdle)
    }
}
