import ConstraintLanguage
import InterfaceBuilder
import LayoutValues
import SceneDocument
import SceneModel
import Testing

@Suite struct InterfaceConversionTests {
    private func frames(_ document: SceneDocument, on device: String? = nil) throws -> [String:
        Rect]
    {
        let screen = device.flatMap { name in document.devices.first { $0.id == name } }
        let model = try SceneModel(document, on: screen?.viewport)
        var result: [String: Rect] = [:]
        for frame in model.frames() { result[frame.id] = frame.rect }
        return result
    }

    @Test("a scene lies on the canvas as Xcode stored it")
    func canvas() throws {
        let conversion = try SampleFiles.canvas(SampleFiles.form())
        let frames = try frames(conversion.document)
        #expect(conversion.storedFrames.count == 5)
        for (id, stored) in conversion.storedFrames { #expect(frames[id] == stored, "\(id)") }
    }

    @Test("on a phone with a notch, margins, safe area and equal widths are that device's")
    func notch() throws {
        let scene = try #require(try SampleFiles.file(SampleFiles.form()).initialScene)
        let conversion = try InterfaceConversion(scene)
        let frames = try frames(conversion.document, on: "iPhone-15-Pro-Max")
        // 430 × 932, margins of 20, safe area 59 and 34.
        #expect(frames["title"]?.origin == Point(x: 20, y: 79))
        #expect(frames["title"]?.width == 390)
        #expect(frames["footer"] == Rect(x: 0, y: 932 - 34 - 60, width: 430, height: 60))
        let ok = try #require(frames["ok"])
        #expect(ok.width == 191)
    }

    @Test(
        "ids that a document cannot have get a line before them, and keep their place in the file")
    func names() throws {
        let conversion = try SampleFiles.canvas(SampleFiles.form())
        #expect(conversion.views["_9ab-Cd-efg"]?.name == "Buttons")
        #expect(conversion.views["title"]?.name == "titleLabel")
        #expect(conversion.views["ok"]?.name == "\"OK\"")
        #expect(conversion.constraints["k4"]?.name == "Buttons.top == titleLabel.bottom + 20")
        #expect(conversion.constraints["k4"]?.element["id"] == "k4")
        #expect(conversion.rootID == "root-1")
    }

    @Test("texts, fonts, colours and borders are the element's")
    func look() throws {
        let conversion = try SampleFiles.canvas(SampleFiles.form())
        let views = Dictionary(
            uniqueKeysWithValues: conversion.document.views.map { ($0.id, $0.properties) })
        #expect(views["title"]?.text == "Sign in")
        #expect(views["title"]?.rare.fontWeight == .bold)
        #expect(views["title"]?.foreground == DynamicColor("#ff0000"))
        #expect(views["ok"]?.kind == .button)
        #expect(views["ok"]?.text == "OK")
        #expect(views["footer"]?.look.cornerRadius == 8)
        #expect(views["footer"]?.look.borderWidth == 1)
        #expect(views["root-1"]?.background == DynamicColor("#ffffff"))
    }

    @Test("every scene is found by its controller's id, its view's id and its identifier")
    func sceneNames() throws {
        let file = try SampleFiles.file(SampleFiles.form())
        for id in ["c-form", "root-1", "form", "FormController"] {
            #expect(file.scene(id)?.id == "c-form", "\(id)")
        }
        #expect(file.scene("other") == nil)
        #expect(file.scenes.count == 1)
        #expect(file.scenes[0].kind == .controller)
    }

    @Test(
        "multipliers are numbers or ratios",
        arguments: [("2", 2.0), ("3:4", 0.75), ("16/9", 16.0 / 9)])
    func multipliers(text: String, value: Double) throws {
        let extra =
            "<constraint firstItem=\"ok\" firstAttribute=\"width\" secondItem=\"ok\" secondAttribute=\"height\" multiplier=\"\(text)\" priority=\"10\" id=\"ratio\"/>\n"
        let document = try SampleFiles.canvas(SampleFiles.form(extraConstraints: extra)).document
        let spec = try #require(document.constraints.first { $0.id == "ratio" })
        guard case .rule(let rule) = spec.body else { return #expect(Bool(false)) }
        #expect(rule.multiplier == value)
        #expect(rule.priority == 10)
    }

    @Test("a placeholder holds on the canvas and not in the app")
    func placeholder() throws {
        let extra =
            "<constraint firstItem=\"title\" firstAttribute=\"height\" constant=\"21\" placeholder=\"YES\" id=\"hold\"/>\n"
        let text = SampleFiles.form(extraConstraints: extra)
        let canvas = try SampleFiles.canvas(text).document
        #expect(canvas.constraints.first { $0.id == "hold" }?.placeholder == false)
        let scene = try #require(try SampleFiles.file(text).initialScene)
        let app = try InterfaceConversion(scene).document
        #expect(app.constraints.first { $0.id == "hold" }?.placeholder == true)
    }

    @Test("what varies by size class is a variation in the document, and settled on the canvas")
    func variations() throws {
        let extra = """
            <constraint firstItem="footer" firstAttribute="top" relation="greaterThanOrEqual" secondItem="9ab-Cd-efg" secondAttribute="bottom" constant="8" id="vary"><variation key="heightClass=compact" constant="2"/></constraint>

            """
        let text = SampleFiles.form(extraConstraints: extra)
        let scene = try #require(try SampleFiles.file(text).initialScene)
        let spec = try InterfaceConversion(scene).document.constraints.first { $0.id == "vary" }
        #expect(spec?.variations.count == 1)
        #expect(spec?.variations.first?.constant == 2)
        #expect(spec?.variations.first?.when.description == "verticalSizeClass == compact")
        let canvas = try SampleFiles.canvas(text).document.constraints.first { $0.id == "vary" }
        #expect(canvas?.variations == [])
    }

    @Test("texts of another language take the place of the file's")
    func language() throws {
        var options = ConversionOptions()
        options.strings = try LocalizedStrings(
            Array(
                "/* title */ \"title.text\" = \"تسجيل \\\"x\\\"\";\n\"ok.normalTitle\"=\"نعم\";"
                    .utf8),
            language: "ar")
        let scene = try #require(try SampleFiles.file(SampleFiles.form()).initialScene)
        let document = try InterfaceConversion(scene, options: options).document
        #expect(document.views.first { $0.id == "title" }?.properties.text == "تسجيل \"x\"")
        #expect(document.views.first { $0.id == "ok" }?.properties.text == "نعم")
        #expect(document.views.first { $0.id == "skip" }?.properties.text == "Skip")
        #expect(options.strings?.isRightToLeft == true)
    }

    @Test("a constraint to something that is not in the file is told, and left out")
    func dangling() throws {
        let extra =
            "<constraint firstItem=\"gone\" firstAttribute=\"top\" secondItem=\"title\" secondAttribute=\"top\" id=\"d\"/>\n"
        let conversion = try SampleFiles.canvas(SampleFiles.form(extraConstraints: extra))
        #expect(conversion.dangling.map(\.id) == ["gone"])
        #expect(!conversion.document.constraints.contains { $0.id == "d" })
    }

    @Test("a converted document is one that can be written and read again")
    func documentRoundTrip() throws {
        let scene = try #require(try SampleFiles.file(SampleFiles.form()).initialScene)
        let document = try InterfaceConversion(scene).document
        #expect(try SceneDocument.parse(Array(document.json().utf8)) == document)
    }
}
