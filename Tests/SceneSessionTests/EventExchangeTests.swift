import JSON
import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

/// Events between senders and handlers, without a scene: `list/row/button` stands in the tree as
/// its name says.
@Suite struct EventExchangeTests {
    /// An exchange that is driven by hand, with what it sent.
    private struct Exchange {
        var exchange: EventExchange
        var delivered: [MemberID: [DeliveredEvent]] = [:]
        var results: [MemberID: [EventResults.Result]] = [:]
        var tick: UInt64 = 0

        init(_ change: (inout EventLimits) -> Void = { _ in }) {
            var limits = EventLimits()
            change(&limits)
            exchange = EventExchange(limits, tickRate: 60)
        }

        static func path(_ view: String) -> [String]? {
            guard !view.hasPrefix("gone") else { return nil }
            var path = ["root"]
            var id = ""
            for part in view.split(separator: "/") where view != "root" {
                id += id.isEmpty ? String(part) : "/" + part
                path.insert(id, at: 0)
            }
            return path
        }

        mutating func flush() {
            let outgoing = exchange.takeOutgoing()
            for (member, event) in outgoing.deliveries {
                delivered[member, default: []].append(event)
            }
            for (member, result) in outgoing.results { results[member, default: []].append(result) }
        }

        mutating func send(
            _ sequence: UInt64, _ view: String = "list/row/button", from session: String = "a",
            _ member: MemberID = MemberID(1)
        ) {
            var event = SentEvent()
            event.eventSequence = sequence
            event.event.view = view
            event.event.value = .number(Double(sequence))
            let pending = exchange.accept(
                event, from: session, member, client: 7, subject: "ann", tick: tick)
            if let pending, let path = Self.path(view) { exchange.route(pending, along: path) }
            flush()
        }

        @discardableResult
        mutating func handle(
            _ roots: [String], _ session: String = "h", _ member: MemberID = MemberID(10)
        ) -> Bool {
            defer { flush() }
            return exchange.handle(roots, session, member, path: Self.path)
        }

        mutating func answer(_ number: UInt64, _ session: String = "h", isHandled: Bool = true) {
            var answer = HandledEvents.Answer()
            answer.sequence = number
            answer.isHandled = isHandled
            exchange.answer([answer], from: session)
            flush()
        }

        mutating func leave(_ session: String, _ member: MemberID) {
            exchange.leave(session, member, tick: tick, path: Self.path)
            flush()
        }

        mutating func pass(seconds: UInt64) {
            tick += 60 * seconds
            exchange.expire(at: tick, path: Self.path)
            flush()
        }

        /// What a member was told, in order.
        func told(_ member: UInt64) -> [String] {
            (results[MemberID(member)] ?? []).map { "\($0.eventSequence) \($0.outcome.rawValue)" }
        }

        /// The sequences of their senders, in the order in which a member got the events.
        func got(_ member: UInt64) -> [Int] {
            (delivered[MemberID(member)] ?? []).map {
                if let number = $0.event.value.number { Int(number) } else { -1 }
            }
        }
    }

    @Test func anEventGoesToTheNearestSubtreeThatIsHandled() {
        var events = Exchange()
        events.handle(["root"], "far", MemberID(10))
        events.handle(["list", "other"], "near", MemberID(11))
        events.send(1)
        #expect(events.got(10) == [])
        #expect(events.got(11) == [1])
        let event = events.delivered[MemberID(11)]?.first
        #expect(event?.client == 7)
        #expect(event?.subject == "ann")
        #expect(event?.event.view == "list/row/button")
        events.send(2, "header")
        #expect(events.got(10) == [2])
    }

    @Test func itsSenderHearsWhatBecameOfIt() {
        var events = Exchange()
        events.handle(["list"])
        events.send(1)
        events.send(2)
        #expect(events.told(1) == [])
        events.answer(2, isHandled: false)
        events.answer(1)
        #expect(events.told(1) == ["2 unhandled", "1 handled"])
        // A second answer, and one to what was never sent, change nothing.
        events.answer(1, isHandled: false)
        events.answer(99)
        #expect(events.told(1).count == 2)
    }

    @Test func withoutAHandlerItIsUnhandledAtOnce() {
        var events = Exchange()
        events.handle(["other"])
        events.send(1)
        #expect(events.told(1) == ["1 unhandled"])
    }

    @Test func ofTwoThatHandleTheSameTheFirstGetsIt() {
        var events = Exchange()
        events.handle(["list"], "one", MemberID(10))
        events.handle(["list"], "two", MemberID(11))
        events.send(1)
        events.send(2)
        #expect(events.got(10) == [1, 2])
        #expect(events.got(11) == [])
    }

