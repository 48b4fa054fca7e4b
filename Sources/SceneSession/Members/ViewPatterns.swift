import ConstraintLanguage

/// Names a part of a scene: `sidebar` is that view, `sidebar/*` everything below it, `*`
/// everything, and `!secrets` everything but that view and what is below it. The last pattern that
/// matches a view decides; a list that begins with an exception leaves everything else in.
public struct ViewPatterns: Sendable, Hashable {
    /// The most patterns of a list.
    public static let maximum = 64

    private struct Pattern: Sendable, Hashable {
        var isException: Bool
        /// `nil` for every view.
        var view: String?
        var includesView: Bool
        var includesSubviews: Bool

        init?(_ text: String) {
            isException = text.hasPrefix("!")
            var rest = isException ? text.dropFirst() : text[...]
            if rest == "*" {
                (view, includesView, includesSubviews) = (nil, true, true)
                return
            }
            let isBelow = rest.hasSuffix("/*")
            if isBelow { rest = rest.dropLast(2) }
            guard Identifier.isValid(String(rest)) else { return nil }
            view = String(rest)
            includesView = !isBelow
            includesSubviews = isBelow || isException
        }

        func matches(_ path: [String]) -> Bool {
            guard let view else { return true }
            return includesView && path.first == view
                || includesSubviews && path.dropFirst().contains(view)
        }
    }

    private let patterns: [Pattern]
    /// The patterns as they were written.
    public let texts: [String]

    /// Reads a list of patterns.
    ///
    /// - Returns: `nil` if there are none, more than `maximum`, or one that is none.
    public init?(_ texts: [String]) {
        guard (1...Self.maximum).contains(texts.count) else { return nil }
        var patterns: [Pattern] = []
        for text in texts {
            guard let pattern = Pattern(text) else { return nil }
            patterns.append(pattern)
        }
        self.patterns = patterns
        self.texts = texts
    }

    /// Whether the patterns include a view.
    ///
    /// - Parameter path: The ids from the view to the root.
    public func includes(_ path: [String]) -> Bool {
        patterns.last { $0.matches(path) }.map { !$0.isException }
            ?? (patterns.first?.isException ?? false)
    }

    /// Decides about a view in a walk from the root down, without its path.
    ///
    /// - Parameters:
    ///   - id: The view.
    ///   - above: What the same call for its superview returned; -1 for the root.
    /// - Returns: Whether the patterns include it, and what its subviews are decided with.
    /// - Complexity: O(patterns).
    func decide(_ id: String, above: Int) -> (isIncluded: Bool, below: Int) {
        var (deciding, below) = (above, above)
        for (index, pattern) in patterns.enumerated() {
            guard let view = pattern.view else {
                (deciding, below) = (max(deciding, index), max(below, index))
                continue
            }
            guard view == id else { continue }
            if pattern.includesView { deciding = max(deciding, index) }
            if pattern.includesSubviews { below = max(below, index) }
        }
        let isIncluded =
            deciding < 0
            ? patterns.first?.isException ?? false : !patterns[deciding].isException
        return (isIncluded, below)
    }

    /// Whether the patterns include a view and everything that is or may come to be below it.
    ///
    /// - Parameter pathOf: The ids from a view to the root; `nil` for an unknown view.
    public func includesAll(of path: [String], pathOf: (String) -> [String]?) -> Bool {
        guard let view = path.first, includes(path) else { return false }
        // Any view to come, whose name no pattern has.
        guard includes([""] + path) else { return false }
        return patterns.allSatisfy { pattern in
            guard pattern.isException, let name = pattern.view, let other = pathOf(name) else {
                return true
            }
            return !other.contains(view) || includes(other)
        }
    }
}

/// What a member may do beyond its role, in which parts of the scene.
public struct MemberRights: Sendable, Equatable {
    /// The views that it is told of, and may change or handle; `nil` for all.
    public var see: ViewPatterns?
    /// The views that it may change; `nil` for all.
    public var edit: ViewPatterns?
    /// The views whose events it may handle; `nil` for all.
    public var handle: ViewPatterns?
    /// Whether it may break others' locks and remove others' comments.
    public var isAdministrator = false

    /// Makes the rights of a role alone.
    public init() {}

    /// The rights as a line of text for another node; empty for those of a role alone.
    public var text: String {
        var parts: [String] = []
        if isAdministrator { parts.append("a") }
        if let see { parts.append("s " + see.texts.joined(separator: " ")) }
        if let edit { parts.append("e " + edit.texts.joined(separator: " ")) }
        if let handle { parts.append("h " + handle.texts.joined(separator: " ")) }
        return parts.joined(separator: ",")
    }

    /// Reads what `text` wrote; `nil` for any other text.
    public init?(text: String) {
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ").map(String.init)
            switch words.first {
            case "a" where words.count == 1: isAdministrator = true
            case "s":
                guard let patterns = ViewPatterns(Array(words.dropFirst())) else { return nil }
                see = patterns
            case "e":
                guard let patterns = ViewPatterns(Array(words.dropFirst())) else { return nil }
                edit = patterns
            case "h":
                guard let patterns = ViewPatterns(Array(words.dropFirst())) else { return nil }
                handle = patterns
            default: return nil
            }
        }
    }
}
