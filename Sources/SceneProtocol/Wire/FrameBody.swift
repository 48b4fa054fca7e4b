/// The changes of one frame diff: groups of views that change alike, and rows of views that change alone.
///
/// No view occurs twice. Groups are in the order of their number of deltas.
public struct FrameBody: Sendable, Equatable {
    /// Views that change by the same deltas.
    public struct Group: Sendable, Equatable {
        /// Which views.
        public enum Source: Sendable, Equatable {
            /// Those of a remembered selection.
            case cited(slot: UInt8)
            /// Those listed here, which go to the ring's next slot when `stores`.
            case new(Selection, stores: Bool)
        }

        /// Which views.
        public var source: Source
        /// What is added (modulo 2^32) to each number that the mask names, in the order x, y, width, height.
        public var deltas: [Int32]

        /// Makes a group.
        public init(source: Source, deltas: [Int32]) {
            self.source = source
            self.deltas = deltas
        }
    }

    /// One view.
    public struct Row: Sendable, Equatable {
        /// Which view; rows are in ascending order.
        public var number: UInt32
        /// What changes.
        public var mask: FieldMask
        /// As in a group.
        public var deltas: [Int32]

        /// Makes a row.
        public init(number: UInt32, mask: FieldMask, deltas: [Int32]) {
            self.number = number
            self.mask = mask
            self.deltas = deltas
        }
    }

    /// The groups.
    public var groups: [Group]
    /// The rows.
    public var rows: [Row]

    /// Makes a body.
    public init(groups: [Group] = [], rows: [Row] = []) {
        self.groups = groups
        self.rows = rows
    }

    /// Whether nothing changes.
    public var isEmpty: Bool { groups.isEmpty && rows.isEmpty }
}

/// A view whose frame changed.
public struct FrameChange: Sendable, Equatable {
    /// The view.
    public var number: ViewNumber
    /// As the receivers have it.
    public var old: QuantisedFrame
    /// As it is to be.
    public var new: QuantisedFrame

    /// Makes a change.
    public init(number: ViewNumber, old: QuantisedFrame, new: QuantisedFrame) {
        self.number = number
        self.old = old
        self.new = new
    }
}

/// How a frame changes: the deltas that are not zero.
struct FrameDelta: Hashable {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32

    init(from old: QuantisedFrame, to new: QuantisedFrame) {
        x = new.x &- old.x
        y = new.y &- old.y
        width = new.width &- old.width
        height = new.height &- old.height
    }

    /// - Parameter deltas: As many as the mask has bits.
    init(mask: FieldMask, deltas: [Int32]) {
        var rest = deltas[...]
        x = mask.contains(.x) ? rest.popFirst() ?? 0 : 0
        y = mask.contains(.y) ? rest.popFirst() ?? 0 : 0
        width = mask.contains(.width) ? rest.popFirst() ?? 0 : 0
        height = mask.contains(.height) ? rest.popFirst() ?? 0 : 0
    }

    var mask: FieldMask {
        var mask: FieldMask = []
        if x != 0 { mask.insert(.x) }
        if y != 0 { mask.insert(.y) }
        if width != 0 { mask.insert(.width) }
        if height != 0 { mask.insert(.height) }
        return mask
    }

    var deltas: [Int32] { [x, y, width, height].filter { $0 != 0 } }

    func applied(to frame: QuantisedFrame) -> QuantisedFrame {
        QuantisedFrame(
            x: frame.x &+ x, y: frame.y &+ y, width: frame.width &+ width,
            height: frame.height &+ height)
    }

    /// Spreads the four numbers over 64 bits, for a table of our own whose order is the same in every process.
    var hash: UInt64 {
        var hash = UInt64(UInt32(bitPattern: x)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ UInt64(UInt32(bitPattern: y))) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ UInt64(UInt32(bitPattern: width))) &* 0x94D0_49BB_1331_11EB
        hash = (hash ^ UInt64(UInt32(bitPattern: height))) &* 0x9E37_79B9_7F4A_7C15
        return hash ^ hash >> 32
    }
}