    @Test func anEventThatComesTwiceIsPassedOnOnce() {
        var events = Exchange()
        events.handle(["list"])
        events.send(1)
        // Over another connection, after a cut.
        events.leave("a", MemberID(1))
        events.send(1, from: "a", MemberID(2))
        #expect(events.got(10) == [1])
        events.answer(1)
        #expect(events.told(2) == ["1 handled"])
        // Once more: its result was lost on the way.
        events.send(1, from: "a", MemberID(3))
        #expect(events.got(10) == [1])
        #expect(events.told(3) == ["1 handled"])
    }

    @Test func aResultThatIsForgottenIsUnknown() {
        var events = Exchange { $0.unansweredMaximum = 2 }
        for sequence in 1...10 { events.send(UInt64(sequence)) }
        #expect(events.told(1).count == 10)
        events.send(1, from: "a", MemberID(2))
        events.send(10, from: "a", MemberID(2))
        #expect(events.told(2) == ["1 unknown", "10 unhandled"])
    }

    @Test func aHandlerThatComesBackIsSentAgainWhatItDidNotAnswer() {
        var events = Exchange()
        events.handle(["list"])
        for sequence in 1...3 { events.send(UInt64(sequence)) }
        events.answer(2)
        events.leave("h", MemberID(10))
        events.send(4)
        #expect(events.told(1) == ["2 handled"])
        events.handle(["list"], "h", MemberID(12))
        #expect(events.got(12) == [1, 3, 4])
        #expect(events.delivered[MemberID(12)]?.map(\.sequence) == [1, 3, 4])
        for number in [1, 3, 4] as [UInt64] { events.answer(number) }
        #expect(events.told(1).sorted() == ["1 handled", "2 handled", "3 handled", "4 handled"])
    }

    @Test func aHandlerThatDoesNotComeBackIsGivenUp() {
        var events = Exchange { $0.deliveredMaximum = 1 }
        events.handle(["list"])
        events.send(1)
        events.send(2)
        #expect(events.got(10) == [1])
        events.leave("h", MemberID(10))
        #expect(events.exchange.nextTick == 300)
        events.pass(seconds: 4)
        #expect(events.told(1) == [])
        events.pass(seconds: 1)
        // The first may have been dealt with; the second was never sent.
        #expect(events.told(1) == ["1 unknown", "2 unhandled"])
        #expect(events.exchange.nextTick == nil)
        // What it says now comes too late.
        events.answer(1)
        #expect(events.told(1).count == 2)
        events.send(3)
        #expect(events.told(1).last == "3 unhandled")
    }

    @Test func whatAHandlerWasNotSentGoesToAnother() {
        var events = Exchange { $0.deliveredMaximum = 1 }
        events.handle(["list"], "h", MemberID(10))
        events.handle(["root"], "other", MemberID(11))
        for sequence in 1...3 { events.send(UInt64(sequence)) }
        events.leave("h", MemberID(10))
        #expect(events.got(11) == [2])
        events.answer(2, "other")
        #expect(events.got(11) == [2, 3])
        events.answer(3, "other")
        events.pass(seconds: 5)
        #expect(events.told(1) == ["2 handled", "3 handled", "1 unknown"])
    }

    @Test func whatWaitsForOneThatIsGoneGoesToWhoeverComesInItsPlace() {
        var events = Exchange()
        events.handle(["list"], "h", MemberID(10))
        events.leave("h", MemberID(10))
        events.send(1)
        events.send(2, "list/gone")
        #expect(events.told(1) == [])
        events.handle(["list"], "new", MemberID(11))
        #expect(events.got(11) == [1, 2])
        #expect(events.got(10) == [])
    }

    @Test func aHandlerThatIsConnectedComesBeforeOneThatIsNot() {
        var events = Exchange()
        events.handle(["list"], "gone", MemberID(10))
        events.handle(["root"], "here", MemberID(11))
        events.leave("gone", MemberID(10))
        events.send(1)
        #expect(events.got(11) == [1])
    }

    @Test func whatWaitsGoesOnWaitingWhileTheSceneIsNotAtHand() {
        var events = Exchange { $0.deliveredMaximum = 1 }
        events.handle(["list"])
        events.send(1)
        events.send(2)
        events.exchange.leave("h", MemberID(10), tick: 0, path: nil)
        events.exchange.expire(at: 10_000, path: nil)
        events.flush()
        #expect(events.told(1) == [])
        _ = events.exchange.handle(["list"], "h", MemberID(11), path: nil)
        events.flush()
        #expect(events.got(11) == [1])
        events.answer(1)
        #expect(events.got(11) == [1, 2])
    }

