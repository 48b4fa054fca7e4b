import ConstraintLanguage
import LayoutValues
import SceneDocument
import SceneModel
import Testing

@testable import InterfaceBuilder

/// A scene of a file in the hands of a team: what they change, and the file that comes of it.
struct WrittenScene {
    let original: [UInt8]
    let path: String
    let id: String
    let model: SceneModel
    let writer: InterfaceWriteBack

    init(
        _ bytes: [UInt8], path: String = "Main.storyboard", scene: String? = nil,
        options: ConversionOptions = ConversionOptions()
    ) throws {
        original = bytes
        self.path = path
        let file = try InterfaceFile(bytes, path: path)
        let chosen = try #require(scene.map { file.scene($0) } ?? file.initialScene)
        id = chosen.id
        writer = try InterfaceWriteBack(chosen, options: options, layOut: Self.layOut)
        model = try SceneModel(writer.conversion.document)
    }

    private static func layOut(
        _ document: SceneDocument
    ) throws(InterfaceError) -> InterfaceWriteBack.LaidOutScene {
        do throws(Refusal) {
            let model = try SceneModel(document)
            let frames = Dictionary(
                model.frames().map { ($0.id, $0.rect) }, uniquingKeysWith: { first, _ in first })
            return InterfaceWriteBack.LaidOutScene(document: model.document(), frames: frames)
        } catch {
            throw InterfaceError(error.message)
        }
    }

    /// Does what a room does with an op.
    ///
    /// - Returns: Why it is refused; nil if it was performed.
    func perform(_ op: Op) -> String? {
        if let refusal = writer.refusal(of: op) { return refusal }
        return model.apply([op]).refusals.first?.message
    }

    func perform(_ json: String) throws -> String? {
        let op = try #require(try Op.parseList(Array("[\(json)]".utf8)).first)
        return perform(op)
    }

    /// Throws if the written file does not say what the room has.
    func written() throws -> [UInt8] { try writer.written(model.document()).bytes }

    /// The lines that differ: `-` before those of the original, `+` before those that are written.
    func changes() throws -> [String] {
        func lines(_ bytes: [UInt8]) -> [String] {
            String(decoding: bytes, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map { String($0.drop { $0 == " " }) }
        }
        let difference = try lines(written()).difference(from: lines(original))
        return difference.removals.map { change in
            guard case .remove(_, let line, _) = change else { return "" }
            return "-" + line
        }
            + difference.insertions.map { change in
                guard case .insert(_, let line, _) = change else { return "" }
                return "+" + line
            }
    }
}

@Suite("Changes of a scene, written back into its file")
struct WriteBackTests {
    private func form() throws -> WrittenScene {
        try WrittenScene(Array(SampleFiles.form().utf8))
    }

