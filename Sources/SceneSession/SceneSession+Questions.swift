import SceneDocument
import SceneModel
import SceneWire

/// Answers what members ask about a scene: diagnostics, inspections and traces, gone into as far as
/// a tick allows.
extension SceneSession {
    // MARK: Diagnostics

    /// Sends the diagnostics to members that joined.
    func tellNewReaders() {
        guard diagnosticsBoard.hasNewReaders, let present = diagnostics() else { return }
        send([.diagnostics(present)], to: diagnosticsBoard.takeNewReaders(present))
    }

    func broadcastOwedDiagnostics() {
        guard let due = diagnosticsDueTick, tick >= due else { return }
        broadcastAllDiagnostics()
    }

    func broadcastAllDiagnostics() {
        diagnosticsDueTick = nil
        broadcastDiagnostics()
        broadcastDeviceDiagnostics()
    }

    private func broadcastDiagnostics() {
        let readers = roster.inOrder.filter {
            $0.has(Capability.diagnostics) && $0.phase == .inStep && $0.stream.device == 0
        }
        guard !readers.isEmpty else { return }
        guard let present = diagnostics() else {
            hashDueTick = max(tick + 1, work.questions.solventTick)
            return
        }
        if diagnosticsBoard.isNews(present) { send([.diagnostics(present)], to: readers) }
    }

    /// - Returns: `nil` if the budget for questions does not allow the computation now.
    private func diagnostics() -> Diagnostics? {
        switch scene {
        case .live(let timeline): diagnostics(timeline.model)
        case .frozen(let rest), .spoiled(let rest): rest.diagnostics
        case .lost: Diagnostics()
        }
    }

    /// Returns the diagnostics at the tick of the members' baseline, computed within a question's
    /// budget.
    ///
    /// - Returns: `nil` if the budget for questions does not allow the computation now.
    func diagnostics(_ model: SceneModel) -> Diagnostics? {
        if let known = diagnosticsBoard.known(at: streams.tick) { return known }
        let found = ask(model) { diagnosticsBoard.diagnostics(of: model, tick: streams.tick) }
        guard var diagnostics = found?.answer else { return nil }
        diagnostics.isUnfinished = found?.isWhole == false
        return diagnostics
    }

    // MARK: Questions

    /// Runs a question on the scene and charges its work to the budget for questions.
    ///
    /// - Returns: The answer, and whether it is complete; `nil` if the budget is spent, or if the
    ///   room moves to another thread first.
    func ask<Answer>(
        _ model: SceneModel, _ question: () -> Answer
    ) -> (answer: Answer, isWhole: Bool)? {
        guard work.questions.isSolvent else { return nil }
        let limit = work.questionLimit
        let before = model.work
        let (answer, isWhole) = model.asking(atMost: limit.units, question)
        work.spendOnQuestion(model.work &- before)
        guard isWhole || !limit.isSlice else {
            effects.append(.overran)
            return nil
        }
        return (answer, isWhole)
    }

    // MARK: Inspections

    /// Answers the oldest inspections of members that do not lag, until they have taken a share of
    /// the tick: what waits to be decided comes first in the next one.
    func answerInspections() {
        guard inspections.isAnswerable, work.questions.isSolvent else { return }
        let before = work.questionWork
        let most = work.budget.tick &* Self.inspectionTicks
        var rest: [(member: Member, inspect: Inspect)] = []
        defer { inspections.putBack(rest) }
        for (member, inspect) in inspections.takeForOneTick() {
            guard work.questionWork &- before < work.budget.tick / Self.inspectionShare,
                let main = wake()?.model
            else {
                rest.append((member, inspect))
                continue
            }
            let model = model(of: member, main: main)
            let found = ask(model) {
                model.inspection(
                    of: inspect.views, includesDocument: inspect.wantsDocument,
                    fittings: inspect.fittings?.views ?? [], tick: tick,
                    atMost: min(most, work.slice))
            }
            guard let found else {
                rest.append((member, inspect))
                continue
            }
            guard var answer = found.answer else {
                guard work.slice >= most else {
                    // Where ticks may take longer it may be answered.
                    effects.append(.overran)
                    rest.append((member, inspect))
                    continue
                }
                report(
                    .limit, "what holds these views is too much for one answer; ask about fewer",
                    to: member)
                continue
            }
            answer.stateHash = stream(member.stream)?.stateHash
            send(Inspection.messages(answer, request: inspect.request), to: [member])
        }
    }

    /// One in so many units of a tick's budget is for inspections, the last of which may exceed it.
    private static let inspectionShare: UInt64 = 4
    /// So many times a tick's budget is the most that the views of one inspection may take: all
    /// else of the room waits for it.
    private static let inspectionTicks: UInt64 = 4

    // MARK: Traces

    /// Whether a member traces the passes. Traced rooms are not frozen.
    var isTraced: Bool { roster.inOrder.contains { $0.traced != nil } }

    /// Starts or stops recording the passes on each device as members there trace them. A frozen
    /// scene has no passes to record.
    func followTraces() {
        let traced = Set(roster.inOrder.filter { $0.traced != nil }.map(\.stream.device))
        if case .live(let timeline) = scene {
            traces.follow(timeline.model, isWanted: traced.contains(0))
        }
        for scene in devices.scenes {
            scene.followTraces(traced.contains(scene.id), clock: traces.clock)
        }
    }

    /// Sends tracing members the calls and marks of the tick's passes on their devices.
    ///
    /// - Parameter ops: The duration of the ops on the main device in nanoseconds.
    func sendTraces(_ ops: UInt64?) {
        guard case .live(let timeline) = scene else { return }
        sendTraces(of: timeline.model, device: 0, traces, ops)
        for scene in devices.scenes {
            if let model = scene.model { sendTraces(of: model, device: scene.id, scene.traces, 0) }
        }
    }

    private func sendTraces(
        of model: SceneModel, device: UInt32, _ traces: TraceRecorder, _ ops: UInt64?
    ) {
        var durations = model.takePassDurations()
        durations?.ops = UInt32(clamping: ops ?? 0)
        let messages = traces.takeMessages(tick: tick, durations: durations) {
            roster.inOrder.filter { $0.stream.device == device }
        }
        for (member, message) in messages { send([message], to: [member]) }
    }
}
