import SceneCluster
import Testing

@Suite("The versions of nodes")
struct VersionNoticeTests {
    private static let cluster = ClusterID(0x0102_0304_0506_0708)
    private static let notice = VersionNotice(
        sender: NodeLife(node: NodeID(3), life: 9),
        version: ReleaseVersion(major: 1, minor: 2, patch: 0x0304))

    @Test("a notice is these bytes, and comes back")
    func example() throws {
        let bytes = Self.notice.encoded(cluster: Self.cluster)
        #expect(
            bytes == [
                0x53, 0x53, 0x43, 0x56, 1, 8, 7, 6, 5, 4, 3, 2, 1, 3, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1,
                0, 2, 0, 4, 3,
            ])
        #expect(try VersionNotice.decode(bytes, cluster: Self.cluster) == Self.notice)
    }

    @Test("what later versions add is passed over")
    func later() throws {
        let bytes = Self.notice.encoded(cluster: Self.cluster) + [1, 2, 3]
        #expect(try VersionNotice.decode(bytes, cluster: Self.cluster) == Self.notice)
    }

    @Test("bytes that are none are refused with words")
    func bad() {
        let bytes = Self.notice.encoded(cluster: Self.cluster)
        for length in 0..<bytes.count {
            #expect(throws: VersionNoticeError.self) {
                try VersionNotice.decode(Array(bytes[..<length]), cluster: Self.cluster)
            }
        }
        #expect(
            throws: VersionNoticeError.unreadable(
                .otherCluster(found: Self.cluster, expected: ClusterID(1)))
        ) {
            try VersionNotice.decode(bytes, cluster: ClusterID(1))
        }
        var other = bytes
        other[4] = 2
        #expect(throws: VersionNoticeError.unreadable(.otherVersion(found: 2, expected: 1))) {
            try VersionNotice.decode(other, cluster: Self.cluster)
        }
    }

    @Test("versions are read from texts and ordered as numbers")
    func versions() {
        #expect(ReleaseVersion("1.2.772") == Self.notice.version)
        #expect(ReleaseVersion("0.1.0-dev+7") == ReleaseVersion(major: 0, minor: 1, patch: 0))
        for text in ["", "1", "1.2", "1.2.3.4", "1..3", "a.b.c", "1.2.70000", "-1.2.3"] {
            #expect(ReleaseVersion(text) == nil, "\(text)")
        }
        let ordered = ["0.0.1", "0.1.0", "0.9.9", "0.10.0", "1.0.0"].compactMap {
            ReleaseVersion($0)
        }
        #expect(ordered == ordered.sorted() && ordered.count == 5)
        #expect(ordered.allSatisfy { ReleaseVersion.untold < $0 })
        #expect("\(ordered[3])" == "0.10.0" && "\(ReleaseVersion.untold)" == "an earlier version")
    }

    @Test("a version belongs to one life of a node")
    func lives() {
        var membership = Membership(
            silence: .milliseconds(300), at: MonotonicInstant(nanoseconds: 0))
        let version = ReleaseVersion(major: 1, minor: 0, patch: 0)
        let life = NodeLife(node: NodeID(1), life: 1)
        let next = NodeLife(node: NodeID(1), life: 2)
        membership.note(version, of: life)
        #expect(membership.version(of: life) == version)
        #expect(membership.version(of: next) == .untold)
        membership.note(version, of: next)
        #expect(membership.version(of: life) == .untold)
    }

    @Test("placement asks only nodes of the latest version, in whichever zone they are")
    func placement() {
        let version = ReleaseVersion(major: 1, minor: 0, patch: 0)
        let candidates = (1...6).map {
            Placement.Candidate(
                node: NodeID(UInt16($0)), zone: $0 % 2 == 0 ? "a" : "b",
                version: $0 > 4 ? version : .untold)
        }
        for shard in 0..<64 {
            let next = Placement.next(for: ShardID(UInt16(shard)), among: candidates, after: "a")
            #expect(next == NodeID(5))
        }
        let same = candidates.filter { $0.zone == "a" && $0.version == version }
        #expect(Placement.next(for: ShardID(0), among: same, after: "a") == NodeID(6))
    }
}
