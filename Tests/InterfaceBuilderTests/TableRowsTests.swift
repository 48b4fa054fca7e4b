import ConstraintLanguage
import InterfaceBuilder
import LayoutValues
import SceneDocument
import SceneModel
import Testing

/// Rows of tables: one below the other, as high as UIKit would make them.
@Suite struct TableRowsTests {
    // MARK: Samples

    /// A row with one view that is held 10 points from all edges of the content, but where other
    /// constraints are given.
    private static func cell(
        _ id: String, y: Double, height: Double = 60, attributes: String = "",
        content: String = "x=\"0.0\" y=\"0.0\" width=\"375\" height=\"60\"",
        view: String = "<view contentMode=\"scaleToFill\"", constraints: String? = nil
    ) -> String {
        let standard = """
            <constraint firstItem="\(id)-v" firstAttribute="leading" secondItem="\(id)-c" secondAttribute="leading" constant="10" id="\(id)-1"/>
            <constraint firstAttribute="trailing" secondItem="\(id)-v" secondAttribute="trailing" constant="10" id="\(id)-2"/>
            <constraint firstItem="\(id)-v" firstAttribute="top" secondItem="\(id)-c" secondAttribute="top" constant="10" id="\(id)-3"/>
            <constraint firstAttribute="bottom" secondItem="\(id)-v" secondAttribute="bottom" constant="10" id="\(id)-4"/>
            """
        return """
            <tableViewCell contentMode="scaleToFill" \(attributes) id="\(id)">
                <rect key="frame" x="0.0" y="\(y)" width="375" height="\(height)"/>
                <autoresizingMask key="autoresizingMask"/>
                <tableViewCellContentView key="contentView" contentMode="center" tableViewCell="\(id)" id="\(id)-c">
                    <rect key="frame" \(content)/>
                    <autoresizingMask key="autoresizingMask"/>
                    <subviews>
                        \(view) translatesAutoresizingMaskIntoConstraints="NO" id="\(id)-v">
                            <rect key="frame" x="10" y="10" width="355" height="40"/>
                            <constraints><constraint firstAttribute="height" constant="25" id="\(id)-h"/></constraints>
                        \(view.hasPrefix("<label") ? "</label>" : "</view>")
                    </subviews>
                    <constraints>\(constraints ?? standard)</constraints>
                </tableViewCellContentView>
            </tableViewCell>
            """
    }

    private static func label(_ id: String, y: Double, text: String) -> String {
        let label = "<label contentMode=\"left\" text=\"\(text)\" numberOfLines=\"0\""
        return cell(id, y: y, view: label)
            .replacing(
                "<constraint firstAttribute=\"height\" constant=\"25\" id=\"\(id)-h\"/>", with: "")
    }

