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

    /// The form with a footer above one of the guides, and with what else a view may hold.
    private func guided(_ guide: String, edge: String, extra: String = "") -> String {
        SampleFiles.form()
            .replacing(
                "<viewLayoutGuide key=\"safeArea\" id=\"safe\"/>",
                with: "<viewLayoutGuide key=\"safeArea\" id=\"safe\"/>\(guide)\(extra)"
            )
            .replacing(
                "firstItem=\"safe\" firstAttribute=\"bottom\" secondItem=\"footer\"",
                with: "firstItem=\"guide\" firstAttribute=\"\(edge)\" secondItem=\"footer\"")
    }

    @Test("a keyboard that is not shown begins where the safe area ends, and is there when shown")
    func keyboard() throws {
        let text = guided("<viewLayoutGuide key=\"keyboard\" id=\"guide\"/>", edge: "top")
        #expect(try frames(SampleFiles.canvas(text).document)["footer"]?.maxY == 667)
        let scene = try #require(try SampleFiles.file(text).initialScene)
        let conversion = try InterfaceConversion(scene)
        #expect(conversion.notes == [])
        #expect(try frames(conversion.document, on: "iPhone-15")["footer"]?.maxY == 852 - 34)
        var document = conversion.document
        document.viewport.keyboard = 300
        #expect(try frames(document, on: "iPhone-15")["footer"]?.maxY == 852 - 300)
        // A canvas whose home indicator is found by the keyboard alone.
        let notch = text.replacing("retina4_7", with: "retina6_0")
            .replacing("y=\"607\"", with: "y=\"573\"")
        #expect(try SampleFiles.canvas(notch).document.viewport.safeArea.bottom == 34)
    }

    @Test(
        "each guide is the one of that name in UIKit",
        arguments: [
            ("safeArea", BuiltInGuide.safeArea), ("safeAreaLayoutGuide", .safeArea),
            ("keyboard", .keyboard), ("keyboardLayoutGuide", .keyboard),
            ("layoutMargins", .margins),
            ("layoutMarginsGuide", .margins), ("readableContent", .readable),
            ("readableContentGuide", .readable),
        ])
    func guides(key: String, guide: BuiltInGuide) throws {
        let text = guided("<viewLayoutGuide key=\"\(key)\" id=\"guide\"/>", edge: "bottom")
        let conversion = try InterfaceConversion(
            #require(try SampleFiles.file(text).initialScene))
        #expect(conversion.notes == [])
        let spec = conversion.document.constraints.first { $0.id == "k9" }
        guard case .rule(let rule) = spec?.body else { return #expect(Bool(false)) }
        #expect(rule.first.item == ItemReference(id: "root-1", guide: guide))
    }

    @Test("a guide that is not known is said with its constraints, and nothing else changes")
    func unknownGuides() throws {
        let rulers = "<userGuides><userLayoutGuide location=\"20\" affinity=\"minX\"/></userGuides>"
        for (guide, word) in [
            ("<viewLayoutGuide key=\"frame\" id=\"guide\"/>", "\"frame\" is not known"),
            (
                "<layoutGuides><layoutGuide id=\"guide\"/></layoutGuides>",
                "<layoutGuide> is no guide"
            ),
        ] {
            let text = guided(guide, edge: "top", extra: rulers)
            let conversion = try InterfaceConversion(
                #require(try SampleFiles.file(text).initialScene))
            #expect(conversion.notes.count == 1)
            #expect(conversion.notes.first?.text.contains(word) == true)
            #expect(conversion.notes.first?.line == 45)
            #expect(conversion.dangling.isEmpty)
            #expect(!conversion.document.constraints.contains { $0.id == "k9" })
        }
    }

    /// Image views and buttons with symbols of the system, as Xcode 15 writes them.
    private static let symbols = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES">
            <device id="retina4_7" orientation="portrait" appearance="light"/>
            <objects>
                <view contentMode="scaleToFill" id="top">
                    <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                    <subviews>
                        <imageView contentMode="scaleAspectFit" image="gear" catalog="system" translatesAutoresizingMaskIntoConstraints="NO" id="a">
                            <rect key="frame" x="0.0" y="0.0" width="40" height="30"/>
                            <color key="tintColor" red="1" green="0.0" blue="0.0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
                        </imageView>
                        <imageView contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="b">
                            <imageReference key="image" image="square.and.arrow.up" catalog="system" symbolScale="large"/>
                        </imageView>
                        <imageView contentMode="scaleToFill" image="rectangle.and.pencil.and.ellipsis" catalog="system" translatesAutoresizingMaskIntoConstraints="NO" id="c"/>
                        <imageView contentMode="scaleToFill" image="gear" translatesAutoresizingMaskIntoConstraints="NO" id="d"/>
                        <button contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="e">
                            <rect key="frame" x="0.0" y="100" width="50" height="40"/>
                            <state key="normal" image="trash" catalog="system"/>
                        </button>
                        <button contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="f">
                            <buttonConfiguration key="configuration" style="plain" image="plus" catalog="system" title="Add"/>
                        </button>
                    </subviews>
                </view>
            </objects>
            <resources>
                <image name="gear" catalog="system" width="128" height="123"/>
            </resources>
        </document>
        """

    @Test("symbols of the system become symbols where the set has them")
    func systemImages() throws {
        let scene = try #require(try SampleFiles.file(Self.symbols).scenes.first)
        let document = try InterfaceConversion(scene).document
        func view(_ id: String) throws -> ViewProperties {
            try #require(document.views.first { $0.id == id }).properties
        }
        #expect(try view("a").look.symbol?.text == "gear")
        #expect(try view("a").look.tint == DynamicColor("#ff0000"))
        #expect(try view("a").contentMode == .scaleAspectFit)
        // As Xcode has laid it out; what it has not is measured.
        #expect(try view("a").intrinsic == Size(width: 40, height: 30))
        #expect(try view("b").look.symbol?.text == "square.and.arrow.up")
        #expect(try view("b").intrinsic == nil)
        #expect(try view("c").look.symbol == nil)
        #expect(try view("d").look.symbol == nil)
        #expect(try view("e").look.symbol?.text == "trash")
        #expect(try view("f").look.symbol?.text == "plus")
        #expect(try view("f").text == "Add")
        #expect(try SceneDocument.parse(Array(document.json().utf8)) == document)
        let text = InterfaceExport(document, frames: [:]).text
        #expect(text.contains("image=\"square.and.arrow.up\" catalog=\"system\""))
        let state = "<state key=\"normal\" title=\"\" image=\"trash\" catalog=\"system\"/>"
        #expect(text.contains(state))
    }

    // MARK: Contents of lists and containers

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES" initialViewController="list">
            <device id="retina4_7" orientation="portrait" appearance="light"/>
            <scenes>
                <scene sceneID="s1">
                    <objects>
                        <viewController id="list" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" id="top">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <subviews>
                                    <tableView contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="table">
                                        <rect key="frame" x="0.0" y="0.0" width="375" height="300"/>
                                        <prototypes>
                                            <tableViewCell contentMode="scaleToFill" reuseIdentifier="row" id="cell">
                                                <rect key="frame" x="0.0" y="28" width="375" height="60"/>
                                                <autoresizingMask key="autoresizingMask"/>
                                                <tableViewCellContentView key="contentView" contentMode="center" tableViewCell="cell" id="content">
                                                    <rect key="frame" x="0.0" y="0.0" width="375" height="60"/>
                                                    <autoresizingMask key="autoresizingMask"/>
                                                    <subviews>
                                                        <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="dot">
                                                            <rect key="frame" x="16" y="10" width="343" height="40"/>
                                                        </view>
                                                    </subviews>
                                                    <constraints>
                                                        <constraint firstItem="dot" firstAttribute="leading" secondItem="content" secondAttribute="leadingMargin" id="d1"/>
                                                        <constraint firstAttribute="trailingMargin" secondItem="dot" secondAttribute="trailing" id="d2"/>
                                                        <constraint firstItem="dot" firstAttribute="top" secondItem="cell" secondAttribute="top" constant="10" id="d3"/>
                                                        <constraint firstAttribute="bottom" secondItem="dot" secondAttribute="bottom" constant="10" id="d4"/>
                                                    </constraints>
                                                </tableViewCellContentView>
                                            </tableViewCell>
                                        </prototypes>
                                    </tableView>
                                    <containerView contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="box">
                                        <rect key="frame" x="0.0" y="300" width="375" height="100"/>
                                        <connections><segue destination="inner" kind="embed" id="e1"/></connections>
                                    </containerView>
                                </subviews>
                                <viewLayoutGuide key="safeArea" id="safe"/>
                                <constraints>
                                    <constraint firstItem="table" firstAttribute="leading" secondItem="top" secondAttribute="leading" id="t1"/>
                                    <constraint firstAttribute="trailing" secondItem="table" secondAttribute="trailing" id="t2"/>
                                    <constraint firstItem="table" firstAttribute="top" secondItem="top" secondAttribute="top" id="t3"/>
                                    <constraint firstItem="box" firstAttribute="top" secondItem="table" secondAttribute="bottom" id="t4"/>
                                    <constraint firstItem="box" firstAttribute="leading" secondItem="top" secondAttribute="leading" id="t5"/>
                                    <constraint firstItem="box" firstAttribute="width" secondItem="table" secondAttribute="width" multiplier="0.5" id="t6"/>
                                    <constraint firstItem="table" firstAttribute="height" secondItem="box" secondAttribute="height" multiplier="3" id="t7"/>
                                    <constraint firstItem="box" firstAttribute="height" constant="100" id="t8"/>
                                </constraints>
                            </view>
                        </viewController>
                    </objects>
                </scene>
                <scene sceneID="s2">
                    <objects>
                        <viewController id="inner" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" id="innerView">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="100"/>
                                <subviews>
                                    <containerView contentMode="scaleToFill" id="again">
                                        <rect key="frame" x="0.0" y="0.0" width="10" height="10"/>
                                        <connections><segue destination="inner" kind="embed" id="e2"/></connections>
                                    </containerView>
                                </subviews>
                            </view>
                        </viewController>
                    </objects>
                </scene>
            </scenes>
        </document>

        """

    @Test("lists have their cells, and containers their scenes, as wide as they are")
    func contents() throws {
        let file = try SampleFiles.file(Self.list)
        var options = ConversionOptions()
        #expect(
            try InterfaceConversion(#require(file.initialScene), options: options).document.views
                .map(\.id) == ["top", "table", "box"])
        options.hasContents = true
        var document = try InterfaceConversion(#require(file.initialScene), options: options)
            .document
        // A scene that embeds itself is there once.
        #expect(
            document.views.map(\.id)
                == ["top", "table", "cell", "content", "dot", "box", "innerView", "again"])
        document.viewport.width = 500
        let model = try SceneModel(document)
        var frames: [String: Rect] = [:]
        for frame in model.frames() { frames[frame.id] = frame.rect }
        #expect(frames["cell"] == Rect(x: 0, y: 0, width: 500, height: 60))
        #expect(frames["content"] == Rect(x: 0, y: 0, width: 500, height: 60))
        // The margins of a cell are 16 on a canvas of 375.
        #expect(frames["dot"] == Rect(x: 16, y: 10, width: 468, height: 40))
        #expect(frames["innerView"] == Rect(x: 0, y: 0, width: 250, height: 100))
    }
}
