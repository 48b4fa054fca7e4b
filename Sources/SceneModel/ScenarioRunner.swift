import AutoLayout
import JSON
public import SceneDocument
import SceneWire

/// Runs scenarios: behaviour described as data, observed through the model's public interface.
public struct ScenarioRunner {
    /// The result of a scenario: one line for each difference, with its step.
    public struct Report: Sendable, Equatable {
        /// The scenario's name.
        public var name: String
        /// The differences; empty if all values are as expected.
        public var differences: [String]
        /// Whether all values are as expected.
        public var passed: Bool { differences.isEmpty }
    }

    private let scenario: Scenario
    private var model: SceneModel?
    private let log = Log()
    /// The scene on the devices in expectations, which follow the main one.
    private var devices: [(id: String, model: SceneModel, log: Log)] = []
    private var differences: [String] = []

    /// The calls since the last `expect`; shared with the hooks, which run inside the model's
    /// calls.
    private final class Log {
        var trace: [TraceEvent] = []
        var displayed: [String] = []
        var refused: RefusalCode?

        func clear() {
            trace.removeAll()
            displayed.removeAll()
            refused = nil
        }
    }

    /// Runs one scenario from its first step to its last.
    public static func run(_ scenario: Scenario) -> Report {
        var runner = ScenarioRunner(scenario)
        runner.run()
        return Report(name: scenario.name, differences: runner.differences)
    }

    private init(_ scenario: Scenario) {
        self.scenario = scenario
    }

    private mutating func run() {
        load()
        for (index, step) in scenario.steps.enumerated() {
            // Calls during loading belong to an `expect` in the first step only.
            if index == 0 {
                if case .expect = step {
                } else {
                    for log in [log] + devices.map({ $0.log }) { log.clear() }
                }
            }
            switch step {
            case .apply(let ops, let atomic): apply(ops, atomic: atomic)
            case .tick(let count):
                for _ in 0..<count {
                    model?.runCycle()
                    for device in devices { device.model.runCycle() }
                }
            case .expect(let expectation):
                check(expectation, step: index)
                let device = devices.first { $0.id == expectation.device }
                (device?.log ?? log).clear()
            }
        }
    }

    private mutating func load() {
        do {
            let log = log
            let hooks = scenario.hooks
            model = try SceneModel(scenario.scene, settles: scenario.settle) { model in
                Self.prepare(model, hooks, log)
            }
            for id in devicesLookedAt {
                guard let device = scenario.scene.devices.first(where: { $0.id == id }) else {
                    differences.append("the scene has no device \"\(id)\"")
                    continue
                }
                let log = Log()
                let model = try SceneModel(
                    scenario.scene, on: device.viewport, settles: scenario.settle
                ) { model in
                    Self.prepare(model, hooks, log)
                }
                devices.append((id, model, log))
            }
        } catch {
            log.refused = error.code
            guard scenario.steps.contains(where: Self.expectsRefusal) else {
                differences.append("the scene was refused: \(error.message)")
                return
            }
        }
    }

