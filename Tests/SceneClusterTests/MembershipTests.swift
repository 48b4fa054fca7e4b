import SceneCluster
import Testing

@Suite("Membership by beats on the observer's clock")
struct MembershipTests {
    private static func at(_ milliseconds: UInt64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private static func beat(
        _ node: UInt16, life: UInt64 = 1, number: UInt64, claims: [Beat.Claim] = [],
        isDraining: Bool = false
    ) -> Beat {
        Beat(
            sender: NodeLife(node: NodeID(node), life: life), number: number, claims: claims,
            isDraining: isDraining)
    }

    private static func life(_ node: UInt16, _ life: UInt64 = 1) -> NodeLife {
        NodeLife(node: NodeID(node), life: life)
    }

    /// Listens from 0 ms on, and has advanced to `milliseconds` without a pause.
    private static func listening(until milliseconds: UInt64 = 0) -> Membership {
        var membership = Membership(silence: .milliseconds(300), at: at(0))
        for time in stride(from: 0, through: milliseconds, by: 50) {
            membership.advance(to: at(time))
        }
        return membership
    }

    @Test("a node is silent once nothing came for 300 ms")
    func silence() {
        var membership = Self.listening()
        #expect(membership.hear(Self.beat(2, number: 1), at: Self.at(100)) == .heard)
        for time in stride(from: UInt64(100), through: 500, by: 50) {
            membership.advance(to: Self.at(time))
        }
        #expect(!membership.isSilent(Self.life(2), at: Self.at(400)))
        #expect(membership.isSilent(Self.life(2), at: Self.at(401)))
        #expect(membership.candidates(at: Self.at(400)) == [.init(node: NodeID(2))])
        #expect(membership.candidates(at: Self.at(401)).isEmpty)
    }

    @Test("a node that was never heard is silent only after the observer has listened for 300 ms")
    func neverHeard() {
        let membership = Self.listening(until: 300)
        #expect(!membership.isSilent(Self.life(2), at: Self.at(300)))
        #expect(membership.isSilent(Self.life(2), at: Self.at(301)))
    }

    @Test("beats that are doubled or late renew nothing")
    func staleBeats() {
        var membership = Self.listening()
        #expect(membership.hear(Self.beat(2, number: 5), at: Self.at(0)) == .heard)
        for time in stride(from: UInt64(0), through: 350, by: 50) {
            membership.advance(to: Self.at(time))
        }
        #expect(membership.hear(Self.beat(2, number: 5), at: Self.at(200)) == .stale)
        #expect(membership.hear(Self.beat(2, number: 4), at: Self.at(250)) == .stale)
        #expect(membership.isSilent(Self.life(2), at: Self.at(301)))
    }

    @Test("a life that was replaced is silent at once, and its late beats are stale")
    func restart() {
        var membership = Self.listening()
        _ = membership.hear(Self.beat(2, life: 7, number: 9), at: Self.at(0))
        #expect(membership.hear(Self.beat(2, life: 8, number: 1), at: Self.at(100)) == .heard)
        #expect(membership.isSilent(Self.life(2, 7), at: Self.at(100)))
        #expect(!membership.isSilent(Self.life(2, 8), at: Self.at(100)))
        #expect(membership.hear(Self.beat(2, life: 7, number: 10), at: Self.at(120)) == .stale)
        #expect(membership.life(of: NodeID(2), at: Self.at(120)) == Self.life(2, 8))
    }

    @Test("two processes with the number of one node are told apart from a late beat")
    func numberTakenTwice() {
        var membership = Self.listening()
        _ = membership.hear(Self.beat(2, life: 7, number: 9), at: Self.at(0))
        // The one that came second goes on beating.
        for step in UInt64(1)...13 {
            membership.advance(to: Self.at(100 * step))
            #expect(
                membership.hear(Self.beat(2, life: 8, number: step), at: Self.at(100 * step))
                    == .heard)
        }
        #expect(membership.hear(Self.beat(2, life: 7, number: 10), at: Self.at(1300)) == .stale)
        #expect(
            membership.hear(Self.beat(2, life: 7, number: 10), at: Self.at(1301))
                == .numberTakenTwice(NodeID(2)))
        #expect(membership.hear(Self.beat(2, life: 7, number: 9), at: Self.at(1400)) == .stale)
    }

    @Test("an observer that stood still listens anew before it calls anyone silent")
    func ownPause() {
        var membership = Self.listening()
        _ = membership.hear(Self.beat(2, number: 1), at: Self.at(0))
        membership.advance(to: Self.at(5000))
        #expect(!membership.isSilent(Self.life(2), at: Self.at(5000)))
        for time in stride(from: UInt64(5050), through: 5350, by: 50) {
            membership.advance(to: Self.at(time))
        }
        #expect(!membership.isSilent(Self.life(2), at: Self.at(5300)))
        #expect(membership.isSilent(Self.life(2), at: Self.at(5301)))
    }

    @Test("a clock that goes back makes nobody silent")
    func clockGoesBack() {
        var membership = Self.listening(until: 1000)
        _ = membership.hear(Self.beat(2, number: 1), at: Self.at(1000))
        membership.advance(to: Self.at(10))
        #expect(!membership.isSilent(Self.life(2), at: Self.at(10)))
    }

    @Test("a draining node is heard, and is no candidate")
    func draining() {
        var membership = Self.listening()
        _ = membership.hear(Self.beat(2, number: 1, isDraining: true), at: Self.at(0))
        _ = membership.hear(Self.beat(3, number: 1), at: Self.at(0))
        #expect(membership.candidates(at: Self.at(10)) == [.init(node: NodeID(3))])
        #expect(!membership.isSilent(Self.life(2), at: Self.at(10)))
    }

    @Test("of two claims to a shard the higher epoch counts, while its owner is heard")
    func claims() throws {
        var membership = Self.listening()
        let claim = { (epoch: UInt64) in [Beat.Claim(shard: ShardID(4), epoch: epoch)] }
        _ = membership.hear(Self.beat(2, number: 1, claims: claim(8)), at: Self.at(0))
        _ = membership.hear(Self.beat(3, number: 1, claims: claim(7)), at: Self.at(200))
        #expect(membership.claimant(of: ShardID(4), at: Self.at(200))?.owner == Self.life(2))
        for time in stride(from: UInt64(0), through: 400, by: 50) {
            membership.advance(to: Self.at(time))
        }
        let later = try #require(membership.claimant(of: ShardID(4), at: Self.at(400)))
        #expect(later.owner == Self.life(3) && later.epoch == 7)
        #expect(membership.claimant(of: ShardID(5), at: Self.at(400)) == nil)
    }

    @Test("more nodes than a cluster may have are not noted")
    func tooMany() {
        var membership = Self.listening()
        for node in 0..<UInt16(1024) {
            #expect(membership.hear(Self.beat(node, number: 1), at: Self.at(0)) == .heard)
        }
        #expect(
            membership.hear(Self.beat(1024, number: 1), at: Self.at(0))
                == .tooManyNodes(maximum: 1024))
        #expect(membership.hear(Self.beat(5, number: 2), at: Self.at(0)) == .heard)
    }

    /// Two nodes beat every 75 ms. Where one dies, the other is heard on; where the observer is cut
    /// off, both fall silent at once.
    @Test("who has lost one node and hears another is not cut off", arguments: [false, true])
    func hearsOthers(isCutOff: Bool) {
        var membership = Self.listening(until: 1000)
        for (index, time) in stride(from: UInt64(1000), through: 2500, by: 75).enumerated() {
            membership.advance(to: Self.at(time))
            let number = UInt64(index + 1)
            _ = membership.hear(Self.beat(1, number: number), at: Self.at(time))
            if time < 2000 { _ = membership.hear(Self.beat(2, number: number), at: Self.at(time)) }
            if time < 2000 || !isCutOff {
                _ = membership.hear(Self.beat(3, number: number), at: Self.at(time + 40))
            }
            guard time >= 2000, membership.isSilent(Self.life(2), at: Self.at(time)) else {
                #expect(
                    time >= 2000
                        || membership.hearsOthers(
                            than: NodeID(1), within: .milliseconds(150), at: Self.at(time + 74))
                )
                continue
            }
            #expect(
                membership.hearsOthers(
                    than: NodeID(1), within: .milliseconds(150), at: Self.at(time)) != isCutOff)
        }
    }

    @Test("the end of time is reached, not passed")
    func endOfTime() {
        let late = MonotonicInstant(nanoseconds: .max - 5)
        #expect(late.advanced(by: .nanoseconds(5)).nanoseconds == .max)
        #expect(late.advanced(by: .seconds(1)).nanoseconds == .max)
        #expect(late.elapsed(since: MonotonicInstant(nanoseconds: 0)) == .nanoseconds(Int64.max))
        #expect(
            Self.at(1).advanced(by: .microseconds(1500)) == MonotonicInstant(nanoseconds: 2_500_000)
        )
    }

    /// A beat of a process that had died came after the first ones of the process that followed,
    /// whose beats then counted for those of a second process for ever.
    @Test("a beat of a dead process that comes late does not silence the one that lives")
    func lateBeatOfTheDead() {
        var membership = Self.listening(until: 1000)
        func hear(life: UInt64, number: UInt64, at time: UInt64) -> Membership.Reception {
            membership.advance(to: Self.at(time))
            return membership.hear(
                Beat(
                    sender: NodeLife(node: NodeID(2), life: life), number: number, claims: [],
                    isDraining: false), at: Self.at(time))
        }
        #expect(hear(life: 7, number: 1, at: 1000) == .heard)
        // Nothing is known of life 6, so its beat seems to be the newer one.
        #expect(hear(life: 6, number: 90, at: 1010) == .heard)
        #expect(hear(life: 7, number: 2, at: 1075) == .stale)
        for step in UInt64(2)..<5 {
            #expect(hear(life: 7, number: 1 + step, at: 1000 + 75 * step) == .stale)
        }
        #expect(hear(life: 7, number: 6, at: 1375) == .heard)
        #expect(
            membership.life(of: NodeID(2), at: Self.at(1400))
                == NodeLife(node: NodeID(2), life: 7))
        for step in UInt64(6)..<40 {
            #expect(hear(life: 7, number: 1 + step, at: 1000 + 75 * step) == .heard)
        }
    }
}
