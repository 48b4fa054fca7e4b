import CMalloc
import Foundation
import MeasuredRoom
import Measuring
import SceneSession

// devices-bench NAME measures one thing and prints its figures, so that a process does nothing else
// Names: see `measurements`. Seconds are of processor time.

/// Seconds from an op to the encoded frames of all devices, the editor's main one among them.
///
/// - Parameters:
///   - watched: Devices besides the main one.
///   - named: Devices that the document names, whether anybody watches there or not.
///   - constraint: Whose constant changes.
/// - Returns: The median of the rounds, and their mean, in which what is said once a second has its
///   share.
func edits(watched: Int, named: Int = 0, constraint: String, rounds: Int) throws -> [Double] {
    let room = try Room(MeasuredScene.document(devices: named))
    for number in 0..<watched { room.watch(width: 400 + 40 * number) }
    room.runUntilIdle()
    func constant(_ round: Int) -> Double {
        constraint == "divider" ? Double(150 + round * 7 % 60) : Double(-8 - round * 7 % 50)
    }
    for round in 0..<50 {
        room.setConstant(constraint, constant(round))
        room.runTick()
        room.acknowledge()
    }
    let before = room.payloadCount
    var seconds: [Double] = []
    for round in 0..<rounds {
        let value = constant(50 + round)
        let start = processorTime()
        room.setConstant(constraint, value)
        room.runTick()
        seconds.append(processorTime() - start)
        room.acknowledge()
    }
    precondition(
        room.payloadCount >= before + rounds * (watched + 1), "a frame leaves for each device")
    return [seconds.sorted()[rounds / 2], seconds.reduce(0, +) / Double(rounds)]
}

/// Seconds of an op, its tick and the acknowledgements of 1,000 viewers who see the scene in so
/// many different parts.
func sights(_ count: Int) throws -> [Double] {
    let room = try Room(MeasuredScene.document())
    for number in 0..<1000 { room.watch(seeing: ["*", "!r\(490 + number % count)"]) }
    room.runUntilIdle()
    func round(_ number: Int) {
        room.setConstant("divider", Double(150 + number * 7 % 60))
        room.runTick()
        room.acknowledge()
    }
    for number in 0..<20 { round(number) }
    let before = room.payloadCount
    let start = processorTime()
    let rounds = 200
    for number in 0..<rounds { round(20 + number) }
    let seconds = processorTime() - start
    precondition(room.payloadCount >= before + rounds * count, "a frame leaves for each part")
    return [seconds / Double(rounds)]
}

/// Bytes of one device more, live and frozen.
func memory() throws -> [Double] {
    let (rooms, devices) = (8, 4)
    func resident() -> Double {
        giveFreeMemoryBack()
        return residentBytes()
    }
    func make(_ count: Int) throws -> [Room] {
        try (0..<count).map { _ in
            let room = try Room(MeasuredScene.document())
            room.runUntilIdle()
            return room
        }
    }
    // What the first of its kind brings along counts for the program.
    let first = try make(1)
    for room in first {
        room.watch(width: 500)
        room.runUntilIdle()
        room.freeze()
    }
    // Twice the same rooms, one time with devices, so that what a room keeps for itself is not
    // counted.
    let start = resident()
    let plain = try make(rooms)
    let plainLive = resident() - start
    for room in plain { room.freeze() }
    let plainFrozen = resident() - start
    let next = resident()
    let watched = try make(rooms)
    for room in watched {
        for number in 0..<devices { room.watch(width: 400 + 40 * number) }
        room.runUntilIdle()
    }
    let live = resident() - next
    for room in watched { room.freeze() }
    let frozen = resident() - next
    defer { withExtendedLifetime((first, plain, watched)) {} }
    let count = Double(rooms * devices)
    return [(live - plainLive) / count, (frozen - plainFrozen) / count]
}

/// What a device leaves behind once nobody watches on it any more: bytes after 200 devices have
/// come and gone, one at a time, for each.
func left() throws -> [Double] {
    let room = try Room(MeasuredScene.document())
    func pass(_ count: Int) {
        for number in 0..<count {
            room.watch(width: 300 + number)
            room.runUntilIdle()
            room.leaveAll()
            room.pause()
        }
        giveFreeMemoryBack()
    }
    pass(50)
    let before = residentBytes()
    pass(200)
    return [(residentBytes() - before) / 200]
}

/// Seconds from a hello with a size that nobody has to the state on it, and from a window's
/// resizing.
func question() throws -> [Double] {
    let room = try Room(MeasuredScene.document())
    room.runUntilIdle()
    let rounds = 20
    var joining = 0.0
    for round in 0..<rounds {
        let before = room.payloadCount
        let start = processorTime()
        room.watch(width: 640 + round * 8, height: 480)
        joining += processorTime() - start
        precondition(room.payloadCount >= before + 3, "a welcome, a device and its state")
        room.leaveAll()
        room.pause()
    }
    let member = room.watch(width: 300)
    room.runUntilIdle()
    var resizing = 0.0
    for round in 0..<rounds {
        let before = room.payloadCount
        let start = processorTime()
        room.resize(member, width: 640 + round * 8, height: 480)
        room.runTick()
        resizing += processorTime() - start
        precondition(room.payloadCount >= before + 2, "a device and its state")
        room.pause()
    }
    return [joining, resizing].map { $0 / Double(rounds) }
}

/// Eight devices and nothing else, for a look into the heap from outside.
func heap() throws -> [Double] {
    let room = try Room(MeasuredScene.document())
    for number in 0..<8 { room.watch(width: 400 + 40 * number) }
    room.runUntilIdle()
    giveFreeMemoryBack()
    defer { withExtendedLifetime(room) {} }
    return [residentBytes()]
}

let measurements: [String: () throws -> [Double]] = [
    "one-row-0": { try edits(watched: 0, constraint: "w0", rounds: 2000) },
    "one-row-0-of-8": { try edits(watched: 0, named: 8, constraint: "w0", rounds: 2000) },
    "one-row-8": { try edits(watched: 8, constraint: "w0", rounds: 1000) },
    "divider-0": { try edits(watched: 0, constraint: "divider", rounds: 1000) },
    "divider-8": { try edits(watched: 8, constraint: "divider", rounds: 500) },
    "sights-1": { try sights(1) },
    "sights-5": { try sights(5) },
    "memory": memory,
    "left": left,
    "heap": heap,
    "question": question,
]

let arguments = CommandLine.arguments
guard arguments.count == 2, let measure = measurements[arguments[1]] else {
    FileHandle.standardError.write(
        Data("usage: devices-bench \(measurements.keys.sorted().joined(separator: "|"))\n".utf8))
    exit(64)
}
do {
    print(try measure().map { "\($0)" }.joined(separator: " "))
} catch {
    FileHandle.standardError.write(Data("devices-bench: \(error)\n".utf8))
    exit(1)
}
