import SceneDocument
import SceneModel
import SceneWire
import SeededRandom
import Testing

@Suite("Devices of a scene")
struct DeviceTests {
    static let devices = [
        "{\"width\": 390, \"height\": 844, \"scale\": 3, \"direction\": \"rtl\", \"idiom\": \"phone\"}",
        "{\"width\": 1280, \"height\": 800, \"contentSizeCategory\": \"extraLarge\"}",
        "{\"cell\": [10, 20], \"scale\": 2, \"safeArea\": {\"top\": 20, \"leading\": 4}}",
    ]

    private static func document(_ devices: [String] = Self.devices) throws -> SceneDocument {
        let members = devices.enumerated().map { "\"d\($0)\": \($1)" }.joined(separator: ", ")
        return try SceneDocument.parse(
            Array(
                """
                {"scene": 1, "viewport": {"width": 480, "height": 320}, "devices": {\(members)},
                 "sets": {"compact": {"when": "horizontalSizeClass == compact", "constraints": []}}}
                """.utf8))
    }

    @Test(
        "[DVC-3] a device's frames are those of a scene with its viewport that took the same ops",
        arguments: 0..<12)
    func likeOnesOwn(seed: Int) throws {
        let document = try Self.document()
        let main = try SceneModel(document)
        var source = RandomScene(seed: UInt64(31_000 + seed))
        var pairs: [(device: SceneModel, own: SceneModel)] = []
        for device in document.devices {
            var own = document
            own.viewport = document.viewport.adapted(to: device.viewport)
            pairs.append(
                (try SceneModel(document, on: device.viewport), try SceneModel(own)))
        }
        var compared = 0
        turns: for turn in 0..<40 {
            for op in try source.turn(main, movesViews: true) {
                guard main.apply([op]).refusals.isEmpty else { continue }
                for (pair, device) in zip(pairs, document.devices) {
                    #expect(pair.device.apply([op]).refusals == [], "seed \(seed), turn \(turn)")
                    // Alone it could refuse what the main device takes; from there on they differ.
                    let own = Self.without(device.viewport, op)
                    guard pair.own.apply([own]).refusals.isEmpty else { break turns }
                }
            }
            main.runCycle()
            for pair in pairs {
                pair.device.runCycle()
                pair.own.runCycle()
                #expect(
                    pair.device.frames() == pair.own.frames(), "seed \(seed), turn \(turn)")
                #expect(
                    pair.device.stateHash == pair.own.stateHash, "seed \(seed), turn \(turn)")
                compared += pair.device.frames().count
            }
        }
        #expect(compared > 100)
    }

    /// An op as it reaches a device that has some keys of the viewport of its own.
    private static func without(_ device: ViewportPatch, _ op: Op) -> Op {
        guard case .setViewport(var patch) = op else { return op }
        if device.width != nil { patch.width = nil }
        if device.height != nil { patch.height = nil }
        if device.scale != nil { patch.scale = nil }
        if device.direction != nil { patch.direction = nil }
        if device.cell != nil { patch.cell = nil }
        return .setViewport(patch)
    }

    @Test(
        "a device's scene rebuilt from the main one's snapshot has the same frames",
        arguments: 0..<6)
    func rebuilt(seed: Int) throws {
        let document = try Self.document()
        let main = try SceneModel(document)
        let screens = document.devices.map(\.viewport)
        let devices = try screens.map { try SceneModel(document, on: $0) }
        var source = RandomScene(seed: UInt64(32_000 + seed))
        for turn in 0..<20 {
            for var op in try source.turn(main, movesViews: true) {
                // What is flexible of a frame stretches from the superview's size at the time,
                // which no main scene knows of its devices.
                if case .addView(var spec) = op {
                    spec.properties.autoresizing = nil
                    op = .addView(spec)
                }
                guard main.apply([op]).refusals.isEmpty else { continue }
                for device in devices { _ = device.apply([op]) }
            }
            for model in [main] + devices { settle(model) }
            let snapshot = main.snapshot()
            for (screen, device) in zip(screens, devices) {
                let again = try SceneModel(snapshot, on: screen)
                settle(again)
                #expect(again.frames() == device.frames(), "seed \(seed), turn \(turn)")
                #expect(again.stateHash == device.stateHash, "seed \(seed), turn \(turn)")
            }
        }
    }

    @Test("a document with devices, traits and variations reads back as it was written")
    func readsBack() throws {
        let text = """
            {"scene":1,"viewport":{"width":480,"height":320,"safeArea":{"top":20},"horizontalSizeClass":"compact",\
            "contentSizeCategory":"small","userInterfaceStyle":"dark","idiom":"tv"},"devices":{"phone":{"width":390,\
            "height":844,"scale":3,"safeArea":{"top":47,"bottom":34},"idiom":"phone"},"same":{}},"views":[{"id":"s",\
            "kind":"stack","layoutMarginsRelativeArrangement":true,"traits":{"scale":2,"direction":"rtl"},"variations":\
            [{"when":"horizontalSizeClass == compact and displayScale >= 2","axis":"vertical"}]},{"id":"t","kind":"label",\
            "dynamicType":false}],"constraints":[],"sets":{"c":{"when":"root.idiom != phone and root.width < 600",\
            "constraints":[]}}}
            """
        let document = try SceneDocument.parse(Array(text.utf8))
        #expect(document.json() == text)
        #expect(try SceneModel(document).document().json() == text)
        let snapshot = try SceneModel(document).snapshot()
        #expect(try SceneSnapshot.parse(snapshot.json) == snapshot)
    }

    @Test(
        "a device that cannot be is refused, and the error says where",
        arguments: [
            ("{\"width\": 0}", RefusalCode.badValue, "devices.d0.width"),
            ("{\"height\": 1e9}", .badValue, "devices.d0.height"),
            ("{\"scale\": 0}", .badValue, "devices.d0.scale"),
            ("{\"idiom\": \"toaster\"}", .badValue, "devices.d0.idiom"),
            ("{\"mood\": 1}", .badOp, "devices.d0"),
            ("{\"unsatisfiable\": \"break\"}", .badOp, "devices.d0"),
            ("{\"safeArea\": {\"top\": -1}}", .badValue, "devices.d0.safeArea.top"),
            ("[]", .badOp, "devices.d0"),
        ])
    func bad(device: String, code: RefusalCode, path: String) throws {
        let error = #expect(throws: DocumentError.self) { try Self.document([device]) }
        #expect(error?.code == code)
        #expect(error?.path == path)
    }

    @Test("more than 64 devices are too many")
    func tooMany() {
        let devices = Array(repeating: "{}", count: 65)
        let error = #expect(throws: DocumentError.self) { try Self.document(devices) }
        #expect(error?.code == .limit)
    }

    @Test("more than 4 strict devices are too many; one reads back as it was written")
    func strict() throws {
        let error = #expect(throws: DocumentError.self) {
            try Self.document(Array(repeating: #"{"strict": true}"#, count: 5))
        }
        #expect(error?.code == .limit)
        let document = try Self.document([#"{"strict": true}"#, #"{"strict": false}"#])
        #expect(document.devices.map(\.isStrict) == [true, false])
        #expect(try SceneDocument.parse(Array(document.json().utf8)) == document)
    }

    @Test(
        "what is cut short on a strict device is too dear, and a scene without one takes no more work"
    )
    func strictWork() throws {
        let plain = try SceneModel(Self.document(["{}"]))
        let strict = try SceneModel(Self.document([#"{"strict": true}"#]))
        let none = try SceneModel(Self.document([]))
        #expect(plain.work == none.work)
        #expect(strict.work > plain.work)
        let refusal = #expect(throws: Refusal.self) {
            try SceneModel(
                Self.document([#"{"strict": true}"#]), workLimit: (plain.work + strict.work) / 2)
        }
        #expect(refusal?.code == .tooExpensive)
    }

    @Test("what traits of the viewport were is taken back by undo's ops")
    func edits() throws {
        let model = try SceneModel(Self.document())
        model.recordsEdits = true
        let before = model.document()
        let outcome = model.apply(
            try ops(
                """
                [{"op": "setViewport", "idiom": "tv", "safeArea": {"top": 9}, "horizontalSizeClass": "compact",
                  "verticalSizeClass": "compact", "contentSizeCategory": "small", "userInterfaceStyle": "dark"}]
                """))
        #expect(outcome.refusals == [])
        #expect(model.document() != before)
        for edit in outcome.edits.reversed() { _ = model.apply(edit.inverse) }
        #expect(model.document() == before)
    }

    @Test("variations cost nothing where there are none, and are resolved once where there are")
    func variationsOnce() throws {
        let model = try scene(
            """
            {"scene": 1, "viewport": {"width": 480, "height": 320}, "views": [{"id": "t", "kind": "label",
             "variations": [{"when": "idiom == tv", "text": "on television"}]}, {"id": "u", "kind": "label"}]}
            """)
        var lines: [String] = []
        model.trace { _, line in lines.append(line) }
        _ = model.apply(try ops("{\"op\": \"setViewport\", \"idiom\": \"tv\"}"))
        model.runCycle()
        #expect(lines.filter { $0.hasPrefix("updateProperties") } == ["updateProperties t"])
        #expect(model.isIdle)
        #expect(
            model.records().first { $0.id == "t" }?.content.lines.map(\.text) == ["on television"])
    }
}
