/// The changes of one frame diff: groups of views that change alike, each a remembered selection
/// that is cited or one that is listed, rows of views that change alone, and rows that say the new
/// values themselves where those are shorter than how far they are from the old ones.
///
/// No view occurs twice.
public struct FrameBody: Sendable, Equatable {
    /// Views of a remembered selection, which change by the same deltas.
    public struct Citation: Sendable, Equatable {
        /// Where the selection is remembered.
        public var slot: UInt8
        /// What is added (modulo 2^32) to each number that the mask names, in the order x, y,
        /// width, height.
        public var deltas: FieldDeltas

        /// Makes a citation.
        public init(slot: UInt8, deltas: FieldDeltas) {
            self.slot = slot
            self.deltas = deltas
        }
    }

    /// Views that are listed, which change by the same deltas.
    public struct Group: Sendable, Equatable {
        /// Which views.
        public var selection: Selection
        /// Whether the selection goes to the ring's next slot.
        public var stores: Bool
        /// As in a citation.
        public var deltas: FieldDeltas

        /// Makes a group.
        public init(_ selection: Selection, stores: Bool, deltas: FieldDeltas) {
            self.selection = selection
            self.stores = stores
            self.deltas = deltas
        }
    }

    /// One view.
    public struct Row: Sendable, Equatable {
        /// The numbers that change, each in its place; the others are 0.
        var values: SIMD4<Int32>
        /// Which view; rows are in ascending order.
        public var number: UInt32
        /// What changes.
        public var mask: FieldMask

        /// As in a citation; in an absolute row the new values.
        public var deltas: FieldDeltas {
            var deltas = FieldDeltas()
            for side in 0..<4 where mask.rawValue & 1 << UInt8(side) != 0 {
                deltas.append(values[side])
            }
            return deltas
        }

        init(number: UInt32, mask: FieldMask, values: SIMD4<Int32>) {
            self.values = values
            self.number = number
            self.mask = mask
        }

        /// Makes a row.
        ///
        /// - Parameter deltas: As many as the mask has bits.
        public init(number: UInt32, mask: FieldMask, deltas: FieldDeltas) {
            self.init(number: number, mask: mask, values: mask.places(deltas))
        }
    }

    /// The citations, in the order of their slots. They apply before `groups` are remembered.
    public var citations: [Citation]
    /// The groups that are listed.
    public var groups: [Group]
    /// Whether the deltas of citations are to be added to those that their slots were used with
    /// last.
    public var citesDifferences = false
    /// The rows.
    public var rows: [Row]
    /// The rows whose `deltas` are the new values.
    public var absoluteRows: [Row]

    /// Makes a body.
    public init(
        citations: [Citation] = [], groups: [Group] = [], rows: [Row] = [], absoluteRows: [Row] = []
    ) {
        self.citations = citations
        self.groups = groups
        self.rows = rows
        self.absoluteRows = absoluteRows
    }

    /// Whether nothing changes.
    public var isEmpty: Bool {
        citations.isEmpty && groups.isEmpty && rows.isEmpty && absoluteRows.isEmpty
    }
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

extension FrameChange {
    /// How far each number moves, modulo 2^32.
    @inline(__always)
    var delta: SIMD4<Int32> { new.vector &- old.vector }
}
