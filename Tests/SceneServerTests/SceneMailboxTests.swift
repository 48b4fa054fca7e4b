import Dispatch
import Foundation
import SceneSession
import SceneWire
import Synchronization
import Testing
import Threads

@testable import SceneServer

@Suite("A scene thread's mailbox")
struct SceneMailboxTests {
    @Test("acknowledgements do not wake a thread that is to run a tick, one after another")
    func crowd() {
        let clock = TickClock(rate: 1)
        let mailbox = SceneMailbox(clock)
        let owner = Owner(mailbox, until: clock.tick + 2)
        // A thread that is woken has taken each before the next comes.
        for number in 0..<20 {
            mailbox.post(acknowledgement(number))
            owner.waitForTake(seconds: 0.005)
        }
        mailbox.post(.stop)
        let takes = owner.takes()
        #expect(takes.flatMap(\.self) == Array(0..<20))
        // All at once, but for the moments of the clock that may lie between.
        #expect(takes.count <= 3)
    }

    @Test("what cannot wait comes at once, after what came before it")
    func order() {
        let clock = TickClock(rate: 1)
        let mailbox = SceneMailbox(clock)
        for number in 0..<3 { mailbox.post(acknowledgement(number)) }
        mailbox.post(.room("3", .member(.left(MemberID(1)))))
        mailbox.post(acknowledgement(4))
        // Far from the end of an hour's ticks.
        #expect(mailbox.take(until: clock.tick + 3600).map(\.number) == [0, 1, 2, 3, 4])
        #expect(mailbox.takeNow().isEmpty)
    }

    @Test("an acknowledgement is looked at within a tick or two, even where no tick is to run")
    func idle() {
        let clock = TickClock(rate: 50)
        let mailbox = SceneMailbox(clock)
        let owner = Owner(mailbox, until: nil)
        mailbox.post(acknowledgement(0))
        owner.waitForTake()
        mailbox.post(acknowledgement(1))
        owner.waitForTake()
        mailbox.post(.stop)
        #expect(owner.takes().flatMap(\.self) == [0, 1])
    }

    @Test("a tick ends the wait")
    func tick() {
        let clock = TickClock(rate: 50)
        let mailbox = SceneMailbox(clock)
        let tick = clock.tick + 3
        // It may look before, each time for acknowledgements.
        while clock.tick < tick { #expect(mailbox.take(until: tick).isEmpty) }
    }

    @Test("what is taken is not given again")
    func once() {
        let clock = TickClock(rate: 4)
        let mailbox = SceneMailbox(clock)
        let tick = clock.tick + 2
        mailbox.post(acknowledgement(0))
        let owner = Owner(mailbox, until: tick)
        owner.waitForTake()
        mailbox.post(acknowledgement(1))
        mailbox.post(.stop)
        #expect(owner.takes() == [[0], [1]])
    }

    private func acknowledgement(_ number: Int) -> SceneMail {
        .room("\(number)", .member(.message(MemberID(1), .ack(Ack()))))
    }
}

/// Takes mail on a thread of its own until it is told to stop.
private final class Owner: Sendable {
    private let taken = Mutex<[[Int]]>([])
    private let took = DispatchSemaphore(value: 0)
    private let thread = OwnedThread(name: "takes mail")

    init(_ mailbox: SceneMailbox, until tick: ClockTick?) {
        thread.start { [self] in
            while true {
                let mail = mailbox.take(until: tick)
                let numbers = mail.compactMap(\.number)
                if !numbers.isEmpty {
                    taken.withLock { $0.append(numbers) }
                    took.signal()
                }
                if mail.contains(where: { if case .stop = $0 { true } else { false } }) { break }
            }
        }
    }

    /// Waits until something was taken, each time something else, or for a time at most.
    func waitForTake(seconds: Double = 10) { _ = took.wait(timeout: .now() + seconds) }

    /// The numbers of each take that brought some, once the thread has ended.
    func takes() -> [[Int]] {
        thread.join()
        return taken.withLock { $0 }
    }
}

extension SceneMail {
    /// The number that a test has put in its room's place.
    fileprivate var number: Int? {
        switch self {
        case .room(let room, .member): Int(room)
        default: nil
        }
    }
}
