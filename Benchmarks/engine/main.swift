import AutoLayout
import Foundation
import Measuring

// engine-bench NAME [ROUNDS] measures one thing and prints its figure, so that a process does
// nothing else; with
//                              ROUNDS it only does the work so often, for counting instructions
// engine-bench list-frames|dashboard-frames ROUNDS prints all frames after so many edits, a batch,
// and a change of
//                                                  the width
// engine-bench capture FILE WORK ROUNDS [LEAF] what `captures/driver.cpp` does, on a scene of
//                                                  `captures/translator.py`
// Names: see `measurements`. Seconds are of processor time.

/// Seconds for each of `count` rounds of `body`, which gets the round's number.
func time(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    let start = processorTime()
    for round in 0..<count { try body(round) }
    return (processorTime() - start) / Double(count)
}

/// Counts the frames that a window's cycles assign.
final class FrameCounter {
    private(set) var count = 0

    init(_ window: Window) { window.frameObserver = { _ in self.count += 1 } }
}

func build(_ count: Int, rounds: Int) throws -> Double {
    // What the process looks up and binds at the first use of each function is not the layout's.
    try Scenes.tree(50).window.runCycle()
    guard rounds > 0 else { return 0 }
    var window: Window?
    let seconds = try time(1) { _ in
        let made = try Scenes.tree(count).window
        try made.runCycle()
        window = made
    }
    _ = window
    return seconds
}

/// One constant in a tree, from the change to the changed frames.
func edit(_ count: Int, rounds: Int) throws -> Double {
    let (window, widths) = try Scenes.tree(count)
    try window.runCycle()
    let width = widths[widths.count / 2]
    let frames = FrameCounter(window)
    let seconds = try time(rounds) { round in
        try width.setConstant(40 + Double(round % 23))
        try window.runCycle()
    }
    precondition(rounds < 2 || frames.count > rounds, "frames have to change")
    return seconds
}

/// One constant in a scene of 10,000 views, `moved` of which move.
func move(_ moved: Int, rounds: Int) throws -> Double {
    let (window, lefts) = try Scenes.rows(10_000, of: moved)
    try window.runCycle()
    let frames = FrameCounter(window)
    let seconds = try time(rounds) { round in
        try lefts[lefts.count / 2].setConstant(20 + Double(round % 31))
        try window.runCycle()
    }
    precondition(frames.count >= max(0, rounds - 1) * moved, "frames have to change")
    return seconds
}

/// The root's width, which moves every view of a tree.
func resize(_ count: Int, rounds: Int) throws -> Double {
    let (window, _) = try Scenes.tree(count, fillsEqually: true)
    try window.runCycle()
    let width = window.viewportSize.width
    let frames = FrameCounter(window)
    let seconds = try time(rounds) { round in
        window.viewportSize.width = width + Double(1 + round % 23)
        try window.runCycle()
    }
    precondition(rounds < 2 || frames.count >= rounds * (count - 1), "every frame has to change")
    return seconds
}

func batch(_ count: Int, rounds: Int) throws -> Double {
    let (window, widths) = try Scenes.tree(count)
    try window.runCycle()
    var state: UInt64 = 42
    return try time(rounds) { _ in
        for _ in 0..<100 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(state >> 40 & 63)
            try widths[Int(state >> 33) % widths.count].setConstant(30 + value)
        }
        try window.runCycle()
    }
}

func idle(rounds: Int) throws -> Double {
    let (window, _) = try Scenes.tree(1000)
    try window.runCycle()
    return try time(rounds) { _ in try window.runCycle() }
}

/// Seconds for each view to build and lay out independent siblings.
func siblings(_ count: Int) throws -> Double {
    var window: Window?
    let seconds = try time(1) { _ in
        let made = try Scenes.rows(count, of: 1).window
        try made.runCycle()
        window = made
    }
    _ = window
    return seconds / Double(count)
}

/// Bytes for each view of a tree.
func treeMemory(_ count: Int) throws -> Double {
    let before = residentBytes()
    let window = try Scenes.tree(count).window
    try window.runCycle()
    return (residentBytes() - before) / Double(count)
}

func memory() throws -> Double {
    let before = residentBytes()
    let (window, _) = try Scenes.rows(10_000, of: 1)
    try window.runCycle()
    return (residentBytes() - before) / 10_000
}

/// How often each is done, and how.
let measurements: [String: (rounds: Int, measure: (Int) throws -> Double)] = [
    "build-1k": (1, { try build(1000, rounds: $0) }),
    "build-10k": (1, { try build(10_000, rounds: $0) }),
    "edit-1k": (4000, { try edit(1000, rounds: $0) }),
    "edit-10k": (4000, { try edit(10_000, rounds: $0) }),
    "resize-1k": (200, { try resize(1000, rounds: $0) }),
    "resize-10k": (20, { try resize(10_000, rounds: $0) }),
    "move-1": (10_000, { try move(1, rounds: $0) }),
    "move-100": (1000, { try move(100, rounds: $0) }),
    "move-5000": (100, { try move(5000, rounds: $0) }),
    "batch-1k": (50, { try batch(1000, rounds: $0) }),
    "batch-10k": (20, { try batch(10_000, rounds: $0) }),
    "idle": (1_000_000, { try idle(rounds: $0) }),
    "siblings-100": (1, { _ in try siblings(100) }),
    "siblings-10k": (1, { _ in try siblings(10_000) }),
    "memory": (1, { _ in try memory() }),
    "tree-memory": (1, { _ in try treeMemory(10_000) }),
    "list-build": (1, { try AppScene.build(.list, rounds: $0) }),
    "list-edit": (1000, { try AppScene.edit(.list, rounds: $0) }),
    "list-resize": (200, { try AppScene.resize(.list, rounds: $0) }),
    "list-batch": (100, { try AppScene.batch(.list, rounds: $0) }),
    "list-memory": (1, { _ in try AppScene.memory(.list) }),
    "dashboard-build": (20, { try AppScene.build(.dashboard, rounds: $0) }),
    "dashboard-edit": (4000, { try AppScene.edit(.dashboard, rounds: $0) }),
    "dashboard-resize": (1000, { try AppScene.resize(.dashboard, rounds: $0) }),
    "dashboard-batch": (500, { try AppScene.batch(.dashboard, rounds: $0) }),
]

let arguments = CommandLine.arguments
let requested = arguments.count == 3 ? Int(arguments[2]) : nil
if let requested, requested >= 0, arguments[1].hasSuffix("-frames"),
    let name = AppScene.Name(rawValue: String(arguments[1].dropLast("-frames".count)))
{
    print(try AppScene.frames(name, rounds: requested))
    exit(0)
}
if (5...6).contains(arguments.count), arguments[1] == "capture", let rounds = Int(arguments[4]) {
    print(
        try CaptureScene.run(
            arguments[2], work: arguments[3], rounds: rounds,
            leaf: arguments.count == 6 ? Int(arguments[5]) ?? 0 : 0))
    exit(0)
}
guard (2...3).contains(arguments.count), let chosen = measurements[arguments[1]],
    arguments.count == 2 || (requested ?? -1) >= 0
else {
    FileHandle.standardError.write(
        Data(
            "usage: engine-bench \(measurements.keys.sorted().joined(separator: "|")) [ROUNDS]\n"
                .utf8))
    exit(64)
}
do {
    print(try chosen.measure(requested ?? chosen.rounds))
} catch {
    FileHandle.standardError.write(Data("engine-bench: \(error)\n".utf8))
    exit(1)
}
