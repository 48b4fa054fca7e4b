public import SceneCluster
private import Threads

/// NATS JetStream as the engine that replicates a cluster's records: the one module that knows
/// NATS.
///
/// It carries out the `EngineRequest`s of any number of owners, each of which is answered once, and
/// passes messages that nothing keeps (beats). It owns one connection, which looks for another
/// server when one is lost, and one thread; events come on that thread. What requests mean and when
/// they are asked again is left to the owner.
public final class NATSEngine: Sendable {
    private let thread: OwnedThread
    private let mailbox = EngineMailbox()

    /// Connects and waits until a server has said that it can be used.
    ///
    /// - Parameters:
    ///   - layout: The subjects and streams of the cluster.
    ///   - deliver: Takes events on the engine's thread; it must not wait.
    /// - Throws: `NATSError`; `serverTooOld` for a server that cannot fence.
    public init(
        _ configuration: NATSConfiguration, layout: ClusterLayout,
        deliver: @escaping @Sendable (EngineEvent) -> Void
    ) throws(NATSError) {
        // The library's calls need little; the answers are read here, too.
        let thread = OwnedThread(name: "engine", stackBytes: 1 << 20)
        let started = Monitor(Result<Void, NATSError>?.none)
        let mailbox = mailbox
        thread.start {
            do throws(NATSError) {
                let loop = try EngineLoop(
                    configuration, layout: layout, mailbox: mailbox, deliver: deliver)
                started.withLock { $0 = .success(()) }
                started.wake()
                loop.run()
            } catch {
                started.withLock { $0 = .failure(error) }
                started.wake()
            }
            NATSConnection.leaveThread()
        }
        self.thread = thread
        let outcome = started.wait { outcome, _ in outcome.map { .finish($0) } ?? .wait }
        switch outcome {
        case .success: break
        case .failure(let error):
            thread.join()
            throw error
        }
    }

    deinit { mailbox.put(.stop) }

    /// Carries a request out. Its reply comes as an event; until then the time-out of the
    /// configuration runs.
    ///
    /// - Parameter id: What the reply is known by; no number may be used twice.
    /// - Returns: False if too many requests wait; the request is dropped and has no reply.
    @discardableResult
    public func perform(_ request: EngineRequest, as id: RequestID) -> Bool {
        mailbox.put(.perform(id, request))
    }

    /// Sends a message that nothing keeps. It arrives at most once, and not at all while there is
    /// no connection.
    ///
    /// - Returns: False if too much waits; the message is dropped.
    @discardableResult
    public func publish(_ bytes: [UInt8], to subject: String) -> Bool {
        mailbox.put(.publish(subject: subject, bytes: bytes))
    }

    /// Hears messages that nothing keeps, as events; also after the connection was lost and another
    /// one is there.
    public func subscribe(to subject: String) { mailbox.put(.subscribe(subject: subject)) }

    /// Closes the connection and waits for the thread's end. Requests without an answer get
    /// `unknown`. A second call does nothing.
    ///
    /// - Precondition: Not called in `deliver`.
    public func close() {
        mailbox.put(.stop)
        thread.join()
    }
}
