import Foundation
import SeededRandom
import Testing

@testable import InterfaceBuilder

@Suite("Merges of Interface Builder files")
struct InterfaceMergeTests {
    /// A screen with two containers of two labels each, and constraints of its own.
    static let base = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" toolsVersion="21507" targetRuntime="iOS.CocoaTouch">
            <dependencies>
                <plugIn identifier="com.apple.InterfaceBuilder.IBCocoaTouchPlugin" version="21505"/>
            </dependencies>
            <objects>
                <view contentMode="scaleToFill" id="root">
                    <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                    <subviews>
                        <view contentMode="scaleToFill" id="one">
                            <rect key="frame" x="10" y="10" width="100" height="50"/>
                            <subviews>
                                <label text="A" lineBreakMode="tailTruncation" id="a">
                                    <fontDescription key="fontDescription" type="system" pointSize="17"/>
                                </label>
                                <label text="B" lineBreakMode="tailTruncation" id="b"/>
                            </subviews>
                            <constraints>
                                <constraint firstItem="a" firstAttribute="top" secondItem="one" secondAttribute="top" constant="8" id="a-top"/>
                                <constraint firstItem="b" firstAttribute="top" secondItem="a" secondAttribute="bottom" constant="4" id="b-top"/>
                            </constraints>
                        </view>
                        <view contentMode="scaleToFill" id="two">
                            <rect key="frame" x="10" y="70" width="100" height="50"/>
                            <subviews>
                                <label text="C" id="c"/>
                                <label id="d">
                                    <string key="text">Two
        lines</string>
                                </label>
                            </subviews>
                            <constraints>
                                <constraint firstItem="c" firstAttribute="top" secondItem="two" secondAttribute="top" id="c-top"/>
                            </constraints>
                        </view>
                    </subviews>
                    <constraints>
                        <constraint firstItem="one" firstAttribute="leading" secondItem="root" secondAttribute="leading" constant="10" id="one-leading"/>
                        <constraint firstItem="two" firstAttribute="leading" secondItem="root" secondAttribute="leading" constant="10" id="two-leading"/>
                    </constraints>
                </view>
            </objects>
        </document>

