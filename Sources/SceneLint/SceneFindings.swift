import InterfaceBuilder
import LayoutValues
import SceneDocument

/// Collects the findings of one scene; the same finding on several devices is one.
struct SceneFindings {
    private var list: [LintFinding] = []
    private var places: [String: Int] = [:]
    private let scene: LintScene
    private let configuration: LintConfiguration

    init(_ scene: LintScene, _ configuration: LintConfiguration) {
        self.scene = scene
        self.configuration = configuration
    }

    var findings: [LintFinding] { list }

    func checks(_ rule: LintRule) -> Bool { configuration.level(rule) != .off }

    /// Adds a finding.
    ///
    /// - Parameters:
    ///   - key: What tells the finding from others of the rule in the file, besides the items.
    ///   - circumstance: The device, or an empty text for the canvas, which leaves no doubt of
    ///     others.
    mutating func add(
        _ rule: LintRule, _ items: [LintScene.Item], _ message: String,
        circumstance: String = "", fix: LintFix? = nil
    ) {
        let standard = configuration.level(rule)
        guard standard != .off else { return }
        let key = ([scene.id] + items.map(\.id)).joined(separator: " ")
        let place = "\(rule.rawValue) \(key)"
        if let index = places[place] {
            if !circumstance.isEmpty, !list[index].circumstances.isEmpty,
                !list[index].circumstances.contains(circumstance)
            {
                list[index].circumstances.append(circumstance)
            }
            return
        }
        var finding = LintFinding(
            rule: rule, level: standard, path: scene.path,
            line: items.first?.line ?? scene.line, scene: scene.title,
            subject: items.first?.name ?? scene.title, key: key, message: message)
        if !circumstance.isEmpty { finding.circumstances = [circumstance] }
        finding.fix = fix
        places[place] = list.count
        list.append(finding)
    }
}
