#if hasFeature(Embedded)
import JSON

// The functions of the WebAssembly module. Texts are UTF-8 in linear memory: the caller gets room
// for them by `engine_allocate`, and the function that it passes them to frees it. The answer of a
// call is one JSON object at `engine_output`, `engine_outputCount` bytes long, until the next call.
// Budgets are units of work; what is no number, or below 0, is none at all.

/// Used by one thread, as the whole module is.
nonisolated(unsafe) private var table = EngineTable()

/// Makes room for a text that a call is to read, which frees it.
@_cdecl("engine_allocate")
public func allocate(_ byteCount: Int32) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: Int(max(1, byteCount)), alignment: 8)
}

/// The answer of the last call; valid until the next.
@_cdecl("engine_output")
public func output() -> UnsafeRawPointer? {
    unsafe table.output.withUnsafeBytes { unsafe $0.baseAddress }
}

/// Bytes of the answer of the last call.
@_cdecl("engine_outputCount")
public func outputCount() -> Int32 { Int32(clamping: unsafe table.output.count) }

/// `EngineTable.open`: a handle above 0, or 0 and an answer that says why.
@_cdecl("engine_open")
public func open(
    _ document: UnsafeMutableRawPointer, _ byteCount: Int32, _ device: UnsafeMutableRawPointer,
    _ deviceByteCount: Int32, _ budget: Double
) -> Int32 {
    let document = take(document, byteCount)
    let device = String(decoding: take(device, deviceByteCount), as: UTF8.self)
    return unsafe table.open(document, device: device, budget: units(budget))
}

/// `EngineScene.apply`; an atomic list if `isAtomic` is not 0.
@_cdecl("engine_apply")
public func apply(
    _ handle: Int32, _ ops: UnsafeMutableRawPointer, _ byteCount: Int32, _ isAtomic: Int32,
    _ budget: Double
) {
    let ops = take(ops, byteCount)
    _ = unsafe table.ask(handle) {
        $0.apply(ops, isAtomic: isAtomic != 0, budget: units(budget))
    }
}

/// `EngineScene.tick`.
@_cdecl("engine_tick")
public func tick(_ handle: Int32, _ count: Int32, _ budget: Double) {
    _ = unsafe table.ask(handle) { $0.tick(Int(count), budget: units(budget)) }
}

/// `EngineScene.frames`.
@_cdecl("engine_frames")
public func frames(_ handle: Int32, _ budget: Double) {
    _ = unsafe table.ask(handle) { $0.frames(budget: units(budget)) }
}

/// `EngineScene.changed`.
@_cdecl("engine_changed")
public func changed(_ handle: Int32) { _ = unsafe table.ask(handle) { $0.changed() } }

/// `EngineScene.explain`.
///
/// - Parameter views: Ids, each on a line.
@_cdecl("engine_explain")
public func explain(
    _ handle: Int32, _ views: UnsafeMutableRawPointer, _ byteCount: Int32, _ budget: Double
) {
    let views = String(decoding: take(views, byteCount), as: UTF8.self)
        .split(separator: "\n").map { String($0) }
    _ = unsafe table.ask(handle) { $0.explain(views, budget: units(budget)) }
}

/// `EngineScene.picture`; of the end of all animations if `isSettled` is not 0.
@_cdecl("engine_picture")
public func picture(_ handle: Int32, _ isSettled: Int32) {
    _ = unsafe table.ask(handle) { $0.picture(isSettled != 0 ? .model : .presented) }
}

/// `EngineScene.document`.
@_cdecl("engine_document")
public func document(_ handle: Int32) { _ = unsafe table.ask(handle) { $0.document() } }

/// `EngineScene.hash`.
@_cdecl("engine_hash")
public func hash(_ handle: Int32) { _ = unsafe table.ask(handle) { $0.hash() } }

/// `EngineTable.restore`.
@_cdecl("engine_restore")
public func restore(
    _ record: UnsafeMutableRawPointer, _ byteCount: Int32, _ budget: Double
) -> Int32 {
    unsafe table.restore(take(record, byteCount), budget: units(budget))
}

/// `EngineTable.fork`.
@_cdecl("engine_fork")
public func fork(_ handle: Int32, _ budget: Double) -> Int32 {
    unsafe table.fork(handle, budget: units(budget))
}

/// `EngineScene.follow`.
@_cdecl("engine_follow")
public func follow(
    _ handle: Int32, _ records: UnsafeMutableRawPointer, _ byteCount: Int32, _ tick: Double,
    _ budget: Double
) {
    let records = take(records, byteCount)
    _ = unsafe table.ask(handle) {
        $0.follow(records, through: units(tick), budget: units(budget))
    }
}

/// `EngineTable.close`.
@_cdecl("engine_close")
public func close(_ handle: Int32) { unsafe table.close(handle) }

private func take(_ bytes: UnsafeMutableRawPointer, _ byteCount: Int32) -> [UInt8] {
    defer { unsafe bytes.deallocate() }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(max(0, byteCount))))
}

private func units(_ budget: Double) -> UInt64 {
    budget >= 0x1p64 ? .max : budget > 0 ? UInt64(budget) : 0
}
#endif
