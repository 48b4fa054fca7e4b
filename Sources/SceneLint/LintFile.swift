/// A file that was read, whose scenes are checked one by one, in any order and on any thread.
public struct LintFile: Sendable {
    private let linter: Linter
    private let scenes: [Linter.SceneReader]
    /// What reading the file came to.
    private let start: LintReport

    init(linter: Linter, scenes: [Linter.SceneReader], report: LintReport) {
        self.linter = linter
        self.scenes = scenes
        start = report
    }

    /// The number of scenes to check.
    public var sceneCount: Int { scenes.count }

    /// Checks a scene.
    ///
    /// - Parameter index: 0 to `sceneCount` - 1.
    /// - Returns: The findings; `nil` for a scene that cannot be laid out.
    /// - Complexity: O(devices · directions · text sizes · languages) layouts.
    public func check(_ index: Int) -> [LintFinding]? { scenes[index]().map(linter.check) }

    /// Puts the findings of all scenes together, by line.
    ///
    /// - Parameter findings: What `check(_:)` returned of each scene.
    public func report(_ findings: [[LintFinding]?]) -> LintReport {
        var report = start
        for case let found? in findings {
            report.sceneCount += 1
            report.findings += found
        }
        report.findings.sort {
            ($0.path, $0.line, $0.rule.rawValue, $0.key) < (
                $1.path, $1.line, $1.rule.rawValue, $1.key
            )
        }
        return report
    }
}
