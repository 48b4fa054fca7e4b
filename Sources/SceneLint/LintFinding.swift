/// A finding of a rule at a place.
public struct LintFinding: Sendable, Hashable {
    /// The rule.
    public var rule: LintRule
    /// How serious it is.
    public var level: LintLevel
    /// The file, as it was given.
    public var path: String
    /// The line, from 1.
    public var line: Int
    /// The scene's name for people; empty for the file as a whole.
    public var scene: String
    /// The view or constraint in the author's words.
    public var subject: String
    /// The ids that stay the same while the file is edited elsewhere, for baselines.
    public var key: String
    /// The finding, as a sentence without a full stop.
    public var message: String
    /// The devices, languages and text sizes; empty for the canvas.
    public var circumstances: [String] = []
    /// The change that removes the finding, where one is certain.
    public var fix: LintFix?

    /// Creates a finding of the canvas without a fix.
    public init(
        rule: LintRule, level: LintLevel, path: String, line: Int, scene: String, subject: String,
        key: String, message: String
    ) {
        self.rule = rule
        self.level = level
        self.path = path
        self.line = line
        self.scene = scene
        self.subject = subject
        self.key = key
        self.message = message
    }

    /// The message with the scene and the circumstances.
    public var text: String {
        var text = scene.isEmpty ? "" : "\(scene): "
        text += message
        if let first = circumstances.first {
            text += " on \(first)"
            if circumstances.count > 1 { text += " and \(circumstances.count - 1) more" }
        }
        return text
    }

    /// What a baseline remembers: nothing that moves when lines are added.
    public var fingerprint: String { "\(rule.rawValue) \(path) \(key)" }
}

/// A change of some bytes of a file.
public struct LintFix: Sendable, Hashable {
    /// The bytes that are replaced.
    public var bytes: Range<Int>
    /// The bytes in their place.
    public var replacement: [UInt8]
}
