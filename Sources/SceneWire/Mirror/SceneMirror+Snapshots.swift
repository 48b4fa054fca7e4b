/// The messages that bring a receiver to a mirror's state.
extension SceneMirror {
    /// The state as snapshot messages, each of at most about `byteMaximum` bytes, one view at
    /// least.
    public func snapshots(byteMaximum: Int = 1 << 19) -> [Snapshot] {
        var chunks: [[ViewRecord]] = [[]]
        var bytes = 0
        for record in records {
            let cost = Self.bytes(of: record)
            if bytes + cost > byteMaximum, bytes > 0 {
                chunks.append([])
                bytes = 0
            }
            chunks[chunks.count - 1].append(record)
            bytes += cost
        }
        return chunks.enumerated().map { index, views in
            var snapshot = Snapshot()
            snapshot.epoch = epoch
            snapshot.tick = tick
            snapshot.chunkIndex = UInt32(truncatingIfNeeded: index)
            snapshot.chunkCount = UInt32(truncatingIfNeeded: chunks.count)
            snapshot.isDeflated = true
            snapshot.stateHash = stateHash
            snapshot.views = views
            return snapshot
        }
    }

    /// An upper estimate for both formats: JSON's member names, every number at its longest, every
    /// byte escaped that may have to be.
    private static func bytes(of record: ViewRecord) -> Int {
        record.content.lines.reduce(384 + record.id.utf8.count) { sum, line in
            line.text.utf8.reduce(sum + 80) { sum, byte in
                sum + (byte < 0x20 || byte == 0x7F ? 6 : byte == 0x22 || byte == 0x5C ? 2 : 1)
            }
        }
    }

    /// The remembered selections as messages, for a receiver that just got `snapshots`.
    public var selects: [Select] { Select.all(of: ring) }
}

extension Select {
    /// The selections that a ring remembers, in the order in which they must be sent.
    public static func all(of ring: SelectionRing) -> [Select] {
        ring.entries.map { entry in
            var select = Select()
            select.slot = UInt8(truncatingIfNeeded: entry.slot)
            select.selection = entry.selection
            select.deltas = entry.deltas
            return select
        }
    }
}