        """

    private typealias Edit = @Sendable (_ text: String) -> String

    private static func replacing(_ old: String, _ new: String) -> Edit {
        { text in
            precondition(text.contains(old), "the sample has \(old)")
            return text.replacing(old, with: new)
        }
    }

    private func edited(_ edits: [Edit], _ text: String = Self.base) -> [UInt8] {
        Array(edits.reduce(text) { $1($0) }.utf8)
    }

    private func merge(_ ours: [Edit], _ theirs: [Edit]) throws -> InterfaceMerge {
        try InterfaceMerge(
            base: Array(Self.base.utf8), ours: edited(ours), theirs: edited(theirs))
    }

    private func isSame(_ one: [UInt8], _ other: [UInt8]) throws -> Bool {
        let side = try MergeSide(one, "one")
        return side.isSame(side.root, as: try MergeSide(other, "other"))
    }

    private static let label = #"<label text="B" lineBreakMode="tailTruncation" id="b"/>"#
    private static let aTop =
        #"<constraint firstItem="a" firstAttribute="top" secondItem="one" secondAttribute="top" constant="8" id="a-top"/>"#
    private static let line = "\n                        "

    /// Edits of which each touches what no other does.
    private static let edits: [Edit] = [
        replacing(#"constant="8" id="a-top""#, #"constant="12" id="a-top""#),
        replacing(#"constant="4" id="b-top""#, #"priority="750" constant="4" id="b-top""#),
        replacing(
            #"secondAttribute="top" id="c-top""#, #"secondAttribute="top" constant="3" id="c-top""#),
        replacing(#"<label text="A""#, #"<label text="A &quot;quoted&quot; &amp; more""#),
        replacing(#"pointSize="17""#, #"pointSize="20""#),
        replacing("Two\nlines", "Three\nshort\nlines"),
        replacing(#"<label text="C" id="c"/>"#, #"<label hidden="YES" text="C" id="c"/>"#),
        replacing(
            #"<view contentMode="scaleToFill" id="one">"#,
            #"<view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="one">"#
        ),
        replacing(
            #"id="one-leading"/>"#,
            #"id="one-leading"/>\#(line)<constraint firstItem="root" firstAttribute="trailing" secondItem="one" secondAttribute="trailing" id="new"/>"#
        ),
        // A view that holds what was there: its content may change meanwhile.
        replacing(
            label,
            #"<stackView id="stack"><subviews>\#(label)</subviews></stackView>"#),
        // Removed, with what names it.
        { text in
            text.replacing(
                #"<constraint firstItem="two" firstAttribute="leading" secondItem="root" secondAttribute="leading" constant="10" id="two-leading"/>"#,
                with: "")
        },
    ]

    @Test("edits of different things are all in the result", arguments: 0..<200)
    func disjoint(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var (ours, theirs): ([Edit], [Edit]) = ([], [])
        for edit in Self.edits {
            switch random.below(3) {
            case 0: ours.append(edit)
            case 1: theirs.append(edit)
            default: break
            }
        }
        let merge = try merge(ours, theirs)
        #expect(merge.conflicts.isEmpty, "seed \(seed): \(merge.conflicts)")
        #expect(try isSame(merge.bytes, edited(ours + theirs)), "seed \(seed)")
        // What only we changed stays to the byte.
        if theirs.isEmpty { #expect(merge.bytes == edited(ours)) }
        // The same from the other side.
        let other = try InterfaceMerge(
            base: Array(Self.base.utf8), ours: edited(theirs), theirs: edited(ours))
        #expect(try isSame(merge.bytes, other.bytes), "seed \(seed)")
    }

    @Test("the same edit in both versions is no conflict")
    func alike() throws {
        for edit in Self.edits {
            let merge = try merge([edit], [edit])
            #expect(merge.conflicts.isEmpty)
            #expect(merge.bytes == edited([edit]))
        }
    }

    @Test("two values of one attribute are a conflict with our value, and a comment")
    func values() throws {
        let merge = try merge(
            [Self.replacing(#"constant="8""#, #"constant="12""#)],
            [Self.replacing(#"constant="8""#, #"constant="20""#)])
        let sentence =
            #"constant of constraint a-top was "8" and is "12" here and "20" there"#
        #expect(merge.conflicts == [.init(id: "a-top", text: sentence)])
        let text = String(decoding: merge.bytes, as: UTF8.self)
        #expect(text.contains("<!-- merge conflict: \(sentence) -->"))
        #expect(
            try isSame(
                merge.bytes, edited([Self.replacing(#"constant="8""#, #"constant="12""#)])))
    }

    @Test("what one removed and the other changed is kept here, stays removed there, and told")
    func removed() throws {
        let remove = Self.replacing(Self.aTop, "")
        let change = Self.replacing(#"constant="8""#, #"constant="9""#)
        let kept = try merge([change], [remove])
        #expect(kept.conflicts.map(\.id) == ["a-top"])
        #expect(try isSame(kept.bytes, edited([change])))
        let gone = try merge([remove], [change])
        #expect(gone.conflicts.map(\.id) == ["a-top"])
        #expect(gone.conflicts.first?.text.contains("stays removed") == true)
        #expect(try isSame(gone.bytes, edited([remove])))
        let both = try merge([remove], [remove])
        #expect(both.conflicts.isEmpty)
    }

    @Test("a view that one removed and into which the other put something stays, and is told")
    func filled() throws {
        @Sendable func remove(_ text: String) -> String {
            guard let start = text.firstRange(of: #"<view contentMode="scaleToFill" id="two">"#),
                let end = text[start.upperBound...].firstRange(of: "</view>")
            else { return text }
            return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
        }
        let fill = Self.replacing(
            #"<label text="C" id="c"/>"#, #"<label text="C" id="c"/><label text="E" id="e"/>"#)
        let merge = try merge([fill], [remove])
        #expect(merge.conflicts.map(\.id) == ["two"])
        #expect(try isSame(merge.bytes, edited([fill])))
    }

    @Test("views of both that came to one place are both there, and an order is taken over")
    func order() throws {
        let mine = Self.replacing(Self.label, Self.label + #"<label text="mine" id="mine"/>"#)
        let other = Self.replacing(Self.label, Self.label + #"<label text="other" id="other"/>"#)
        let both = try merge([mine], [other])
        #expect(both.conflicts.isEmpty)
        let side = try MergeSide(both.bytes, "merged")
        #expect(
            Set(side.items["#one/subviews"]?.children ?? []) == ["#a", "#b", "#mine", "#other"])
        @Sendable func swap(_ text: String) -> String {
            let label = #"<label text="C" id="c"/>"#
            guard let string = text.firstRange(of: "</string>"),
                let end = text[string.upperBound...].firstRange(of: "</label>")
            else { return text }
            let moved = text.replacingCharacters(in: end, with: "</label>" + label)
            return moved.replacingCharacters(
                in: moved.firstRange(of: label) ?? string, with: "")
        }
        let changed = Self.replacing("lines</string>", "short lines</string>")
        let swapped = try merge([changed], [swap])
        #expect(swapped.conflicts.isEmpty)
        #expect(try MergeSide(swapped.bytes, "m").items["#two/subviews"]?.children == ["#d", "#c"])
        #expect(String(decoding: swapped.bytes, as: UTF8.self).contains("short lines"))
    }

    @Test("a constraint whose view the other version removed is told")
    func dangling() throws {
        let add = Self.replacing(
            #"id="one-leading"/>"#,
            #"id="one-leading"/><constraint firstItem="d" firstAttribute="top" secondItem="root" secondAttribute="top" id="d-top"/>"#
        )
        @Sendable func remove(_ text: String) -> String {
            guard let start = text.firstRange(of: #"<label id="d">"#),
                let end = text[start.upperBound...].firstRange(of: "</label>")
            else { return text }
            return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
        }
        let merge = try merge([add], [remove])
        #expect(merge.conflicts.map(\.id) == ["d-top"])
        #expect(merge.conflicts.first?.text.contains("label d") == true, "\(merge.conflicts)")
    }

    @Test("views that both move into one another stay where one version has them, and are told")
    func cycle() throws {
        func move(_ id: String, into other: String) -> Edit {
            { text in
                guard
                    let start = text.firstRange(
                        of: #"<view contentMode="scaleToFill" id="\#(id)">"#),
                    let end = text[start.upperBound...].firstRange(of: "</view>")
                else { return text }
                let moved = String(text[start.lowerBound..<end.upperBound])
                return text.replacing(moved, with: "").replacing(
                    #"id="\#(other)">"#,
                    with: #"id="\#(other)"><subviews>\#(moved)</subviews>"#)
            }
        }
        let merge = try merge([move("one", into: "two")], [move("two", into: "one")])
        #expect(!merge.conflicts.isEmpty)
        let side = try MergeSide(merge.bytes, "merged")
        #expect(side.items["#one"] != nil && side.items["#two"] != nil)
    }

    @Test("moves of both versions that depend on one another lose no view, in whichever order")
    func knot() throws {
        /// Views within one another, by the view around each.
        func file(_ parents: [String: String]) -> [UInt8] {
            func views(in parent: String) -> String {
                parents.keys.sorted().filter { parents[$0] == parent }.map { name in
                    #"<view id="\#(name)"><subviews>\#(views(in: name))</subviews></view>"#
                }.joined()
            }
            return Array("<document><subviews>\(views(in: ""))</subviews></document>".utf8)
        }
        let names = ["a", "b", "c"]
        let forests = names.reduce([[:]]) { (found: [[String: String]], name) in
            found.flatMap { forest in
                ["", "a", "b", "c"].filter { $0 != name }.map { parent in
                    forest.merging([name: parent]) { $1 }
                }
            }
        }.filter { forest in
            names.allSatisfy { name in
                var (place, steps) = (name, 0)
                while let parent = forest[place], !parent.isEmpty, steps < 4 {
                    (place, steps) = (parent, steps + 1)
                }
                return steps < 4
            }
        }
        #expect(forests.count == 16)
        let base = file(["a": "", "b": "", "c": ""])
        for ours in forests {
            for theirs in forests {
                let merge = try InterfaceMerge(
                    base: base, ours: file(ours), theirs: file(theirs))
                let side = try MergeSide(merge.bytes, "merged")
                #expect(
                    names.allSatisfy { side.items["#\($0)"] != nil }, "\(ours) and \(theirs)")
            }
        }
    }

    @Test("frames and tool versions that both changed are no conflicts")
    func derived() throws {
        let merge = try merge(
            [
                Self.replacing(#"x="10" y="70""#, #"x="11" y="71""#),
                Self.replacing(#"toolsVersion="21507""#, #"toolsVersion="21701""#),
            ],
            [
                Self.replacing(#"x="10" y="70""#, #"x="12" y="72""#),
                Self.replacing(#"toolsVersion="21507""#, #"toolsVersion="22155""#),
            ])
        #expect(merge.conflicts.isEmpty)
        #expect(merge.staleFrames == 1)
        let text = String(decoding: merge.bytes, as: UTF8.self)
        #expect(text.contains(#"x="11" y="71""#) && text.contains(#"toolsVersion="22155""#))
    }

    @Test("scenes that both versions add are both there, wherever Xcode shows them")
    func scenes() throws {
        func storyboard(_ scenes: String) -> [UInt8] {
            Array("<document><scenes>\(scenes)</scenes></document>".utf8)
        }
        func scene(_ name: String, x: Int = 0) -> String {
            """
            <scene sceneID="\(name)"><objects><viewController id="\(name)-c"/></objects>
            <point key="canvasLocation" x="\(x)" y="0"/></scene>
            """
        }
        let merge = try InterfaceMerge(
            base: storyboard(scene("a")), ours: storyboard(scene("b") + scene("a", x: 1)),
            theirs: storyboard(scene("a", x: 2) + scene("c")))
        #expect(merge.conflicts.isEmpty, "\(merge.conflicts)")
        let side = try MergeSide(merge.bytes, "merged")
        #expect(side.items["/document/scenes"]?.children == ["#b", "#a", "#c"])
        #expect(String(decoding: merge.bytes, as: UTF8.self).contains(#"x="1""#))
    }

    @Test("files that Xcode never writes cost what they are long, or are refused")
    func hostile() throws {
        let alike = String(repeating: "<a/>", count: 50_000)
        let wide = Array("<document>\(alike)</document>".utf8)
        #expect(try InterfaceMerge(base: wide, ours: wide, theirs: wide).bytes == wide)
        let deep = Array(
            (String(repeating: "<elements>", count: 400)
                + String(repeating: "</elements>", count: 400))
                .utf8)
        #expect(throws: InterfaceError.self) {
            _ = try InterfaceMerge(base: deep, ours: deep, theirs: deep)
        }
    }

    @Test("a version that is no XML is named")
    func unreadable() throws {
        #expect(throws: InterfaceError.self) {
            _ = try InterfaceMerge(
                base: Array(Self.base.utf8), ours: Array("<document>".utf8),
                theirs: Array(Self.base.utf8))
        }
    }
}
