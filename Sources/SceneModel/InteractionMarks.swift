import SceneProtocol

/// Of which views there may be something new to tell about what people can do with them.
public struct InteractionMarks: Sendable, Equatable {
    /// The views, each named once, in the order in which they came up; some of them may be gone.
    public private(set) var ids: [String] = []
    /// Whether it is all of them, those that are gone included: the scene is another one.
    public private(set) var isEverything = false

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { ids.isEmpty && !isEverything }

    /// Marks of a scene of which nobody knows anything.
    static let everything = {
        var marks = InteractionMarks()
        marks.isEverything = true
        return marks
    }()

    /// Marks of some views, each named once.
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

    /// More than a scene has views is not worth looking at one by one.
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