    /// The names of devices in expectations, each once.
    private var devicesLookedAt: [String] {
        var names: [String] = []
        for case .expect(let expectation) in scenario.steps {
            if let name = expectation.device, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func prepare(_ model: SceneModel, _ hooks: [Scenario.Hook], _ log: Log) {
        model.traceHandler = { event in
            log.trace.append(event)
            if event.kind == .draw { log.displayed.append(event.view) }
        }
        install(hooks, in: model, log)
    }

    private static func expectsRefusal(_ step: Scenario.Step) -> Bool {
        if case .expect(let expectation) = step, case .code = expectation.refused { return true }
        return false
    }

    private static func install(_ hooks: [Scenario.Hook], in model: SceneModel, _ log: Log) {
        for hook in hooks {
            guard let node = try? model.node(hook.view) else { continue }
            func run(_ ops: [Op]) -> (() -> Void)? {
                guard !ops.isEmpty else { return nil }
                let model = Unowned(model)
                return {
                    for refusal in model.object.applyInHook(ops) { log.refused = refusal.code }
                }
            }
            node.code = run(hook.updateProperties)
            if let code = node.code {
                node.view.updatePropertiesHook = code
                model.followVariations(node)
            }
            node.view.updateConstraintsHook = run(hook.updateConstraints)
            node.view.layoutSubviewsHook = run(hook.layoutSubviews)
        }
    }

    private mutating func apply(_ value: JSONValue, atomic: Bool) {
        guard let model else { return }
        let ops: [Result<Op, DocumentError>]
        do {
            ops = try Op.parseEach(value)
        } catch {
            log.refused = error.code
            return
        }
        if atomic {
            var parsed: [Op] = []
            for result in ops {
                switch result {
                case .success(let op): parsed.append(op)
                case .failure(let error):
                    log.refused = error.code
                    return
                }
            }
            if let refusal = model.apply(parsed, atomic: true).refusals.last {
                log.refused = refusal.code
            } else {
                follow(parsed)
            }
            return
        }
        for result in ops {
            switch result {
            case .success(.setScene(let document)):
                do {
                    try model.replaceScene(document)
                    Self.install(scenario.hooks, in: model, log)
                    for device in devices {
                        try device.model.replaceScene(document)
                        Self.install(scenario.hooks, in: device.model, device.log)
                    }
                } catch {
                    log.refused = error.code
                }
            case .success(let op):
                if let refusal = model.apply([op]).refusals.last {
                    log.refused = refusal.code
                } else {
                    follow([op])
                }
            case .failure(let error): log.refused = error.code
            }
        }
    }

    /// Applies the ops accepted by the main scene to the devices.
    private func follow(_ ops: [Op]) {
        for device in devices {
            if let refusal = device.model.apply(ops).refusals.last {
                device.log.refused = refusal.code
            }
        }
    }

    // MARK: Comparing

    private mutating func check(_ expectation: Expectation, step: Int) {
        let place = expectation.device.map { ", device \($0)" } ?? ""
        func differ(_ what: String, _ expected: String, _ found: String) -> String {
            "step \(step)\(place): \(what): expected \(expected), found \(found)"
        }
        let device = devices.first { $0.id == expectation.device }
        // A device without a model was reported when the scene was loaded.
        guard expectation.device == nil || device != nil else { return }
        let log = device?.log ?? log
        switch expectation.refused {
        case .absent: break
        case .none:
            if let code = log.refused {
                differences.append(differ("refused", "null", code.rawValue))
            }
        case .code(let code):
            if log.refused != code {
                differences.append(
                    differ("refused", code.rawValue, log.refused?.rawValue ?? "null"))
            }
        }
        guard let model = device?.model ?? model else { return }
        for (what, list, presentation) in [
            ("frames", expectation.frames, false), ("presentation", expectation.presentation, true),
        ] {
            for named in list ?? [] {
                let found =
                    presentation ? model.presentationFrame(of: named.id) : model.frame(of: named.id)
                guard let found else {
                    differences.append(
                        differ("\(what).\(named.id)", Self.text(named.rect), "no such view"))
                    continue
                }
                if !Self.isClose(found, named.rect) {
                    differences.append(
                        differ("\(what).\(named.id)", Self.text(named.rect), Self.text(found)))
                }
            }
        }
        for named in expectation.lines ?? [] {
            let found = model.lines(of: named.id)
            guard found != named.texts else { continue }
            differences.append(
                differ(
                    "lines.\(named.id)", "\(named.texts)", found.map { "\($0)" } ?? "no such view"))
        }
        if let expected = expectation.trace {
            let found = trace(log)
            if found != expected {
                differences.append(differ("trace", "\(expected)", "\(found)"))
            }
        }
        for (what, expected, found) in [
            ("displayed", expectation.displayed, log.displayed),
            ("broken", expectation.broken, model.brokenConstraintIDs),
            (
                "ambiguous", expectation.ambiguous,
                expectation.ambiguous.map { _ in model.ambiguousViewIDs() } ?? []
            ),
        ] {
            if let expected, expected != found {
                differences.append(differ(what, "\(expected)", "\(found)"))
            }
        }
        if let expected = expectation.hash {
            let found = ViewHash.text(model.stateHash)
            if found != expected { differences.append(differ("hash", expected, found)) }
        }
    }

    private func trace(_ log: Log) -> [String] {
        guard let watch = scenario.watch else { return log.trace.map { $0.description } }
        let watched = Set(watch)
        return log.trace.filter { watched.contains($0.view) }.map { $0.description }
    }

    private static func isClose(_ a: Rect, _ b: Rect) -> Bool {
        abs(a.minX - b.minX) <= 1e-5 && abs(a.minY - b.minY) <= 1e-5
            && abs(a.width - b.width) <= 1e-5
            && abs(a.height - b.height) <= 1e-5
    }

    private static func text(_ rect: Rect) -> String {
        "[\(rect.minX), \(rect.minY), \(rect.width), \(rect.height)]"
    }
}
