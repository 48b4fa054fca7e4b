import CMalloc
import Foundation
import MeasuredRoom
import Measuring
import SceneDocument
import SceneFaces
import SceneModel

// text-bench NAME measures one thing, on the grid or in faces, and prints its figure, so that a
// process does nothing else. Names: see `measurements`. Seconds are of processor time.

/// How text is measured.
enum Typography: String {
    case grid, faces
}

/// Seconds from an op that gives a label a number that it never had to the encoded frame; the
/// median of the rounds.
func number(_ typography: Typography) throws -> Double {
    let rules = (0..<10).flatMap { row in
        [
            #""n\#(row).trailing == root.trailing - 16""#,
            #""n\#(row).top == root.top + \#(row * 24)""#,
            #""c\#(row).leading == root.leading + 16""#,
            #""c\#(row).firstBaseline == n\#(row).firstBaseline""#,
        ]
    }
    let views = (0..<10).flatMap { row in
        [
            #"{"id": "n\#(row)", "kind": "label", "text": "0 ms"}"#,
            #"{"id": "c\#(row)", "kind": "label", "text": "Response time \#(row)"}"#,
        ]
    }
    let room = try Room(document(typography, views: views, rules: rules))
    room.runUntilIdle()
    func text(_ round: Int) -> String {
        let value = 1_000_000 + round * 7_919 % 8_999_993
        return "\(value / 1_000_000),\(value / 1_000 % 1_000 + 100),\(value % 900 + 100) ms"
    }
    let (warming, rounds) = (200, 4000)
    var seconds: [Double] = []
    for round in 0..<(warming + rounds) {
        let value = text(round)
        let before = room.payloadCount
        let start = processorTime()
        room.setText("n\(round % 10)", value)
        room.runTick()
        if round >= warming { seconds.append(processorTime() - start) }
        precondition(room.payloadCount > before, "a frame leaves")
        room.acknowledge()
    }
    return seconds.sorted()[rounds / 2]
}

/// Seconds of making and laying out a list of 1,000 rows with three labels each, of a document that
/// was read; no text occurs twice.
func list(_ typography: Typography) throws -> Double {
    // What the first of its kind brings along counts for the program.
    _ = try list(typography, rows: 1)
    return try list(typography, rows: 1000)
}

func list(_ typography: Typography, rows: Int) throws -> Double {
    let views = (0..<rows).flatMap { row in
        [
            #"{"id": "r\#(row)"}"#,
            #"{"id": "t\#(row)", "parent": "r\#(row)", "kind": "label", "text": "Conversation \#(row)", "textStyle": "headline"}"#,
            #"{"id": "d\#(row)", "parent": "r\#(row)", "kind": "label", "text": "\#(row % 24):\#(row % 60)", "textStyle": "subheadline"}"#,
            #"{"id": "s\#(row)", "parent": "r\#(row)", "kind": "label", "lines": 2, "text": "Message \#(row) of the day, which is long enough to need two lines on a phone", "textStyle": "subheadline"}"#,
        ]
    }
    let rules = (0..<rows).flatMap { row in
        [
            #""H:|[r\#(row)]|""#,
            row == 0 ? #""r0.top == root.top""# : #""r\#(row).top == r\#(row - 1).bottom""#,
            #""H:|-16-[t\#(row)]-(>=8)-[d\#(row)]-16-|""#, #""H:|-16-[s\#(row)]-16-|""#,
            #""V:|-8-[t\#(row)]-2-[s\#(row)]-8-|""#,
            #""d\#(row).firstBaseline == t\#(row).firstBaseline""#,
        ]
    }
    let parsed = try SceneDocument.parse(
        Array(document(typography, views: views, rules: rules).utf8))
    let start = processorTime()
    let model = try SceneModel(parsed)
    let seconds = processorTime() - start
    withExtendedLifetime(model) {}
    return seconds
}

/// Bytes of a label of 40 characters.
func memory(_ typography: Typography) throws -> Double {
    let count = 10_000
    func parsed(_ count: Int) throws -> SceneDocument {
        let views = (0..<count).map { number in
            let text = "Label \(number) has forty characters of text".padding(
                toLength: 40, withPad: ".", startingAt: 0)
            return #"{"id": "l\#(number)", "kind": "label", "text": "\#(text)"}"#
        }
        let rules = (0..<count).map { #""l\#($0).top == root.top + \#($0)""# }
        return try SceneDocument.parse(
            Array(document(typography, views: views, rules: rules).utf8))
    }
    // What the first of its kind brings along counts for the program.
    let first = try SceneModel(parsed(10))
    let labels = try parsed(count)
    giveFreeMemoryBack()
    let before = residentBytes()
    let model = try SceneModel(labels)
    giveFreeMemoryBack()
    defer { withExtendedLifetime((first, labels, model)) {} }
    return (residentBytes() - before) / Double(count)
}

func document(_ typography: Typography, views: [String], rules: [String]) -> String {
    """
    {"scene": 1,
     "viewport": {"width": 390, "height": 844, "scale": 3, "typography": "\(typography.rawValue)"},
     "views": [\(views.joined(separator: ", "))],
     "constraints": [\(rules.joined(separator: ", "))]}
    """
}

let measurements: [String: (Typography) throws -> Double] = [
    "number": number, "list": list, "memory": memory,
]

let arguments = CommandLine.arguments
guard arguments.count == 3, let measure = measurements[arguments[1]],
    let typography = Typography(rawValue: arguments[2])
else {
    FileHandle.standardError.write(
        Data(
            "usage: text-bench \(measurements.keys.sorted().joined(separator: "|")) grid|faces\n"
                .utf8))
    exit(64)
}
RegisteredFaces.register(FaceFolder.shippedAlone)
do {
    print(try measure(typography))
} catch {
    FileHandle.standardError.write(Data("text-bench: \(error)\n".utf8))
    exit(1)
}
