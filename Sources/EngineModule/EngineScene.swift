import AutoLayout
import Bytes
public import JSON
import SceneDocument
public import SceneModel
import SceneWire

/// A scene behind an interface of bytes and JSON: documents and ops in, frames and reasons out.
///
/// It is what a program gets that has the engine as a WebAssembly module, and what is compared with
/// such a module. Each call answers with one JSON object; one that failed has the member `error`.
public final class EngineScene {
    /// Bytes of a document or of a list of ops that are read at most: 16 MiB.
    public static let inputMaximum = 1 << 24
    /// Ticks of one call at most.
    public static let tickMaximum = 10_000

    let model: SceneModel
    /// The tick of the next cycle of a scene that repeats a server's records.
    var nextTick: UInt64
    /// Those of its records that no cycle has followed.
    var authors = PendingAuthors()
    /// The frames that `changed` answered with last, by id.
    private var told: [String: Rect] = [:]

    init(_ model: SceneModel, nextTick: UInt64 = 0) {
        self.model = model
        self.nextTick = nextTick
    }

    /// Reads a document and lays it out.
    ///
    /// - Parameters:
    ///   - device: Which of the document's devices to lay it out for; empty for its viewport.
    ///   - budget: Units of work for the whole call.
    /// - Returns: The scene, if there is one, and the answer: `work`, and `errors` if the layout
    ///   did not come to rest.
    public static func open(
        _ document: [UInt8], device: String = "", budget: UInt64
    ) -> (scene: EngineScene?, answer: JSONValue) {
        guard document.count <= inputMaximum else { return (nil, tooLong(document)) }
        let parsed: SceneDocument
        do throws(DocumentError) { parsed = try SceneDocument.parse(document) } catch {
            return (nil, failure(error))
        }
        var screen: DeviceSpec?
        if !device.isEmpty {
            screen = parsed.devices.first { $0.id == device }
            guard screen != nil else {
                return (nil, failure(.badValue, "the document has no device \"\(device)\""))
            }
        }
        do throws(Refusal) {
            let scene = EngineScene(
                try SceneModel(parsed, on: screen?.viewport, workLimit: budget))
            _ = scene.model.takeMarks()
            return (scene, scene.answer(since: 0))
        } catch {
            var refusal = error
            let lines = ConstraintLines(document)
            if !refusal.conflicting.isEmpty {
                refusal.message =
                    "required constraints contradict one another: "
                    + lines.quoted(refusal.conflicting, in: parsed)
            }
            return (nil, failure(refusal, lines))
        }
    }

    // MARK: Changes

    /// Applies ops, which take effect in the layout at the next tick.
    ///
    /// - Parameters:
    ///   - ops: An op, or a list of ops.
    ///   - isAtomic: Whether the list is applied whole or not at all.
    ///   - budget: Units of work for the call.
    /// - Returns: `work`, `frames` of the views that a `layoutIfNeeded` laid out,
    ///   `removedConstraints`, and `refusals`; of an atomic list, `error` in place of refusals.
    public func apply(_ ops: [UInt8], isAtomic: Bool, budget: UInt64) -> JSONValue {
        guard ops.count <= Self.inputMaximum else { return Self.tooLong(ops) }
        if let spoiled { return spoiled }
        let json: JSONValue
        do throws(JSONError) { json = try JSONReader.read(ops) } catch {
            return Self.failure(DocumentError(error))
        }
        var list = json
        if case .object = json.kind { list = .array([json]) }
        let parsed: [Result<Op, DocumentError>]
        do throws(DocumentError) { parsed = try Op.parseEach(list) } catch {
            return Self.failure(error)
        }
        var accepted: [(place: Int, op: Op)] = []
        var refusals: [Refusal] = []
        for (place, result) in parsed.enumerated() {
            switch result {
            case .success(let op): accepted.append((place, op))
            case .failure(let error):
                if isAtomic {
                    var members = Self.members(of: error)
                    members.append(JSONMember("op", .number(Double(place))))
                    return .object([JSONMember("error", .object(members))])
                }
                refusals.append(Refusal(error, opIndex: place))
            }
        }
        let before = allot(budget)
        let outcome = model.apply(accepted.map { $0.op }, atomic: isAtomic)
        let others = outcome.refusals.map { refusal in
            var refusal = refusal
            refusal.opIndex = accepted[refusal.opIndex].place
            return refusal
        }
        if isAtomic || model.isSpoiled, let refusal = others.first { return Self.failure(refusal) }
        refusals = (refusals + others).sorted { $0.opIndex < $1.opIndex }
        var more: [JSONMember] = []
        if !outcome.laidOut.isEmpty {
            more.append(JSONMember("frames", LayoutReport.json(of: outcome.laidOut)))
        }
        if !outcome.removedConstraints.isEmpty {
            more.append(
                JSONMember(
                    "removedConstraints", .array(outcome.removedConstraints.map { .string($0) })))
        }
        if !refusals.isEmpty {
            more.append(JSONMember("refusals", .array(refusals.map { $0.json })))
        }
        return answer(since: before, more)
    }