    /// What Xcode would write, by hand.
    private static let cases: [(ops: [String], lines: [String])] = [
        (
            [#"{"op":"setConstraint","id":"k1","constant":32}"#],
            [
                #"-<constraint firstItem="title" firstAttribute="top" secondItem="safe" secondAttribute="top" constant="20" id="k1"/>"#,
                #"+<constraint firstItem="title" firstAttribute="top" secondItem="safe" secondAttribute="top" constant="32" id="k1"/>"#,
            ]
        ),
        (
            [#"{"op":"setConstraint","id":"k2","constant":-3.5,"priority":750}"#],
            [
                #"-<constraint firstItem="title" firstAttribute="leading" secondItem="root-1" secondAttribute="leadingMargin" id="k2"/>"#,
                #"+<constraint firstItem="title" firstAttribute="leading" secondItem="root-1" secondAttribute="leadingMargin" constant="-3.5" priority="750" id="k2"/>"#,
            ]
        ),
        (
            [#"{"op":"setConstraint","id":"k8","multiplier":0.5}"#],
            [
                #"-<constraint firstItem="footer" firstAttribute="width" secondItem="root-1" secondAttribute="width" multiplier="1:1" id="k8"/>"#,
                #"+<constraint firstItem="footer" firstAttribute="width" secondItem="root-1" secondAttribute="width" multiplier="0.5" id="k8"/>"#,
            ]
        ),
        (
            [#"{"op":"setConstraint","id":"k1","constant":0}"#],
            [
                #"-<constraint firstItem="title" firstAttribute="top" secondItem="safe" secondAttribute="top" constant="20" id="k1"/>"#,
                #"+<constraint firstItem="title" firstAttribute="top" secondItem="safe" secondAttribute="top" id="k1"/>"#,
            ]
        ),
        (
            [#"{"op":"removeConstraint","id":"k5"}"#],
            [
                #"-<constraint firstItem="9ab-Cd-efg" firstAttribute="leading" secondItem="title" secondAttribute="leading" id="k5"/>"#
            ]
        ),
        // The last one takes the list along.
        (
            [#"{"op":"removeConstraint","id":"footer-height"}"#],
            [
                "-<constraints>",
                #"-<constraint firstAttribute="height" constant="60" id="footer-height"/>"#,
                "-</constraints>",
            ]
        ),
        (
            [#"{"op":"setConstraint","id":"k6","active":false}"#],
            [
                #"+<variation key="default">"#, #"+<mask key="constraints">"#,
                #"+<exclude reference="k6"/>"#, "+</mask>", "+</variation>",
            ]
        ),
        (
            [#"{"op":"addConstraint","id":"low","rule":"title.bottom <= footer.top - 8 @900"}"#],
            [
                #"+<constraint firstItem="title" firstAttribute="bottom" relation="lessThanOrEqual" secondItem="footer" secondAttribute="top" priority="900" constant="-8" id="low"/>"#
            ]
        ),
        (
            [#"{"op":"addConstraint","id":"wide","rule":"ok.width >= 44"}"#],
            [
                "+<constraints>",
                #"+<constraint firstAttribute="width" relation="greaterThanOrEqual" constant="44" id="wide"/>"#,
                "+</constraints>",
            ]
        ),
        (
            [
                #"{"op":"addConstraint","id":"in","rule":"title.top >= root-1.safeArea.top + 4"}"#,
                #"{"op":"addConstraint","id":"mid","rule":"title.centerX == root-1.margins.centerX @500"}"#,
            ],
            [
                #"+<constraint firstItem="title" firstAttribute="top" relation="greaterThanOrEqual" secondItem="safe" secondAttribute="top" constant="4" id="in"/>"#,
                #"+<constraint firstItem="title" firstAttribute="centerX" secondItem="root-1" secondAttribute="centerXWithinMargins" priority="500" id="mid"/>"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"title","text":"Log \"in\" & <out>","hidden":true}"#],
            [
                #"-<label contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Sign in" textAlignment="natural" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="title">"#,
                #"+<label contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Log &quot;in&quot; &amp; &lt;out&gt;" textAlignment="natural" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" hidden="YES" id="title">"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"ok","text":"Fine"}"#],
            [#"-<state key="normal" title="OK"/>"#, #"+<state key="normal" title="Fine"/>"#]
        ),
        (
            [#"{"op":"setView","id":"_9ab-Cd-efg","axis":"vertical","spacing":12}"#],
            [
                #"-<stackView contentMode="scaleToFill" distribution="fillEqually" spacing="8" translatesAutoresizingMaskIntoConstraints="NO" id="9ab-Cd-efg" userLabel="Buttons">"#,
                #"+<stackView contentMode="scaleToFill" distribution="fillEqually" spacing="12" translatesAutoresizingMaskIntoConstraints="NO" axis="vertical" id="9ab-Cd-efg" userLabel="Buttons">"#,
            ]
        ),
        (
            [
                ##"{"op":"setView","id":"title","foreground":"secondaryLabel","background":"#ff0000"}"##
            ],
            [
                #"-<color key="textColor" red="1" green="0.0" blue="0.0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>"#,
                #"+<color key="textColor" systemColor="secondaryLabelColor"/>"#,
                #"+<color key="backgroundColor" red="1" green="0.0" blue="0.0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"title","fontSize":20,"fontWeight":"semibold"}"#],
            [
                #"-<fontDescription key="fontDescription" type="boldSystem" pointSize="17"/>"#,
                #"+<fontDescription key="fontDescription" type="system" pointSize="20" weight="semibold"/>"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"footer","cornerRadius":12,"borderWidth":0}"#],
            [
                #"-<integer key="value" value="8"/>"#,
                #"-<userDefinedRuntimeAttribute type="number" keyPath="layer.borderWidth">"#,
                #"-<integer key="value" value="1"/>"#, "-</userDefinedRuntimeAttribute>",
                #"+<integer key="value" value="12"/>"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"footer","label":"Hints","margins":[1,2,3,4]}"#],
            [
                #"+<accessibility key="accessibilityConfiguration" label="Hints"/>"#,
                #"+<directionalEdgeInsets key="directionalLayoutMargins" top="1" leading="2" bottom="3" trailing="4"/>"#,
            ]
        ),
        (
            [#"{"op":"setView","id":"skip","installed":false}"#],
            [
                #"+<variation key="default">"#, #"+<mask key="subviews">"#,
                #"+<exclude reference="skip"/>"#, "+</mask>", "+</variation>",
            ]
        ),
        // Other anchors under the same id, as an inspector sends them.
        (
            [
                #"{"op":"removeConstraint","id":"k5"}"#,
                #"{"op":"addConstraint","id":"k5","rule":"_9ab-Cd-efg.centerX >= title.centerX + 1"}"#,
            ],
            [
                #"-<constraint firstItem="9ab-Cd-efg" firstAttribute="leading" secondItem="title" secondAttribute="leading" id="k5"/>"#,
                #"+<constraint firstItem="9ab-Cd-efg" firstAttribute="centerX" relation="greaterThanOrEqual" secondItem="title" secondAttribute="centerX" constant="1" id="k5"/>"#,
            ]
        ),
        // How people look at it is not of the file.
        ([#"{"op":"setViewport","width":320,"height":568}"#], []),
    ]

    @Test("only the lines of what was changed differ", arguments: cases.indices)
    func lines(index: Int) throws {
        let scene = try form()
        let (ops, lines) = Self.cases[index]
        for op in ops { #expect(try scene.perform(op) == nil, "\(op)") }
        #expect(try scene.changes().sorted() == lines.sorted())
    }

    @Test("what is taken back is gone from the file, to the byte")
    func takenBack() throws {
        let scene = try form()
        for (ops, _) in Self.cases {
            for op in ops { _ = try scene.perform(op) }
        }
        #expect(try scene.written() != scene.original)
        #expect(try scene.writer.written(scene.writer.base).bytes == scene.original)
    }

    @Test(
        "what the file cannot say is refused with a reason",
        arguments: [
            (#"{"op":"addView","id":"new"}"#, "views are added"),
            (#"{"op":"removeView","id":"title"}"#, "views are added"),
            (#"{"op":"moveView","id":"title","index":0}"#, "views are added"),
            (#"{"op":"addGuide","id":"g"}"#, "guides of one's own"),
            (#"{"op":"setView","id":"title","shadow":{"radius":2}}"#, "have no shadow"),
            (#"{"op":"setView","id":"title","intrinsic":[10,10]}"#, "sizes of content"),
            (#"{"op":"setView","id":"title","frame":[0,0,10,10]}"#, "frames are not written"),
            (#"{"op":"setView","id":"root","hidden":true}"#, "root is the device"),
            (#"{"op":"setView","id":"title","text":"a\u0001b"}"#, "the character U+1"),
            (#"{"op":"setView","id":"ok","text":"\uffff"}"#, "the character U+FFFF"),
            (#"{"op":"setView","id":"title","label":"\u001b"}"#, "the character U+1B"),
            (#"{"op":"setView","id":"title","minimumScaleFactor":1}"#, "above 0 and below 1"),
            (#"{"op":"setView","id":"footer","enabled":false}"#, "has no enabled"),
            (#"{"op":"setConstraint","id":"footer-height","multiplier":2}"#, "no multiplier"),
            (#"{"op":"setView","id":"footer","text":"x"}"#, "has no text"),
            (#"{"op":"setView","id":"footer","spacing":4}"#, "has no spacing"),
            (#"{"op":"removeConstraint","id":"root-1-top"}"#, "holds the scene on its device"),
            (#"{"op":"addConstraint","rule":"title.width == scaled(80)"}"#, "grow with the text"),
            (#"{"op":"addConstraint","rule":"H:|-[title]-|"}"#, "no visual formats"),
            (
                #"{"op":"animate","duration":1,"ops":[{"op":"addView","id":"new"}]}"#,
                "views are added"
            ),
        ])
    func refused(op: String, reason: String) throws {
        let scene = try form()
        let text = try #require(try scene.perform(op), "\(op)")
        #expect(text.contains(reason), "\(op): \(text)")
        #expect(try scene.written() == scene.original)
    }

    @Test("a constraint that an outlet names stays")
    func outlet() throws {
        let text = SampleFiles.form().replacing(
            #"destination="title" id="o1"/>"#,
            with: #"destination="title" id="o1"/><outlet property="gap" destination="k1" id="o2"/>"#
        )
        let scene = try WrittenScene(Array(text.utf8))
        let refusal = try scene.perform(#"{"op":"removeConstraint","id":"k1"}"#)
        #expect(refusal?.contains(#"the outlet "gap" in line"#) == true)
    }

    @Test("a button with another title gets another size from the file")
    func corrections() throws {
        var options = ConversionOptions()
        options.measureWidth = { text, _, _ in Double(text.count) * 10 }
        let scene = try WrittenScene(Array(SampleFiles.form().utf8), options: options)
        #expect(try scene.perform(#"{"op":"setView","id":"ok","text":"Longer"}"#) == nil)
        var size = ViewProperties()
        size.intrinsic = Size(width: 60, height: 30)
        #expect(
            try scene.writer.written(scene.model.document()).corrections
                == [.setView(id: "ok", size)])
    }

    @Test("frames are written where the insets of the outermost view would be found wrong")
    func frames() throws {
        // 20 points more would say that the status bar is 0 high, which it may be.
        let scene = try form()
        #expect(try scene.perform(#"{"op":"setConstraint","id":"k1","constant":40}"#) == nil)
        let changes = try scene.changes()
        #expect(changes.contains(#"+<rect key="frame" x="16" y="60" width="343" height="21"/>"#))
        #expect(changes.contains(#"+<rect key="frame" x="16" y="101" width="343" height="30"/>"#))
        // Three elements, of which nothing else differs.
        #expect(changes.count == 6)
    }
}
