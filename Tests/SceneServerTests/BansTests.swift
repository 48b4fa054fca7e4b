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
        #expect(!bans.hold(.subject("ada"), room: "demo", now: 19))
        #expect(!bans.hold(nil, room: "demo", now: 19))
    }

    @Test("a person is the same at another node; bytes that name none are nobody")
    func travels() throws {
        for person in [Bans.Person.subject("eve"), .token("a.b"), .subject("")] {
            #expect(Bans.Person(bytes: person.bytes) == person)
        }
        for bytes in [[], [3, 0x61], [1, 0xFF]] as [[UInt8]] {
            #expect(Bans.Person(bytes: bytes) == nil)
        }
    }

    @Test("a person is a subject, else what a token signs, whatever form the signature has")
    func persons() {
        #expect(Bans.Person(grant("eve"), token: "a.b.c") == .subject("eve"))
        #expect(Bans.Person(grant(""), token: "a.b.c") == Bans.Person(grant(""), token: "a.b.d"))
        #expect(Bans.Person(grant(""), token: "a.b.c") != Bans.Person(grant(""), token: "a.x.c"))
        #expect(Bans.Person(grant(""), token: "") == nil)
    }

    @Test("so many are kept, the earliest to end goes first")
    func bounded() {
        var bans = Bans()
        for number in 0...Bans.maximum {
            bans.add(
                .subject(String(number)), room: "demo", until: UInt64(5000 - number), now: 0)
        }
        #expect(bans.hold(.subject("0"), room: "demo", now: 1))
        #expect(!bans.hold(.subject(String(Bans.maximum)), room: "demo", now: 1))
    }
}
