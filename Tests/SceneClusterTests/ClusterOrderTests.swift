import SceneCluster
import Testing

/// The expected bytes were put together by hand from the format's table.
@Suite("Orders to a cluster's nodes as bytes")
struct ClusterOrderTests {
    private static let cluster = ClusterID(0x0102_0304_0506_0708)
    private static let vectors: [(ClusterOrder, String)] = [
        (
            .move(ShardID(0x0A0B), to: NodeID(3)),
            "5353434f" + "01" + "0807060504030201" + "01" + "0300" + "0b0a"
        ),
        (.drain(NodeID(0x0102)), "5353434f" + "01" + "0807060504030201" + "02" + "0201"),
    ]

    @Test("orders have these bytes, and are read from them")
    func vector() throws {
        for (order, text) in Self.vectors {
            let bytes = RecordVectorTests.bytes(text)
            #expect(order.encoded(cluster: Self.cluster) == bytes)
            #expect(try ClusterOrder.decode(bytes, cluster: Self.cluster) == order)
        }
    }

    @Test("bytes of another kind, version or cluster, every cut, and more bytes are refused")
    func wrong() {
        for (_, text) in Self.vectors {
            let bytes = RecordVectorTests.bytes(text)
            for count in bytes.indices {
                #expect(throws: ClusterOrderError.self) {
                    try ClusterOrder.decode(Array(bytes[..<count]), cluster: Self.cluster)
                }
            }
            #expect(throws: ClusterOrderError.self) {
                try ClusterOrder.decode(bytes + [0], cluster: Self.cluster)
            }
            #expect(throws: ClusterOrderError.foreign) {
                try ClusterOrder.decode(Array("hello, nodes".utf8), cluster: Self.cluster)
            }
            var other = bytes
            other[4] = 2
            #expect(throws: ClusterOrderError.unreadable(.otherVersion(found: 2, expected: 1))) {
                try ClusterOrder.decode(other, cluster: Self.cluster)
            }
            other = bytes
            other[13] = 3
            #expect(
                throws: ClusterOrderError.unreadable(
                    .invalidValue(offset: 13, expected: "1 or 2"))
            ) { try ClusterOrder.decode(other, cluster: Self.cluster) }
            other = bytes
            other[5] = 9
            #expect(throws: ClusterOrderError.self) {
                try ClusterOrder.decode(other, cluster: Self.cluster)
            }
        }
    }
}
