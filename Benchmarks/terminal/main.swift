import Foundation
import SceneProtocol
import TerminalViewer

// What the terminal viewer's benchmark measures; `Benchmarks/terminal/run` runs it and compares.
//
//   frame MOVING          microseconds of CPU and bytes a frame, from a mirror; bytes of the protocol
//   drag DOCUMENT         bytes a frame of a divider drag, and of redrawing the screen each time
//   live MOVING SECONDS   the viewer on its terminal, 60 states a second; CPU and memory on standard error
//   views COUNT SECONDS   the viewer on its terminal with a still scene; memory on standard error
//   emit MOVING SECONDS   the same pictures for a terminal that something mirrors

/// What all threads of this process have used.
func processorNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func residentKiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
}

func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

func metrics() throws -> SceneMetrics {
    try SceneMetrics(unitsPerPoint: 1, cell: MovingBoxes.cell)
}

func measureFrames(moving: Int) throws {
    let metrics = try metrics()
    var boxes = MovingBoxes(count: 200, moving: moving)
    var mirror = SceneMirror()
    try mirror.apply(boxes.snapshot)
    var renderer = ScreenRenderer(colors: .trueColor)
    var shown: CellGrid?
    var nanoseconds = 0
    var bytes = 0
    var wire = 0
    let (warmup, count) = (60, 600)
    for index in 0..<warmup + count {
        let frame = boxes.next()
        var message: [UInt8] = []
        ServerMessage.frame(frame).encode(to: &message)
        try mirror.apply(frame)
        let start = processorNanoseconds()
        let grid = ScenePainter.paint(
            mirror, metrics: metrics, size: MovingBoxes.grid, fit: .fit(MovingBoxes.grid))
        let output = renderer.bytes(from: shown, to: grid, synchronized: false)
        let end = processorNanoseconds()
        shown = grid
        guard index >= warmup else { continue }
        nanoseconds += end - start
        bytes += output.count
        // A WebSocket frame from a server has 2 bytes of its own, 4 from 126 bytes on.
        wire += message.count + (message.count < 126 ? 2 : 4)
    }
    print(
        Double(nanoseconds) / 1000 / Double(count), Double(bytes) / Double(count),
        Double(wire) / Double(count))
}

func measureDrag(_ path: String) throws {
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    let mirrors = try DividerDrag.mirrors(document: [UInt8](text), steps: 40)
    let metrics = try metrics()
    var renderer = ScreenRenderer(colors: .trueColor)
    var shown: CellGrid?
    var (changed, whole) = (0, 0)
    for mirror in mirrors {
        let grid = ScenePainter.paint(
            mirror, metrics: metrics, size: MovingBoxes.grid, fit: .fit(MovingBoxes.grid))
        if shown != nil {
            changed += renderer.bytes(from: shown, to: grid, synchronized: false).count
            whole +=
                ScreenDiff.bytes(from: nil, to: grid, colors: .trueColor, synchronized: false).count
        } else {
            _ = renderer.bytes(from: nil, to: grid, synchronized: false)
        }
        shown = grid
    }
    print(
        Double(changed) / Double(mirrors.count - 1), Double(whole) / Double(mirrors.count - 1))
}

/// Sleeps until so many seconds of the monotonic clock.
func sleep(until deadline: Double) {
    var time = timespec(
        tv_sec: Int(deadline), tv_nsec: Int((deadline - deadline.rounded(.down)) * 1e9))
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
}

func monotonic() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func showLive(_ boxes: MovingBoxes, seconds: Double, moves: Bool) throws {
    var options = ViewerOptions(colors: .trueColor)
    options.asksTerminal = false
    let application = TerminalApplication(url: "ws://bench/boxes", options: options) { _ in nil }
    let first = boxes.snapshot
    Thread.detachNewThread {
        // What a server does for its clients is done before.
        var boxes = boxes
        let frames = moves ? (0..<Int(seconds * 60)).map { _ in boxes.next() } : []
        var mirror = SceneMirror()
        do {
            try mirror.apply(first)
            application.post(.connection(.live))
            application.post(.mirror(mirror, Welcome()))
            // What starting up takes is not the question.
            let begin = monotonic() + 0.5
            sleep(until: begin)
            let before = processorNanoseconds()
            let pictures = application.pictureCount
            complain("begin")
            var count = 0
            while Double(count) < seconds * 60 {
                if count < frames.count {
                    try mirror.apply(frames[count])
                    application.post(.mirror(mirror, Welcome()))
                }
                count += 1
                sleep(until: begin + Double(count) / 60)
            }
            let used = Double(processorNanoseconds() - before) / 1e9
            complain(
                "\(used / seconds * 100) \(residentKiB()) \(application.pictureCount - pictures)")
        } catch {
            complain("\(error)")
        }
        kill(getpid(), SIGTERM)
    }
    _ = application.run()
}

func emit(moving: Int, seconds: Double) throws {
    let metrics = try metrics()
    var boxes = MovingBoxes(count: 200, moving: moving)
    var mirror = SceneMirror()
    try mirror.apply(boxes.snapshot)
    var renderer = ScreenRenderer(colors: .trueColor)
    var shown: CellGrid?
    let begin = monotonic()
    for index in 0..<Int(seconds * 60) {
        let grid = ScenePainter.paint(
            mirror, metrics: metrics, size: MovingBoxes.grid, fit: .fit(MovingBoxes.grid))
        let output = renderer.bytes(from: shown, to: grid, synchronized: false)
        shown = grid
        FileHandle.standardOutput.write(Data(output))
        try mirror.apply(boxes.next())
        sleep(until: begin + Double(index + 1) / 60)
    }
}

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap { Double($0) }
switch (arguments.first, numbers.count) {
case ("frame", 1): try measureFrames(moving: Int(numbers[0]))
case ("drag", _) where arguments.count == 2: try measureDrag(arguments.last ?? "")
case ("live", 2):
    try showLive(
        MovingBoxes(count: 200, moving: Int(numbers[0])), seconds: numbers[1], moves: true)
case ("views", 2):
    try showLive(
        MovingBoxes(count: Int(numbers[0]), moving: 0), seconds: numbers[1], moves: false)
case ("emit", 2): try emit(moving: Int(numbers[0]), seconds: numbers[1])
default:
    complain(
        "frame MOVING | drag DOCUMENT | live MOVING SECONDS | views COUNT SECONDS | emit MOVING SECONDS"
    )
    exit(64)
}
