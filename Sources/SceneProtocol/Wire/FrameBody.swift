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
        /// The numbers that change, each in its place; the others are 0.
        var values: SIMD4<Int32>
        /// Which view; rows are in ascending order.
        public var number: UInt32
        /// What changes.
        public var mask: FieldMask

        /// As in a group; in an absolute row the new values.
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

extension FrameChange {
    /// How far each number moves, modulo 2^32.
    @inline(__always)
    var delta: SIMD4<Int32> { new.vector &- old.vector }
}