    /// Runs update cycles: lays out what is pending, and moves animations on by a tick each.
    ///
    /// - Parameters:
    ///   - count: Ticks, 1 to `tickMaximum`.
    ///   - budget: Units of work for the call.
    /// - Returns: `work`, `errors` of layouts that did not come to rest, and whether another tick
    ///   would change something as `isPending`.
    public func tick(_ count: Int, budget: UInt64) -> JSONValue {
        guard 1...Self.tickMaximum ~= count else {
            return Self.failure(.badValue, "ticks are 1 to \(Self.tickMaximum) a call")
        }
        if let spoiled { return spoiled }
        let before = allot(budget)
        for _ in 0..<count {
            model.runCycle()
            _ = model.takeMarks()
            guard !model.isExhausted else {
                return Self.failure(
                    .tooExpensive,
                    "the layout takes more work than is allowed: it was stopped after \(model.work &- before) units"
                )
            }
        }
        return answer(since: before, [JSONMember("isPending", .bool(!model.isIdle))])
    }

    // MARK: Questions

    /// The frames of all views, as `layout --format json` prints them.
    ///
    /// - Parameter budget: Units of work for finding out which views are ambiguous; beyond it the
    ///   remaining ones count as unambiguous, and `isWhole` is false.
    public func frames(budget: UInt64) -> JSONValue {
        if let spoiled { return spoiled }
        let (ambiguous, isWhole) = model.asking(atMost: budget) { model.ambiguousViewIDs() }
        let report = LayoutReport.json(
            frames: model.frames(), ambiguous: ambiguous, broken: model.brokenConstraintIDs)
        guard !isWhole, let members = report.members else { return report }
        return .object(members + [JSONMember("isWhole", .bool(false))])
    }

    /// The frames to draw at this tick that differ from what the last call answered with, and the
    /// views that are gone since; at first all. Animated views are where they are on their way.
    ///
    /// - Returns: `frames` and `removed`.
    /// - Complexity: O(views · depth).
    public func changed() -> JSONValue {
        if let spoiled { return spoiled }
        var now: [String: Rect] = [:]
        var changes: [NamedRect] = []
        for id in model.viewIDs {
            guard let rect = model.presentationFrame(of: id) else { continue }
            now[id] = rect
            if told[id] != rect { changes.append(NamedRect(id: id, rect: rect)) }
        }
        let removed = told.keys.filter { now[$0] == nil }.sorted()
        told = now
        return .object([
            JSONMember("frames", LayoutReport.json(of: changes)),
            JSONMember("removed", .array(removed.map { .string($0) })),
        ])
    }

    /// What is drawn at this tick, as a client of a server gets it.
    ///
    /// - Parameter presentation: Whether views that move are where they are on their way.
    /// - Returns: `snapshot`, a message of the protocol's JSON format whose frames are in units of
    ///   which a point has `unitsPerPoint`; and the viewport's `scale` and `cell`.
    /// - Complexity: O(views).
    public func picture(_ presentation: FramePresentation = .presented) -> JSONValue {
        if let spoiled { return spoiled }
        var snapshot = Snapshot()
        snapshot.views = model.records(presentation)
        snapshot.stateHash = model.stateHash
        let viewport = model.shownViewport
        return .object([
            JSONMember("unitsPerPoint", .number(model.unitsPerPoint)),
            JSONMember("scale", .number(viewport.scale)),
            JSONMember(
                "cell", .array([.number(viewport.cell.width), .number(viewport.cell.height)])),
            JSONMember("snapshot", snapshot.json),
        ])
    }

