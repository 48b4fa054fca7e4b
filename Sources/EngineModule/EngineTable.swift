public import JSON

/// The open scenes of a module by handle, and the answer of the last call.
public struct EngineTable {
    private var scenes: [Int32: EngineScene] = [:]
    private var lastHandle: Int32 = 0
    /// The last answer as JSON in UTF-8.
    public private(set) var output: [UInt8] = []

    /// Makes a table without scenes.
    public init() {}

    /// Opens a document.
    ///
    /// - Returns: The scene's handle, above 0; 0 if there is none, and the answer says why.
    public mutating func open(_ document: [UInt8], device: String, budget: UInt64) -> Int32 {
        keep(EngineScene.open(document, device: device, budget: budget))
    }

    /// Opens the scene of a server's record.
    ///
    /// - Returns: As `open`.
    public mutating func restore(_ record: [UInt8], budget: UInt64) -> Int32 {
        keep(EngineScene.restore(record, budget: budget))
    }

    /// Opens a scene with the state of another one.
    ///
    /// - Returns: As `open`.
    public mutating func fork(_ handle: Int32, budget: UInt64) -> Int32 {
        guard let scene = scenes[handle] else {
            putClosed()
            return 0
        }
        return keep(scene.fork(budget: budget))
    }

    private mutating func keep(_ opened: (scene: EngineScene?, answer: JSONValue)) -> Int32 {
        put(opened.answer)
        guard let scene = opened.scene else { return 0 }
        lastHandle += 1
        scenes[lastHandle] = scene
        return lastHandle
    }

    /// Asks an open scene.
    ///
    /// - Returns: False for a handle that is not open; the answer says so.
    public mutating func ask(_ handle: Int32, _ question: (EngineScene) -> JSONValue) -> Bool {
        guard let scene = scenes[handle] else {
            putClosed()
            return false
        }
        put(question(scene))
        return true
    }

    /// Closes a scene and frees what it held; a handle that is not open is ignored.
    public mutating func close(_ handle: Int32) { scenes[handle] = nil }

    /// Open scenes.
    public var count: Int { scenes.count }

    private mutating func putClosed() {
        put(
            .object([
                JSONMember(
                    "error",
                    .object([
                        JSONMember("code", .string("closed")),
                        JSONMember("message", .string("the scene is closed")),
                    ]))
            ]))
    }

    private mutating func put(_ answer: JSONValue) {
        output.removeAll(keepingCapacity: output.capacity < 1 << 20)
        answer.append(to: &output)
    }
}
