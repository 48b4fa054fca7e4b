import Foundation
import SceneDocument
import SceneWire
import TerminalViewer

// What the terminal viewer's benchmark measures; `Benchmarks/terminal/run` runs it and compares.
//
//   frame MOVING [FILE] microseconds of CPU and bytes a frame, from a mirror; bytes of the
//   protocol; microseconds of the
//                         first that went from the finished picture to bytes. FILE gets the bytes
//                             of all frames
//   pictures MOVING FILE the same frames' finished pictures, for peers that draw them drag DOCUMENT
//   bytes a frame of a divider drag, and of redrawing the screen each time live MOVING SECONDS the
//   viewer on its terminal, 60 states a second; CPU and memory on standard error views COUNT
//   SECONDS the viewer on its terminal with a still scene; memory on standard error emit MOVING
//   SECONDS the same pictures for a terminal that something mirrors

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

/// Frames before those that count, the first of which draws the whole screen, and those that count;
/// peers read them from the pictures.
let (warmup, counted) = (60, 600)

func measureFrames(moving: Int, output file: String?) throws {
    let metrics = try metrics()
    var boxes = MovingBoxes(count: 200, moving: moving)
    var mirror = SceneMirror()
    try mirror.apply(boxes.snapshot)
    var renderer = ScreenRenderer(colors: .trueColor)
    var shown: CellGrid?
    var (painting, encoding) = (0, 0)
    var bytes = 0
    var wire = 0
    var all: [UInt8] = []
    for index in 0..<warmup + counted {
        let frame = boxes.next()
        var message: [UInt8] = []
        ServerMessage.frame(frame).encode(to: &message)
        try mirror.apply(frame)
        let start = processorNanoseconds()
        let grid = ScenePainter.paint(
            mirror, metrics: metrics, size: MovingBoxes.grid, fit: .fit(MovingBoxes.grid))
        let painted = processorNanoseconds()
        let output = renderer.bytes(from: shown, to: grid, synchronized: false)
        let end = processorNanoseconds()
        shown = grid
        if file != nil { all += output }
        guard index >= warmup else { continue }
        painting += painted - start
        encoding += end - painted
        bytes += output.count
        // A WebSocket frame from a server has 2 bytes of its own, 4 from 126 bytes on.
        wire += message.count + (message.count < 126 ? 2 : 4)
    }
    func each(_ sum: Int) -> Double { Double(sum) / Double(counted) }
    print(each(painting + encoding) / 1000, each(bytes), each(wire), each(encoding) / 1000)
    if let file { try Data(all).write(to: URL(fileURLWithPath: file)) }
}

/// Writes the pictures of `measureFrames`, as numbers of 32 bits with the lowest byte first:
/// columns, rows, frames, frames before those that count; then each frame's cells row by row, of
/// each its Unicode scalar, its foreground and its background. A colour is 0x01RRGGBB, or 0 for the
/// terminal's own.
///
/// A blank has the foreground of the box whose background it has: it does not show, and a program
/// that draws boxes sets both once for a box. Without it, peers that do not know that it does not
/// show would change colours more often.
func writePictures(moving: Int, to path: String) throws {
    let metrics = try metrics()
    var boxes = MovingBoxes(count: 200, moving: moving)
    var mirror = SceneMirror()
    try mirror.apply(boxes.snapshot)
    var inks: [Color: Color] = [:]
    for record in boxes.snapshot.views {
        if let paper = record.content.background { inks[paper] = record.content.foreground }
    }
    func packed(_ color: Color?) -> UInt32 { color.map { 0x0100_0000 | $0.rgba >> 8 } ?? 0 }
    var data = Data()
    func append(_ value: UInt32) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    let grid = MovingBoxes.grid
    for value in [grid.columns, grid.rows, warmup + counted, warmup] { append(UInt32(value)) }
    for _ in 0..<warmup + counted {
        try mirror.apply(boxes.next())
        let picture = ScenePainter.paint(
            mirror, metrics: metrics, size: grid, fit: .fit(grid))
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = picture[column, row]
                let isBlank = cell.character == " "
                append(cell.character.unicodeScalars.first?.value ?? 0x20)
                append(packed(isBlank ? cell.background.flatMap { inks[$0] } : cell.foreground))
                append(packed(cell.background))
            }
        }
    }
    try data.write(to: URL(fileURLWithPath: path))
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
case ("frame", 1) where arguments.count <= 3:
    try measureFrames(moving: Int(numbers[0]), output: arguments.dropFirst(2).first)
case ("pictures", 1) where arguments.count == 3:
    try writePictures(moving: Int(numbers[0]), to: arguments.last ?? "")
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
        "frame MOVING [FILE] | pictures MOVING FILE | drag DOCUMENT | live MOVING SECONDS | views COUNT SECONDS | emit MOVING SECONDS"
    )
    exit(64)
}
