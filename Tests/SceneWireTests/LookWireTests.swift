import LayoutValues
import SceneDocument
import Testing

@testable import SceneWire

@Suite("Looks in messages")
struct LookWireTests {
    private var look: ViewLook {
        var look = ViewLook()
        look.cornerRadius = 8.5
        look.borderColor = Color("#01020304")
        look.transform = LookTransform()
        return look
    }

    private func record(_ number: UInt32, _ look: ViewLook?) -> ViewRecord {
        var content = ViewContent()
        content.look = look
        return ViewRecord(
            number: ViewNumber(number), id: "v\(number)", parent: number == 0 ? nil : ViewNumber(0),
            frame: .zero, content: content)
    }

    private func snapshot(_ views: [ViewRecord]) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.views = views
        snapshot.stateHash = SceneMirror.stateHash(of: views)
        return snapshot
    }

    @Test("looks go through both formats, equal ones once")
    func roundTrip() throws {
        let views = [record(0, nil), record(1, look), record(2, look), record(3, ViewLook())]
        let message = ServerMessage.snapshot(snapshot(views))
        #expect(try ServerMessage.decode(message.encoded(as: .binary)) == message)
        #expect(try ServerMessage.decode(json: message.encoded(as: .json)) == message)
        let alone = ServerMessage.snapshot(snapshot([record(0, nil), record(1, look)]))
        let twice = ServerMessage.snapshot(
            snapshot([record(0, nil), record(1, look), record(2, look)]))
        // A view's entry has two bytes; the rest is what any further view takes.
        let plain = ServerMessage.snapshot(snapshot([record(0, nil), record(1, nil)]))
        let plainer = ServerMessage.snapshot(
            snapshot([record(0, nil), record(1, nil), record(2, nil)]))
        func count(_ message: ServerMessage) -> Int { message.encoded(as: .binary).count }
        #expect(count(twice) - count(alone) == count(plainer) - count(plain) + 2)
    }

    @Test("symbols go beside the looks, which older readers find without them")
    func symbols() throws {
        var gear = look
        gear.symbol = LookSymbol()
        gear.symbol?.name = "gear"
        gear.symbol?.side = 20.5
        gear.symbol?.mode = .topRight
        var bell = gear
        bell.symbol?.name = "bell"
        let views = [record(0, nil), record(1, gear), record(2, look), record(3, bell)]
        let message = ServerMessage.snapshot(snapshot(views))
        #expect(try ServerMessage.decode(message.encoded(as: .binary)) == message)
        #expect(try ServerMessage.decode(json: message.encoded(as: .json)) == message)
        // Looks that differ by their symbol alone are two.
        let same = ServerMessage.snapshot(
            snapshot([record(0, nil), record(1, gear), record(2, gear)]))
        let other = ServerMessage.snapshot(
            snapshot([record(0, nil), record(1, gear), record(2, bell)]))
        #expect(same.encoded(as: .binary).count < other.encoded(as: .binary).count)
    }

    @Test("charts go beside the looks, two bytes for most heights")
    func charts() throws {
        var chart = LookChart()
        chart.style = .area
        chart.lineWidth = 1.5
        chart.gridLines = 16
        chart.color = Color("#01020304")
        chart.heights = [0, 1, 10_000, 5000]
        var charted = look
        charted.chart = chart
        let views = [record(0, nil), record(1, charted), record(2, look)]
        let message = ServerMessage.snapshot(snapshot(views))
        #expect(try ServerMessage.decode(message.encoded(as: .binary)) == message)
        #expect(try ServerMessage.decode(json: message.encoded(as: .json)) == message)
        charted.chart?.heights += [10_000, 127, 128]
        let longer = ServerMessage.snapshot(
            snapshot([record(0, nil), record(1, charted), record(2, look)]))
        #expect(
            longer.encoded(as: .binary).count == message.encoded(as: .binary).count + 2 + 1 + 2)
    }

    @Test("a line goes straight from one height to the next")
    func heights() {
        var chart = LookChart()
        chart.heights = [0, 10_000, 5000]
        #expect([0, 0.25, 0.5, 0.75, 1].map(chart.height(at:)) == [0, 0.5, 1, 0.75, 0.5])
        chart.heights = [2500]
        #expect([0, 0.5, 1].map(chart.height(at:)) == [0.25, 0.25, 0.25])
    }

    @Test("a symbol keeps its proportions, and stands where its mode says")
    func places() {
        var symbol = LookSymbol()
        symbol.side = 20
        func frame(_ mode: ContentMode) -> Rect {
            symbol.mode = mode
            return symbol.frame(in: Size(width: 100, height: 40))
        }
        #expect(frame(.scaleToFill) == Rect(x: 30, y: 0, width: 40, height: 40))
        #expect(frame(.scaleAspectFit) == Rect(x: 30, y: 0, width: 40, height: 40))
        #expect(frame(.scaleAspectFill) == Rect(x: 0, y: -30, width: 100, height: 100))
        #expect(frame(.center) == Rect(x: 40, y: 10, width: 20, height: 20))
        #expect(frame(.bottomRight) == Rect(x: 80, y: 20, width: 20, height: 20))
    }

    @Test("a mirror keeps a look until it is told of another")
    func mirror() throws {
        var mirror = SceneMirror()
        try mirror.apply(snapshot([record(0, nil), record(1, look)]))
        func change(_ look: ViewLook?, changesLook: Bool) throws {
            var content = Content()
            var change = ContentChange()
            change.number = ViewNumber(1)
            change.content.background = Color("#ff0000")
            change.content.look = look
            change.changesLook = changesLook
            content.changes = [change]
            let read = try ServerMessage.decode(
                ServerMessage.content(content).encoded(as: .binary))
            guard case .content(let content) = read else { return }
            try mirror.apply(content)
        }
        try change(nil, changesLook: false)
        #expect(mirror.content(ViewNumber(1))?.look == look)
        let hash = mirror.stateHash
        try change(ViewLook(), changesLook: true)
        #expect(mirror.content(ViewNumber(1))?.look == ViewLook())
        #expect(mirror.stateHash == hash)
        try change(nil, changesLook: true)
        #expect(mirror.content(ViewNumber(1))?.look == nil)
    }
}
