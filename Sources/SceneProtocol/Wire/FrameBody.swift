/// The changes of one frame diff: groups of views that change alike, rows of views that change alone, and rows that
/// say the new values themselves where those are shorter than how far they are from the old ones.
///
/// No view occurs twice. Of the groups the citations come first, in the order of their slots.
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
        public var deltas: FieldDeltas

        /// The slot of a citation.
        var slot: UInt8? {
            if case .cited(let slot) = source { slot } else { nil }
        }

        /// Makes a group.
        public init(source: Source, deltas: FieldDeltas) {
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
        /// As in a group; in an absolute row the new values.
        public var deltas: FieldDeltas

        /// Makes a row.
        public init(number: UInt32, mask: FieldMask, deltas: FieldDeltas) {
            self.number = number
            self.mask = mask
            self.deltas = deltas
        }
    }

    /// The groups.
    public var groups: [Group]
    /// Whether the deltas of citations are to be added to those that their slots were used with last.
    public var citesDifferences = false
    /// The rows.
    public var rows: [Row]
    /// The rows whose `deltas` are the new values.
    public var absoluteRows: [Row]

    /// Makes a body.
    public init(groups: [Group] = [], rows: [Row] = [], absoluteRows: [Row] = []) {
        self.groups = groups
        self.rows = rows
        self.absoluteRows = absoluteRows
    }

    /// Whether nothing changes.
    public var isEmpty: Bool { groups.isEmpty && rows.isEmpty && absoluteRows.isEmpty }
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
    init(mask: FieldMask, deltas: FieldDeltas) {
        var index = 0
        func next(_ field: FieldMask) -> Int32 {
            guard mask.contains(field) else { return 0 }
            defer { index += 1 }
            return deltas[index]
        }
        x = next(.x)
        y = next(.y)
        width = next(.width)
        height = next(.height)
    }

    var isZero: Bool { x | y | width | height == 0 }

    var mask: FieldMask {
        FieldMask(
            rawValue: (x != 0 ? 1 : 0) | (y != 0 ? 2 : 0) | (width != 0 ? 4 : 0)
                | (height != 0 ? 8 : 0))
    }

    var deltas: FieldDeltas {
        var deltas = FieldDeltas()
        if x != 0 { deltas.append(x) }
        if y != 0 { deltas.append(y) }
        if width != 0 { deltas.append(width) }
        if height != 0 { deltas.append(height) }
        return deltas
    }

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

extension QuantisedFrame {
    /// The numbers that a mask names, in their order.
    func values(_ mask: FieldMask) -> FieldDeltas {
        var values = FieldDeltas()
        if mask.contains(.x) { values.append(x) }
        if mask.contains(.y) { values.append(y) }
        if mask.contains(.width) { values.append(width) }
        if mask.contains(.height) { values.append(height) }
        return values
    }

    /// The frame with the numbers that a mask names replaced.
    func replacing(_ mask: FieldMask, with values: FieldDeltas) -> QuantisedFrame {
        var frame = self
        var index = 0
        func next(_ field: FieldMask, _ value: inout Int32) {
            guard mask.contains(field) else { return }
            value = values[index]
            index += 1
        }
        next(.x, &frame.x)
        next(.y, &frame.y)
        next(.width, &frame.width)
        next(.height, &frame.height)
        return frame
    }
}
