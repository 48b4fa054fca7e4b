import SceneDocument

/// The views whose interactions may have changed.
public struct InteractionMarks: Sendable, Equatable {
    /// The views, each once, in the order of their changes; some of them may have been removed.
    public private(set) var ids: [String] = []
    /// Whether it is all views, including removed ones: the scene was replaced.
    public private(set) var isEverything = false

    /// Whether no view is marked.
    public var isEmpty: Bool { ids.isEmpty && !isEverything }

    /// Marks of a new scene.
    static let everything = {
        var marks = InteractionMarks()
        marks.isEverything = true
        return marks
    }()

    /// Marks of some views, each once.
    static func views(_ ids: [String]) -> InteractionMarks {
        var marks = InteractionMarks()
        marks.ids = ids
        return marks
    }

    fileprivate mutating func append(_ id: String) { ids.append(id) }
}

/// Collects `InteractionMarks`.
struct InteractionLog {
    private var marks = InteractionMarks.everything
    private var known: Set<String> = []

    /// With more marks than a scene has views, everything is marked.
    private static let maximum = Limits.standard.viewMaximum

    mutating func mark(_ id: String) {
        guard !marks.isEverything, known.insert(id).inserted else { return }
        marks.append(id)
        if marks.ids.count > Self.maximum { markEverything() }
    }

    mutating func markEverything() {
        marks = .everything
        known = []
    }

    mutating func take() -> InteractionMarks {
        guard !marks.isEmpty else { return marks }
        defer {
            marks = InteractionMarks()
            known = []
        }
        return marks
    }
}
