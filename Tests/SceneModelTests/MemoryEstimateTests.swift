import SceneDocument
import SceneTestSupport
import Testing

@testable import SceneModel

/// What a scene says that it takes, against what is allocated for it: in a process of its own, in
/// which nothing else goes on.
@Suite struct MemoryEstimateTests {
    @Test func plainViews() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.plain(4_000)) }
    }

    @Test func labels() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.labels(4_000)) }
    }

    @Test func longTexts() async {
        await #expect(processExitsWith: .success) {
            try holdAgainstHeap(
                Scenes.labels(200, text: String(repeating: "many words ", count: 900)))
        }
    }

    @Test func controls() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.controls(2_000)) }
    }

    @Test func wideControls() async {
        await #expect(processExitsWith: .success) {
            try holdAgainstHeap(Scenes.controls(500, width: 8_000))
        }
    }

    @Test func segments() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.segments(200)) }
    }

    @Test func aChainOfRules() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.chain(4_000)) }
    }

    @Test func rulesBetweenAllPairs() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.dense(100)) }
    }

    @Test func stacks() async {
        await #expect(processExitsWith: .success) { try holdAgainstHeap(Scenes.stacks(1_000)) }
    }
}

private func holdAgainstHeap(_ json: String) throws {
    let (model, bytes) = try allocating {
        try SceneModel(SceneDocument.parse(Array(json.utf8)))
    }
    try expect(model.byteEstimate, isAbout: bytes)
}

/// Documents of many equal parts.
private enum Scenes {
    static func document(_ views: [String], _ constraints: [String] = []) -> String {
        """
        {"scene": 1, "viewport": {"width": 800, "height": 600}, "views": [\(views.joined(separator: ","))],
        "constraints": [\(constraints.joined(separator: ","))]}
        """
    }

    static func plain(_ count: Int) -> String {
        document((0..<count).map { #"{"id": "v\#($0)", "frame": [\#($0 % 100), 1, 2, 3]}"# })
    }

    static func labels(_ count: Int, text: String = "a text of some length, as they are") -> String
    {
        document(
            (0..<count).map {
                #"{"id": "v\#($0)", "kind": "label", "text": "\#(text)", "frame": [0, 0, 300, 40]}"#
            })
    }

    static func controls(_ count: Int, width: Int = 200) -> String {
        document(
            (0..<count).map {
                #"{"id": "v\#($0)", "kind": "slider", "value": 0.5, "label": "how loud it is to be", "frame": [0, 0, \#(width), 16]}"#
            })
    }

    static func segments(_ count: Int) -> String {
        let titles = (0..<32).map { "\"the title of segment \($0)\"" }.joined(separator: ",")
        return document(
            (0..<count).map {
                #"{"id": "v\#($0)", "kind": "segmented", "segments": [\#(titles)], "frame": [0, 0, 2000, 16]}"#
            })
    }

    static func chain(_ count: Int) -> String {
        document(
            (0..<count).map { #"{"id": "v\#($0)"}"# },
            (0..<count).flatMap { place in
                let before = place == 0 ? "root" : "v\(place - 1)"
                return [
                    #"{"id": "a\#(place)", "rule": "v\#(place).left == \#(before).left + 1"}"#,
                    #"{"id": "b\#(place)", "rule": "v\#(place).top == root.top"}"#,
                    #"{"id": "c\#(place)", "rule": "v\#(place).width == 5"}"#,
                    #"{"id": "d\#(place)", "rule": "v\#(place).height == 7"}"#,
                ]
            })
    }

    static func dense(_ count: Int) -> String {
        document(
            (0..<count).map { #"{"id": "v\#($0)"}"# },
            (0..<count).flatMap { one in
                (0..<one).map { other in
                    #"{"id": "r\#(one)-\#(other)", "rule": "v\#(one).left >= v\#(other).left + 1 @500"}"#
                }
            })
    }

    static func stacks(_ count: Int) -> String {
        document(
            (0..<count).flatMap { place in
                [
                    #"{"id": "s\#(place)", "kind": "stack", "spacing": 4, "frame": [0, 0, 300, 20], "arranged": ["a\#(place)", "b\#(place)", "c\#(place)"]}"#
                ]
                    + ["a", "b", "c"].map {
                        #"{"id": "\#($0)\#(place)", "parent": "s\#(place)", "kind": "label", "text": "\#($0)"}"#
                    }
            })
    }
}
