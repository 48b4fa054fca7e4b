import JSON
import SceneCluster
import Testing

@testable import SceneServer

@Suite("What nodes tell of their rooms, put together")
struct RoomListingTests {
    private func listing(_ answers: [(UInt16, String)]) throws -> JSONValue {
        var listing = RoomListing()
        for (node, text) in answers {
            listing.add(try JSONReader.read(Array(text.utf8)), of: NodeID(node))
        }
        return listing.json
    }

    private func value(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test("members of all nodes count, and the node that has the room in memory is named")
    func members() throws {
        let hall = #"{"rooms":[{"room":"hall","members":2,"tick":71,"hash":"ab"}],"putAside":[]}"#
        let elsewhere = #"{"rooms":[{"room":"hall","members":3}],"putAside":[]}"#
        let expected =
            #"{"rooms":[{"room":"hall","members":5,"tick":71,"hash":"ab","node":2}],"putAside":[]}"#
        #expect(
            try listing([(1, elsewhere), (2, hall), (3, elsewhere.replacing("3", with: "0"))])
                == value(expected))
        #expect(try listing([(2, hall), (1, elsewhere)]) == value(expected))
    }

    @Test("of a room on its way, the later state counts")
    func moving() throws {
        let former = #"{"rooms":[{"room":"a","members":1,"tick":9}],"putAside":[]}"#
        let later = #"{"rooms":[{"room":"a","members":1,"tick":10}],"putAside":[]}"#
        let expected = try value(
            #"{"rooms":[{"room":"a","members":2,"tick":10,"node":3}],"putAside":[]}"#)
        #expect(try listing([(1, former), (3, later)]) == expected)
        #expect(try listing([(3, later), (1, former)]) == expected)
    }

    @Test(
        "rooms come by name, what no node has in memory is left out, and who put a room aside is named"
    )
    func order() throws {
        let one =
            #"{"rooms":[{"room":"z","members":0,"tick":0},{"room":"opening","members":4}],"putAside":[]}"#
        let two =
            #"{"rooms":[{"room":"b","members":0,"tick":5}],"putAside":[{"room":"c","reason":"too dear"}]}"#
        #expect(
            try listing([(1, one), (2, two)])
                == value(
                    #"{"rooms":[{"room":"b","members":0,"tick":5,"node":2},{"room":"z","members":0,"tick":0,"node":1}],"putAside":[{"room":"c","reason":"too dear","node":2}]}"#
                ))
    }

    @Test("an answer that says something else adds nothing")
    func strange() throws {
        for text in [
            "[]", "{}", #"{"rooms":7,"putAside":{}}"#,
            #"{"rooms":[1,{"members":2}],"putAside":[3]}"#,
        ] {
            #expect(try listing([(1, text)]) == value(#"{"rooms":[],"putAside":[]}"#))
        }
    }
}