    @Test func aHandlerMayChangeWhatItHandles() {
        var events = Exchange()
        events.handle(["list"])
        events.send(1)
        events.handle(["header"])
        events.send(2)
        events.send(3, "header")
        #expect(events.got(10) == [1, 3])
        #expect(events.told(1) == ["2 unhandled"])
        events.handle([])
        events.send(4, "header")
        #expect(events.told(1) == ["2 unhandled", "4 unhandled"])
        events.answer(1)
        #expect(events.told(1).last == "1 handled")
    }

    @Test func noClientWaitsForMoreThanTheLimit() {
        var events = Exchange { $0.unansweredMaximum = 2 }
        events.handle(["list"])
        for sequence in 1...3 { events.send(UInt64(sequence)) }
        #expect(events.told(1) == ["3 refused"])
        #expect(events.results[MemberID(1)]?.first?.code == "limit")
        events.answer(1)
        events.send(4)
        #expect(events.got(10) == [1, 2, 4])
    }

    @Test func noClientSendsMoreThanItsShareOfASecond() {
        var events = Exchange { $0.perSecond = 60 }
        events.handle(["list"])
        for sequence in 1...61 { events.send(UInt64(sequence)) }
        #expect(events.told(1) == ["61 refused"])
        // One tick later there is one more, and another client has a share of its own.
        events.tick += 1
        events.send(62)
        events.send(63)
        events.send(1, from: "b", MemberID(2))
        #expect(events.told(1) == ["61 refused", "63 refused"])
        #expect(events.got(10).suffix(2) == [62, 1])
    }

    @Test func aRoomHoldsSoManyBytesOfEvents() {
        var events = Exchange { $0.byteMaximum = 1000 }
        events.handle(["list"])
        events.send(1)
        events.send(2)
        events.send(3)
        #expect(events.told(1) == ["3 refused"])
        #expect(events.exchange.byteEstimate > 600)
        events.answer(1)
        events.answer(2)
        events.send(4)
        #expect(events.got(10) == [1, 2, 4])
    }

    @Test func aMessageGoesToTheMemberThatItNames() {
        var events = Exchange()
        var event = SentEvent()
        event.eventSequence = 1
        event.to = 3
        event.event.kind = .message
        let pending = events.exchange.accept(
            event, from: "a", MemberID(1), client: 7, subject: "", tick: 0)
        if let pending { events.exchange.send(pending, to: "r", MemberID(20)) }
        events.flush()
        #expect(events.delivered[MemberID(20)]?.count == 1)
        // It is cut off and comes back: it says nothing of subtrees, so its connection is enough.
        events.leave("r", MemberID(20))
        events.exchange.join("r", MemberID(21)) { _ in true }
        events.flush()
        #expect(events.delivered[MemberID(21)]?.map(\.sequence) == [1])
        events.answer(1, "r")
        #expect(events.told(1) == ["1 handled"])
    }

    @Test func aClientThatMayComeBackIsRemembered() {
        var events = Exchange()
        events.handle(["list"])
        events.send(1)
        events.answer(1)
        events.leave("a", MemberID(1))
        // Many others come and go; nobody remembers them.
        for number in 0..<200 {
            let member = MemberID(UInt64(1000 + number))
            events.exchange.join("visitor-\(number)", member) { $0 == "a" }
            events.send(1, "header", from: "visitor-\(number)", member)
            events.leave("visitor-\(number)", member)
        }
        #expect(events.exchange.byteEstimate < 100_000)
        events.send(1, from: "a", MemberID(2))
        #expect(events.got(10) == [1])
        #expect(events.told(2) == ["1 handled"])
    }

    @Test func sequencesCountFromOne() {
        var events = Exchange()
        events.send(0)
        #expect(events.told(1) == ["0 refused"])
    }

    @Test func thereIsRoomForSoManyHandlers() {
        var events = Exchange { $0.handlerMaximum = 1 }
        let one = events.handle(["list"], "one", MemberID(10))
        let two = events.handle(["list"], "two", MemberID(11))
        #expect(one && !two)
        events.leave("one", MemberID(10))
        events.pass(seconds: 5)
        let second = events.handle(["list"], "two", MemberID(11))
        #expect(second)
    }
}
