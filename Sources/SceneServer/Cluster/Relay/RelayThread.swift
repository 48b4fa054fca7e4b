import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import Threads

/// The thread of all members that are at another node than their room's owner: those at this node,
/// whose rooms other nodes own, and those at other nodes, whose rooms this one owns.
final class RelayThread: Sendable {
    /// What waits for the thread.
    enum Mail: Sendable {
        /// What a connection at this node wants of a room that another node owns.
        case edge(room: String, MemberMail)
        /// Messages of a room here for members at other nodes.
        case send([[UInt8]], to: [MemberID])
        /// A room here closes a member at another node.
        case close(MemberID, CloseCode, String)
        /// Another node sent a packet.
        case packet([UInt8])
        /// An administrator's request to another node, and whom to tell what became of it.
        case request(
            NodeRequest, room: String, of: NodeLife, @Sendable (NodeOutcome) -> Void)
        /// The reply to a request of another node.
        case reply(NodeReply, to: RequestHost.Key)
        /// Who carries out requests of other nodes.
        case handler(any NodeRequestHandler)
        /// Another connection to the engine.
        case engine(any ClusterEngine)
        /// What is known of the cluster has changed.
        case view
        case stop
    }

    private let thread = OwnedThread(name: "relay")
    private let inbox = Monitor([Mail]())
    private let parts: RelayLoop.Parts

    /// Makes a thread without starting it.
    init(_ parts: RelayLoop.Parts) { self.parts = parts }

    /// Starts the thread. Must be called once.
    func start(as identity: NodeLife, engine: any ClusterEngine) {
        thread.start { [inbox, parts] in
            RelayLoop(identity, engine: engine, inbox: inbox, parts: parts).run()
        }
    }

    /// Ends the thread if it was started; members' connections are left as they are.
    func stop() {
        post(.stop)
        if thread.hasStarted { thread.join() }
        inbox.withLock { $0 = [] }
    }

    /// Posts mail. From any thread.
    func post(_ mail: Mail) { RelayMailbox(inbox).post(mail) }
}

/// What waits for the relay's thread. Safe from any thread.
struct RelayMailbox: Sendable {
    private let inbox: Monitor<[RelayThread.Mail]>

    init(_ inbox: Monitor<[RelayThread.Mail]>) { self.inbox = inbox }

    /// Posts mail.
    func post(_ mail: RelayThread.Mail) {
        inbox.withLock { $0.append(mail) }
        inbox.wake()
    }
}

/// Members' connections at this node and at others.
struct ClusterConnections: MemberConnections {
    let local: any MemberConnections
    let relay: RelayThread

    func send(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        guard members.contains(where: RelayHost.isRelayed) else {
            return local.send(payloads, format, to: members)
        }
        let here = members.filter { !RelayHost.isRelayed($0) }
        if !here.isEmpty { local.send(payloads, format, to: here) }
        relay.post(.send(payloads, to: members.filter(RelayHost.isRelayed)))
    }

    func offer(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        let here = members.filter { !RelayHost.isRelayed($0) }
        if !here.isEmpty { local.offer(payloads, format, to: here) }
        let elsewhere = members.filter(RelayHost.isRelayed)
        if !elsewhere.isEmpty { relay.post(.send(payloads, to: elsewhere)) }
    }

    func close(_ member: MemberID, _ code: CloseCode, reason: String) {
        guard RelayHost.isRelayed(member) else {
            return local.close(member, code, reason: reason)
        }
        relay.post(.close(member, code, reason))
    }
}
