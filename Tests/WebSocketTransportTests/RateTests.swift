import Testing

@testable import WebSocketTransport

@Suite("Rate limits")
struct TokenBucketTests {
    private let second: UInt64 = 1_000_000_000

    @Test("a burst up to the brim passes, then only what the rate allows")
    func burst() {
        var bucket = TokenBucket(perSecond: 10, brim: 20, now: 0)
        for _ in 0..<20 { #expect(bucket.take(now: 0) == 0) }
        // One comes every tenth of a second.
        #expect(bucket.take(now: 0) == second / 10)
        #expect(bucket.take(now: second / 20) == second / 20)
        #expect(bucket.take(now: second / 10) == 0)
        #expect(bucket.take(now: second / 10) == second / 10)
        // It never holds more than its brim.
        for _ in 0..<20 { #expect(bucket.take(now: 1000 * second) == 0) }
        #expect(bucket.take(now: 1000 * second) > 0)
    }

    @Test("what is refused takes nothing, a clock that stands or goes back gives nothing")
    func refusals() {
        var bucket = TokenBucket(perSecond: 1, brim: 4, now: 5 * second)
        #expect(bucket.take(3, now: 5 * second) == 0)
        #expect(bucket.take(3, now: 5 * second) == 2 * second)
        #expect(bucket.take(3, now: 4 * second) == 2 * second)
        #expect(bucket.take(1, now: 5 * second) == 0)
    }

    @Test("something larger than the brim passes when the bucket is full; 0 means no limit")
    func large() {
        var bucket = TokenBucket(perSecond: 1, brim: 4, now: 0)
        #expect(bucket.take(100, now: 0) == 0)
        #expect(bucket.take(1, now: 0) == second)
        var unlimited = TokenBucket(perSecond: 0, brim: 0, now: 0)
        for _ in 0..<100 { #expect(unlimited.take(1 << 40, now: 0) == 0) }
    }

    @Test("each address has its own rate, and those at rest are forgotten")
    func addresses() {
        var rates = AddressRates()
        let (ada, eve) = (AddressGroup("192.0.2.1"), AddressGroup("192.0.2.2"))
        // Five seconds' worth at once, then one in half a second.
        for _ in 0..<10 { #expect(rates.take(of: ada, perSecond: 2, now: second) == 0) }
        #expect(rates.take(of: ada, perSecond: 2, now: second) == second / 2)
        #expect(rates.take(of: eve, perSecond: 2, now: second) == 0)
        #expect(rates.take(of: ada, perSecond: 0, now: second) == 0)
        #expect(rates.take(of: ada, perSecond: 2, now: second * 3 / 2) == 0)
        for number in 0..<100_000 {
            let address = AddressGroup("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)")
            _ = rates.take(of: address, perSecond: 2, now: second * 2 + UInt64(number) * 1_000_000)
        }
        // In half a second, in which each is forgotten, 500 others come.
        #expect(rates.count <= 2048)
    }

    @Test("an IPv6 address counts with its network, an IPv4 address alone")
    func groups() {
        #expect(AddressGroup("2001:db8::1") == AddressGroup("2001:db8:0:0:ffff::2"))
        #expect(AddressGroup("2001:db8::1") != AddressGroup("2001:db8:0:1::1"))
        #expect(AddressGroup("192.0.2.1") != AddressGroup("192.0.2.2"))
        #expect(AddressGroup("") == AddressGroup("") && AddressGroup("") != AddressGroup("x"))
    }
}
