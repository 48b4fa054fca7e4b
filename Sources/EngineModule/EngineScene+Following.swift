import AutoLayout
public import JSON
import SceneDocument
import SceneModel

/// A scene that repeats a server's records, as `JournalPlayer` repeats a journal: equal to the
/// server's to the bit, tick by tick.
extension EngineScene {
    /// Builds the scene of a record of the kind `snapshot`.
    ///
    /// - Parameter budget: Units of work for the whole call.
    /// - Returns: The scene before the cycle of the record's tick, and the answer of `open`; no
    ///   scene if the record cannot be read.
    public static func restore(
        _ record: [UInt8], budget: UInt64
    ) -> (scene: EngineScene?, answer: JSONValue) {
        do throws(DocumentError) {
            let value = JSONCursor(try value(record))
            let payload = try value.require("payload")
            let snapshot = try SceneSnapshot.parse(payload.require("snapshot").value)
            let rate: Int = try payload.require("tickRate").wholeNumber()
            let tick: UInt64 = try value.require("tick").wholeNumber()
            do throws(Refusal) {
                let model = try SceneModel(snapshot, tickRate: rate, workLimit: budget)
                let scene = EngineScene(model, nextTick: tick)
                return (scene, scene.answer(since: 0))
            } catch {
                return (nil, failure(error))
            }
        } catch {
            return (nil, failure(error))
        }
    }

    /// Copies the scene. The copy's layout is solved from scratch, so ambiguous views may get other
    /// frames.
    public func fork(budget: UInt64) -> (scene: EngineScene?, answer: JSONValue) {
        if let spoiled { return (nil, spoiled) }
        do throws(Refusal) {
            let other = EngineScene(
                try SceneModel(model.snapshot(), tickRate: model.tickRate, workLimit: budget))
            _ = other.model.takeMarks()
            return (other, other.answer(since: 0))
        } catch {
            return (nil, Self.failure(error))
        }
    }

    /// Repeats records up to the cycle of a tick.
    ///
    /// - Parameters:
    ///   - records: A list of records, none of them of the kind `snapshot`.
    ///   - tick: The last tick to run.
    ///   - budget: Units of work for the call.
    /// - Returns: `work`; what cannot be repeated fails, and the scene is no use any more.
    public func follow(_ records: [UInt8], through tick: UInt64, budget: UInt64) -> JSONValue {
        if let spoiled { return spoiled }
        let before = allot(budget)
        do throws(DocumentError) {
            let list = try JSONCursor(try Self.value(records)).list()
            var ticks: [UInt64] = []
            for record in list { ticks.append(try record.require("tick").wholeNumber()) }
            var position = 0
            while nextTick <= tick {
                while position < list.count, ticks[position] <= nextTick {
                    if let refusal = try repeated(list[position]) { return Self.failure(refusal) }
                    position += 1
                }
                runCycle()
                guard !model.isExhausted else {
                    return Self.failure(.tooExpensive, "the server's records take too much work")
                }
                nextTick += 1
                let next = position < list.count ? min(ticks[position], tick + 1) : tick + 1
                if model.isIdle {
                    // Nothing happens in the ticks before the next record.
                    nextTick = max(nextTick, next)
                } else if model.onlyAnimates, next > nextTick {
                    model.skipCycles(Int(clamping: next - nextTick))
                    authors.removeAll()
                    _ = model.takeMarks()
                    nextTick = next
                }
            }
            return answer(since: before)
        } catch {
            return Self.failure(error)
        }
    }

    private func runCycle() {
        if model.hasPendingWork {
            model.runCycle()
            authors.removeAll()
        }
        _ = model.takeMarks()
    }

    /// Repeats one record.
    ///
    /// - Returns: Why that is not possible: it was accepted once, so it was made for another scene.
    private func repeated(_ record: JSONCursor) throws(DocumentError) -> Refusal? {
        switch try record.require("kind").text() {
        case "rebuilt":
            _ = model.rebuildCanonically()
            authors.removeAll()
            return model.restoringFault
        case "batch": break
        default: return nil
        }
        let batch = try record.require("payload")
        guard try batch.member("purpose")?.text() != "layOut" else {
            authors.layOut(model)
            return nil
        }
        let ops = try Op.parseArray(try batch.require("ops").value, path: "ops", maximum: .max)
        let isStep = batch.value["purpose"] != nil
        model.isReplaying = true
        defer { model.isReplaying = false }
        let outcome = authors.perform(
            ops, author: try batch.require("author").text(),
            atomic: isStep || batch.value["atomic"]?.kind == .bool(true), on: model)
        return outcome.refusals.first
    }

    private static func value(_ text: [UInt8]) throws(DocumentError) -> JSONValue {
        guard text.count <= inputMaximum else {
            throw DocumentError(
                code: .limit, message: "\(text.count) bytes, the most are \(inputMaximum)")
        }
        do throws(JSONError) {
            return try JSONReader.read(text, depthMaximum: JSONReader.journalDepthMaximum)
        } catch {
            throw DocumentError(error)
        }
    }
}
