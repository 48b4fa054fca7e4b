import Bytes

extension JournalRecord {
    /// Records that are summed side by side.
    private static let laneCount = 4

    /// Writes the checksums of records behind their bytes.
    ///
    /// A checksum waits at each byte for the multiplication of the byte before; with four records
    /// side by side nothing waits.
    ///
    /// - Parameter bodies: What `appendUnsealed` returned.
    /// - Complexity: O(bytes); some 0.4 ns a byte.
    public static func seal(_ bodies: [Range<Int>], in bytes: inout [UInt8]) {
        let sums = checksums(of: bodies, in: bytes.span)
        for (body, sum) in zip(bodies, sums) {
            for index in 0..<8 {
                bytes[body.upperBound + index] = UInt8(
                    truncatingIfNeeded: sum >> UInt64(8 * index))
            }
        }
    }

    private static func checksums(of bodies: [Range<Int>], in bytes: Span<UInt8>) -> [UInt64] {
        var sums = Array(repeating: FNV1a.basis, count: bodies.count)
        var offsets = bodies.map { $0.lowerBound }
        var lanes = Array(bodies.indices.prefix(laneCount))
        var next = lanes.count
        while lanes.count == laneCount {
            // As far as the shortest goes; then the next record takes its place.
            var count = Int.max
            for record in lanes { count = min(count, bodies[record].upperBound - offsets[record]) }
            var (a, b) = (sums[lanes[0]], sums[lanes[1]])
            var (c, d) = (sums[lanes[2]], sums[lanes[3]])
            let first = bytes.extracting(offsets[lanes[0]]..<offsets[lanes[0]] + count)
            let second = bytes.extracting(offsets[lanes[1]]..<offsets[lanes[1]] + count)
            let third = bytes.extracting(offsets[lanes[2]]..<offsets[lanes[2]] + count)
            let fourth = bytes.extracting(offsets[lanes[3]]..<offsets[lanes[3]] + count)
            for index in 0..<count {
                a = (a ^ UInt64(first[index])) &* FNV1a.prime
                b = (b ^ UInt64(second[index])) &* FNV1a.prime
                c = (c ^ UInt64(third[index])) &* FNV1a.prime
                d = (d ^ UInt64(fourth[index])) &* FNV1a.prime
            }
            for (record, sum) in zip(lanes, [a, b, c, d]) {
                sums[record] = sum
                offsets[record] += count
            }
            for lane in lanes.indices.reversed()
            where offsets[lanes[lane]] == bodies[lanes[lane]].upperBound {
                if next < bodies.count {
                    lanes[lane] = next
                    next += 1
                } else {
                    lanes.remove(at: lane)
                }
            }
        }
        for record in lanes {
            for index in offsets[record]..<bodies[record].upperBound {
                sums[record] = (sums[record] ^ UInt64(bytes[index])) &* FNV1a.prime
            }
        }
        return sums
    }
}
