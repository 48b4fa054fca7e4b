/// Why a message cannot be applied to a mirror. After any of them the mirror waits for a snapshot.
public enum MirrorError: Error, Equatable, Sendable {
    /// The mirror holds nothing to apply this to.
    case noSnapshot
    /// A chunk that does not follow the last one.
    case unexpectedChunk(index: UInt32, expected: UInt32)
    /// The frame builds on another tick than the mirror's.
    case wrongBase(tick: UInt64, mirrorTick: UInt64)
    /// A tree or content change of a tick that is over.
    case staleTick(tick: UInt64, mirrorTick: UInt64)
    /// No view has this number.
    case unknownView(ViewNumber)
    /// The number is in use.
    case duplicateNumber(ViewNumber)
    /// The name is in use.
    case duplicateID(String)
    /// The first view has a superview, another one has none, or the root is moved or removed.
    case misplacedRoot
    /// A view would be its own ancestor.
    case cycle(ViewNumber)
    /// A place beyond the last sibling.
    case invalidIndex(UInt32)
    /// A slot that holds nothing, or whose mask does not fit the deltas.
    case unknownSlot(UInt8)
    /// A selection without views, or with unordered ones.
    case malformedSelection
    /// A frame that changes more views than there are, so some of them twice.
    case tooManyChanges
    /// More animations at one time than are kept.
    case tooManyAnimations(maximum: Int)
    /// A keyframe that does not name every view once.
    case malformedNumbering
    /// More views than the limits allow.
    case tooManyViews(maximum: Int)
    /// The state is not the sender's.
    case hashMismatch(tick: UInt64, expected: UInt64, actual: UInt64)
}

/// A view's rectangle in the coordinates of the root, in units. Wider than 32 bits, as origins add
/// up.
public struct AbsoluteFrame: Hashable, Sendable {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// Horizontal extent.
    public var width: Int
    /// Vertical extent.
    public var height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension MirrorError {
    /// The error's name, which the test vectors use; see SPEC.md, section 11.2.
    public var code: String {
        switch self {
        case .noSnapshot: "no-snapshot"
        case .unexpectedChunk: "unexpected-chunk"
        case .wrongBase: "wrong-base"
        case .staleTick: "stale-tick"
        case .unknownView: "unknown-view"
        case .duplicateNumber: "duplicate-number"
        case .duplicateID: "duplicate-id"
        case .misplacedRoot: "misplaced-root"
        case .cycle: "cycle"
        case .invalidIndex: "invalid-index"
        case .unknownSlot: "unknown-slot"
        case .malformedSelection: "malformed-selection"
        case .tooManyChanges: "too-many-changes"
        case .tooManyAnimations: "too-many-animations"
        case .malformedNumbering: "malformed-numbering"
        case .tooManyViews: "too-many-views"
        case .hashMismatch: "hash-mismatch"
        }
    }
}