    /// Why views are where they are: the constraints that hold each, and those that conflict.
    ///
    /// - Parameters:
    ///   - views: The views' ids; of an unknown one nothing is said.
    ///   - budget: Units of work for the call.
    /// - Returns: An inspection, as the protocol's `inspection` has it.
    public func explain(_ views: [String], budget: UInt64) -> JSONValue {
        if let spoiled { return spoiled }
        allot(budget)
        guard
            let found = model.inspection(
                of: views, includesDocument: false, tick: 0, atMost: budget)
        else {
            return Self.failure(
                .tooExpensive, "the explanation takes more than \(budget) units of work")
        }
        return found.json
    }

    /// The scene as a document, which `open` reads again.
    public func document() -> JSONValue {
        if let spoiled { return spoiled }
        return model.document().json
    }

    /// What every view shows in one number, equal for equal scenes: the protocol's state hash, as
    /// `hash`, of 16 hexadecimal digits; and all work so far, as `work`.
    ///
    /// - Complexity: O(views).
    public func hash() -> JSONValue {
        .object([
            JSONMember("hash", .string(ViewHash.text(model.stateHash))),
            JSONMember("work", .number(Double(model.work))),
        ])
    }

    // MARK: Work

    /// A scene that was stopped half-way is no use any more.
    var spoiled: JSONValue? {
        guard model.isSpoiled || model.restoringFault != nil else { return nil }
        return Self.failure(
            .tooExpensive, "the scene was stopped half-way and has to be opened again")
    }

    /// Gives a call its units of work.
    ///
    /// - Returns: The work before it.
    @discardableResult
    func allot(_ budget: UInt64) -> UInt64 {
        let before = model.work
        let (limit, isTooMuch) = before.addingReportingOverflow(budget)
        model.workLimit = isTooMuch ? .max : limit
        return before
    }

    func answer(since before: UInt64, _ more: [JSONMember] = []) -> JSONValue {
        var members = [JSONMember("work", .number(Double(model.work &- before)))] + more
        let errors = model.takeDiagnostics().filter { $0.isError }.map { model.sentence(about: $0) }
        if !errors.isEmpty {
            members.append(JSONMember("errors", .array(errors.map { .string($0) })))
        }
        return .object(members)
    }

    // MARK: Failures

    private static func tooLong(_ input: [UInt8]) -> JSONValue {
        failure(.limit, "\(input.count) bytes, the most are \(inputMaximum)")
    }

    static func failure(_ code: RefusalCode, _ message: String) -> JSONValue {
        failure(Refusal(code: code, message: message))
    }

    /// A refusal; `lines` has the lines of the constraints that conflict.
    static func failure(_ refusal: Refusal, _ lines: ConstraintLines? = nil) -> JSONValue {
        guard let lines, var members = refusal.json.members else {
            return .object([JSONMember("error", refusal.json)])
        }
        let known = refusal.conflicting.compactMap { id in
            lines.line(of: id).map { JSONMember(id, .number(Double($0))) }
        }
        if !known.isEmpty { members.append(JSONMember("lines", .object(known))) }
        return .object([JSONMember("error", .object(members))])
    }

    static func failure(_ error: DocumentError) -> JSONValue {
        .object([JSONMember("error", .object(members(of: error)))])
    }

    private static func members(of error: DocumentError) -> [JSONMember] {
        var members = [
            JSONMember("code", .string(error.code.rawValue)),
            JSONMember("message", .string(error.description)),
        ]
        if let line = error.line { members.append(JSONMember("line", .number(Double(line)))) }
        if let column = error.column {
            members.append(JSONMember("column", .number(Double(column))))
        }
        if !error.path.isEmpty { members.append(JSONMember("path", .string(error.path))) }
        if let id = error.id { members.append(JSONMember("id", .string(id))) }
        return members
    }
}