    private static func file(_ table: String, attributes: String = "rowHeight=\"-1\"") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES" initialViewController="list">
            <device id="retina4_7" orientation="portrait" appearance="light"/>
            <scenes><scene sceneID="s1"><objects>
                <tableViewController id="list" sceneMemberID="viewController">
                    <tableView key="view" contentMode="scaleToFill" \(attributes) id="table">
                        <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                        <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                        \(table)
                    </tableView>
                </tableViewController>
            </objects></scene></scenes>
        </document>
        """
    }

    private static func prototypes(_ cells: String...) -> String {
        "<prototypes>\(cells.joined())</prototypes>"
    }

    private func conversion(_ text: String) throws -> InterfaceConversion {
        var options = ConversionOptions()
        options.hasContents = true
        return try InterfaceConversion(
            #require(try SampleFiles.file(text).initialScene), options: options)
    }

    private func frames(_ model: SceneModel) -> [String: Rect] {
        Dictionary(
            model.frames().map { ($0.id, $0.rect) }, uniquingKeysWith: { first, _ in first })
    }

    private func frames(
        _ text: String, on device: String = "iPhone-SE",
        change: (inout ViewportPatch) -> Void = { _ in }
    ) throws -> [String: Rect] {
        let document = try conversion(text).document
        var patch = try #require(document.devices.first { $0.id == device }).viewport
        change(&patch)
        let model = try SceneModel(document, on: patch)
        #expect(model.ambiguousViewIDs() == [])
        return frames(model)
    }

    // MARK: Heights

    @Test("a row of an automatic height is as high as its content needs, not as Xcode stored it")
    func automatic() throws {
        let text = Self.file(Self.prototypes(Self.cell("a", y: 50), Self.cell("b", y: 110)))
        let frames = try frames(text)
        // 10 + 25 + 10; the first prototype has no title above it in the app.
        #expect(frames["a"] == Rect(x: 0, y: 0, width: 375, height: 45))
        #expect(frames["a-c"] == Rect(x: 0, y: 0, width: 375, height: 45))
        #expect(frames["a-v"] == Rect(x: 10, y: 10, width: 355, height: 25))
        #expect(frames["b"] == Rect(x: 0, y: 45, width: 375, height: 45))
    }

    @Test("rows of a fixed height keep that which Xcode stored")
    func fixed() throws {
        let cells = Self.prototypes(Self.cell("a", y: 50), Self.cell("b", y: 110))
        for attributes in ["rowHeight=\"60\"", ""] {
            let frames = try frames(
                Self.file(cells, attributes: attributes), on: "iPhone-15-Pro-Max")
            #expect(frames["a"]?.height == 60, "\(attributes)")
            #expect(frames["b"] == Rect(x: 0, y: 60, width: 430, height: 60), "\(attributes)")
        }
    }

    @Test("a static cell's own height stands before the table's; a prototype's is the canvas's")
    func ownHeight() throws {
        let cell = Self.cell("a", y: 0, attributes: "rowHeight=\"60\"")
        let sections =
            "<sections><tableViewSection id=\"s\"><cells>\(cell)</cells></tableViewSection></sections>"
        #expect(try frames(Self.file(sections))["a"]?.height == 60)
        #expect(try frames(Self.file(Self.prototypes(cell)))["a"]?.height == 45)
    }

    @Test("constraints that do not lead from the top to the bottom give no height")
    func undetermined() throws {
        func constraints(_ lines: String) -> String {
            """
            <constraint firstItem="a-v" firstAttribute="leading" secondItem="a-c" secondAttribute="leading" constant="10" id="k1"/>
            <constraint firstAttribute="trailing" secondItem="a-v" secondAttribute="trailing" constant="10" id="k2"/>
            \(lines)
            """
        }
        let centred =
            "<constraint firstItem=\"a-v\" firstAttribute=\"centerY\" secondItem=\"a-c\" secondAttribute=\"centerY\" id=\"k3\"/>"
        let atTop =
            "<constraint firstItem=\"a-v\" firstAttribute=\"top\" secondItem=\"a-c\" secondAttribute=\"top\" relation=\"greaterThanOrEqual\" constant=\"8\" id=\"k4\"/>"
        func height(_ lines: String) throws -> Double? {
            let cell = Self.cell("a", y: 50, constraints: constraints(lines))
            return try frames(Self.file(Self.prototypes(cell)))["a"]?.height
        }
        #expect(try height(centred) == 60)
        // 25 in the middle with 8 above it and as much below.
        #expect(try height(centred + atTop) == 41)
    }

    @Test("cells in a style of UIKit's own keep their stored heights")
    func style() throws {
        let cell = Self.cell("a", y: 50, attributes: "style=\"IBUITableViewCellStyleDefault\"")
        #expect(try frames(Self.file(Self.prototypes(cell)))["a"]?.height == 60)
    }

    // MARK: Places

    private static let sections = file(
        """
        <view key="tableHeaderView" contentMode="scaleToFill" id="head"><rect key="frame" x="0.0" y="0.0" width="375" height="30"/></view>
        <sections>
            <tableViewSection headerTitle="One" footerTitle="end" id="s1"><cells>\(cell("a", y: 80))</cells></tableViewSection>
            <tableViewSection id="s2"><cells>\(cell("b", y: 180))\(cell("c", y: 240))</cells></tableViewSection>
        </sections>
        <view key="tableFooterView" contentMode="scaleToFill" id="foot"><rect key="frame" x="0.0" y="310" width="375" height="20"/></view>
        """)

    @Test("headers, titles, rows and footers follow one another with the gaps of the canvas")
    func order() throws {
        let frames = try frames(Self.sections)
        #expect(frames["head"] == Rect(x: 0, y: 0, width: 375, height: 30))
        // Rows of 45 instead of 60; the gaps of 50, 40, 0 and 10 are as stored.
        #expect(frames["a"] == Rect(x: 0, y: 80, width: 375, height: 45))
        #expect(frames["b"] == Rect(x: 0, y: 165, width: 375, height: 45))
        #expect(frames["c"] == Rect(x: 0, y: 210, width: 375, height: 45))
        #expect(frames["foot"] == Rect(x: 0, y: 265, width: 375, height: 20))
        let header = try #require(frames["s1"])
        // A title ends 8 above its rows, a footer begins 8 below them, 16 from the sides.
        #expect((header.minX, header.maxX, header.maxY) == (16, 359, 72))
        let footer = try #require(frames["s1_2"])
        #expect((footer.minX, footer.minY) == (16, 133))
    }

    @Test("on the canvas a table is as it was")
    func canvas() throws {
        let document = try SampleFiles.canvas(Self.sections).document
        #expect(document.views.map(\.id) == ["table"])
    }

    @Test("content lies within the safe area and beside the accessory, and rows reach the edges")
    func sides() throws {
        let cell = Self.cell(
            "a", y: 50, content: "x=\"0.0\" y=\"0.0\" width=\"335\" height=\"59\"")
        let text = Self.file(Self.prototypes(cell))
        let upright = try frames(text, on: "iPhone-15")
        // 40 for the accessory and a point for the separator.
        #expect(upright["a"] == Rect(x: 0, y: 0, width: 393, height: 46))
        #expect(upright["a-c"] == Rect(x: 0, y: 0, width: 353, height: 45))
        let mirrored = try frames(text, on: "iPhone-15") { $0.direction = .rightToLeft }
        #expect(mirrored["a-c"] == Rect(x: 40, y: 0, width: 353, height: 45))
        let wide = try frames(text, on: "iPhone-15-landscape")
        #expect(wide["a"]?.width == 852)
        // The notch takes 59 on both sides; the accessory's 40 lie within these.
        let content = try #require(wide["a-c"])
        #expect(content.minX == 59)
        #expect((content.maxX - (852 - 59)).magnitude < 1e-9)
    }

    @Test("rows of an inset style are as far within the safe area as on the canvas")
    func inset() throws {
        let cell = Self.cell("a", y: 35)
            .replacing(
                "x=\"0.0\" y=\"35.0\" width=\"375\"", with: "x=\"16\" y=\"35.0\" width=\"343\""
            )
            .replacing("width=\"375\" height=\"60\"/>", with: "width=\"343\" height=\"60\"/>")
        let sections =
            "<sections><tableViewSection id=\"s\"><cells>\(cell)</cells></tableViewSection></sections>"
        let text = Self.file(sections, attributes: "style=\"insetGrouped\" rowHeight=\"-1\"")
        #expect(try frames(text)["a"] == Rect(x: 16, y: 35, width: 343, height: 45))
        let wide = try frames(text, on: "iPhone-15-landscape")
        #expect(wide["a"] == Rect(x: 75, y: 35, width: 702, height: 45))
        #expect(wide["a-c"] == Rect(x: 0, y: 0, width: 702, height: 45))
    }

    // MARK: Live

    @Test("a longer text and a larger one make the row higher and move those behind down")
    func live() throws {
        let text = Self.file(
            Self.prototypes(
                Self.label("a", y: 50, text: "Short"), Self.label("b", y: 110, text: "Other")))
        func check(_ frames: [String: Rect]) throws -> Double {
            let label = try #require(frames["a-v"])
            #expect(frames["a"]?.height == label.height + 20)
            #expect(frames["b"]?.minY == label.height + 20)
            return label.height
        }
        let document = try conversion(text).document
        let patch = try #require(document.devices.first { $0.id == "iPhone-SE" }).viewport
        let model = try SceneModel(document, on: patch)
        let short = try check(frames(model))
        var change = ViewProperties()
        change.text = String(repeating: "A text of several lines. ", count: 12)
        #expect(model.apply([.setView(id: "a-v", change)]).refusals == [])
        model.runCycle()
        let long = try check(frames(model))
        #expect(long >= 3 * short)

        let scaled = text.replacing(
            "numberOfLines=\"0\"",
            with: "numberOfLines=\"0\" adjustsFontForContentSizeCategory=\"YES\""
        )
        .replacing(
            "</label>",
            with:
                "<fontDescription key=\"fontDescription\" style=\"UICTFontTextStyleBody\"/></label>"
        )
        let usual = try check(frames(scaled))
        let large = try check(
            frames(scaled) { $0.contentSizeCategory = .accessibilityExtraExtraExtraLarge })
        #expect(large > 2 * usual)
    }

    @Test("titles of sections are in the language of the texts, and not for changes in a room")
    func titles() throws {
        var options = ConversionOptions()
        options.hasContents = true
        options.strings = try LocalizedStrings(
            Array("\"s1.headerTitle\" = \"Eins\";".utf8), language: "de")
        let scene = try #require(try SampleFiles.file(Self.sections).initialScene)
        let conversion = try InterfaceConversion(scene, options: options)
        let texts = Dictionary(
            uniqueKeysWithValues: conversion.document.views.map { ($0.id, $0.properties.text) })
        #expect(texts["s1"] == "Eins")
        #expect(texts["s1_2"] == "end")
        #expect(conversion.views["s1"] == nil)
    }
}
