import Testing

@testable import SceneServer

@Suite("Bans")
struct BansTests {
    private func grant(_ subject: String) -> Grant {
        var grant = Grant()
        grant.subject = subject
        return grant
    }

    @Test("a ban holds for one person in one room until it ends")
    func holds() throws {
        var bans = Bans()
        let eve = try #require(Bans.Person(grant("eve"), token: "a.b.c"))
        bans.add(eve, room: "demo", until: 20, now: 10)
        #expect(bans.hold(eve, room: "demo", now: 19))
        #expect(!bans.hold(eve, room: "demo", now: 20))
        #expect(!bans.hold(eve, room: "other", now: 19))
        #expect(!bans.hold(.subject(Subject("ada")), room: "demo", now: 19))
        #expect(!bans.hold(nil, room: "demo", now: 19))
    }

    @Test("a person is the same at another node; bytes that name none are nobody")
    func travels() throws {
        for person in [Bans.Person.subject(Subject("eve")), .token("a.b"), .subject(Subject(""))] {
            #expect(Bans.Person(bytes: person.bytes) == person)
        }
        for bytes in [[], [3, 0x61], [1, 0xFF]] as [[UInt8]] {
            #expect(Bans.Person(bytes: bytes) == nil)
        }
    }

    @Test("subjects are compared by their bytes: composed and decomposed letters are two people")
    func composition() throws {
        var bans = Bans()
        let composed = try #require(Bans.Person(grant("caf\u{E9}"), token: "a.b.c"))
        bans.add(composed, room: "demo", until: 20, now: 10)
        #expect(bans.hold(composed, room: "demo", now: 19))
        let decomposed = Bans.Person(grant("cafe\u{301}"), token: "a.b.c")
        #expect(!bans.hold(decomposed, room: "demo", now: 19))
        #expect(Subject("caf\u{E9}") != Subject("cafe\u{301}"))
        #expect(
            Set([Subject("caf\u{E9}"), Subject("cafe\u{301}"), Subject("caf\u{E9}")]).count == 2)
    }

    @Test("a person is a subject, else what a token signs, whatever form the signature has")
    func persons() {
        #expect(Bans.Person(grant("eve"), token: "a.b.c") == .subject(Subject("eve")))
        #expect(Bans.Person(grant(""), token: "a.b.c") == Bans.Person(grant(""), token: "a.b.d"))
        #expect(Bans.Person(grant(""), token: "a.b.c") != Bans.Person(grant(""), token: "a.x.c"))
        #expect(Bans.Person(grant(""), token: "") == nil)
    }

    @Test("so many are kept, the earliest to end goes first")
    func bounded() {
        var bans = Bans()
        for number in 0...Bans.maximum {
            bans.add(
                .subject(Subject(String(number))), room: "demo", until: UInt64(5000 - number),
                now: 0)
        }
        #expect(bans.hold(.subject(Subject("0")), room: "demo", now: 1))
        #expect(!bans.hold(.subject(Subject(String(Bans.maximum))), room: "demo", now: 1))
    }
}
