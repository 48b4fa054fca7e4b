public import JSON

/// A view's name and a rectangle.
public struct NamedRect: Sendable, Equatable {
    /// The view.
    public var id: String
    /// In its superview's coordinates, in points.
    public var rect: Rect

    /// Makes a pair.
    public init(id: String, rect: Rect) {
        self.id = id
        self.rect = rect
    }
}

/// A view's name and its lines of text.
public struct NamedLines: Sendable, Equatable {
    /// The view.
    public var id: String
    /// What they say, in order.
    public var texts: [String]

    /// Makes a pair.
    public init(id: String, texts: [String]) {
        self.id = id
        self.texts = texts
    }
}

/// What a scenario expects at one point; only what is given is compared.
public struct Expectation: Sendable, Equatable {
    /// What is said about the last refused op.
    public enum Refused: Sendable, Equatable {
        /// Nothing.
        case absent
        /// No op was refused since the last `expect`.
        case none
        /// The last refused op's code.
        case code(RefusalCode)
    }

    /// The device that is looked at; nil for the main one.
    public var device: String?
    /// Model frames, in order.
    public var frames: [NamedRect]?
    /// Animated frames, in order.
    public var presentation: [NamedRect]?
    /// Lines of text, in order.
    public var lines: [NamedLines]?
    /// What the passes called and the engine marked since the last `expect`.
    public var trace: [String]?
    /// The views that were drawn since the last `expect`.
    public var displayed: [String]?
    /// The refusal of the last refused op since the last `expect`.
    public var refused: Refused
    /// The constraints that gave way.
    public var broken: [String]?
    /// The views whose frame is not determined, in preorder.
    public var ambiguous: [String]?
    /// The state hash, 16 hexadecimal digits.
    public var hash: String?

    /// Makes an expectation that compares nothing.
    public init() {
        refused = .absent
    }
}

/// Behaviour as data: a scene, what is done to it, and what is expected then.
public struct Scenario: Sendable, Equatable {
    /// The ops that a view's own code would run.
    public struct Hook: Sendable, Equatable {
        /// The view.
        public var view: String
        /// What its `updateProperties` does.
        public var updateProperties: [Op]
        /// What its `updateConstraints` does.
        public var updateConstraints: [Op]
        /// What its `layoutSubviews` does.
        public var layoutSubviews: [Op]

        /// Makes a hook.
        public init(
            view: String, updateProperties: [Op] = [], updateConstraints: [Op] = [],
            layoutSubviews: [Op] = []
        ) {
            self.view = view
            self.updateProperties = updateProperties
            self.updateConstraints = updateConstraints
            self.layoutSubviews = layoutSubviews
        }
    }

    /// One step.
    public enum Step: Sendable, Equatable {
        /// Takes ops in, as code in one turn of a run loop would.
        case apply(JSONValue, atomic: Bool = false)
        /// Runs that many update cycles.
        case tick(Int)
        /// Compares.
        case expect(Expectation)
    }

    /// A sentence.
    public var name: String
    /// The id of the statement it proves.
    public var statement: String?
    /// A note for people.
    public var note: String?
    /// The scene it begins with.
    public var scene: SceneDocument
    /// Whether loading runs one cycle.
    public var settle: Bool
    /// The views whose lines of the trace count; nil for all.
    public var watch: [String]?
    /// The views' own code, in order.
    public var hooks: [Hook]
    /// What is done.
    public var steps: [Step]

    /// Makes a scenario.
    public init(
        name: String, statement: String? = nil, note: String? = nil, scene: SceneDocument,
        settle: Bool = true, watch: [String]? = nil, hooks: [Hook] = [], steps: [Step]
    ) {
        self.name = name
        self.statement = statement
        self.note = note
        self.scene = scene
        self.settle = settle
        self.watch = watch
        self.hooks = hooks
        self.steps = steps
    }
}
