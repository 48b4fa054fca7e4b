import SceneCluster
import Testing

@Suite("Administrators' requests between nodes, as bytes")
struct NodeRequestTests {
    private static let requests: [NodeRequest] = [
        .exportScene, .replaceScene(Array(#"{"scene":1}"#.utf8)), .replaceScene([]), .deleteRoom,
        .members, .release, .remove(connection: 7), .exclude(person: [1, 0x61]), .expel,
        .rooms, .exportRoom, .importRoom([1, 2, 3]),
    ]
    private static let replies: [NodeReply] = [
        .answer(status: 200, isJSON: true, [0x7B, 0x7D]), .answer(status: 599, isJSON: false, []),
        .notOwner, .notUnderstood,
    ]

    @Test("a request is itself again after a link", arguments: requests)
    func requestsComeBack(request: NodeRequest) throws {
        #expect(try NodeRequest.decode(try request.encoded()) == request)
    }

    @Test("a reply is itself again after a link", arguments: replies)
    func repliesComeBack(reply: NodeReply) throws {
        #expect(try NodeReply.decode(try reply.encoded()) == reply)
    }

    @Test("a removal and its answer are these bytes")
    func example() throws {
        #expect(
            try NodeRequest.remove(connection: 0x0102).encoded()
                == [6, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(
            try NodeRequest.importRoom([0x61]).encoded()
                == [11, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x61])
        #expect(
            try NodeReply.answer(status: 404, isJSON: false, [0x6E, 0x6F]).encoded()
                == [0, 0x94, 1, 0, 2, 0, 0, 0, 0x6E, 0x6F])
    }

    @Test("what only reads may be asked again, and what changes something may not")
    func changes() {
        #expect(
            Self.requests.filter { !$0.changesSomething } == [
                .exportScene, .members, .rooms, .exportRoom,
            ])
    }

    @Test(
        "bytes that are cut short, too long or of another kind are refused",
        arguments: [
            [], [1], [12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255],
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func badRequests(bytes: [UInt8]) {
        #expect(throws: PacketError.self) { try NodeRequest.decode(bytes) }
    }

    @Test(
        "a reply with a status that HTTP does not have, or of another kind, is refused",
        arguments: [
            [], [0, 99, 0, 1, 0, 0, 0, 0], [0, 200, 0, 2, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0],
            [0, 200, 0, 1, 1, 0, 0, 0],
        ] as [[UInt8]])
    func badReplies(bytes: [UInt8]) {
        #expect(throws: PacketError.self) { try NodeReply.decode(bytes) }
    }
}
