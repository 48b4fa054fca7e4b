import CLibWebSockets
import CTransportShims

/// The message of a wake-up with the most receivers, mostly a tick's frame: it goes out to some of
/// them at a time.
struct Broadcast {
    let message: FramedMessage
    let receivers: [ConnectionID]
    /// Receivers that got it in one write with other messages.
    let served: Set<ConnectionID>
    /// The index of the next receiver.
    var next = 0
}

/// The mailbox.
extension ServerLoop {
    /// Carries out the commands of other threads, in order. A connection that is sent several
    /// messages gets them in one write, before all connections that are sent only the broadcast:
    /// those that take part are few, and wait for what they caused.
    func takeMail() {
        let moment = MonotonicClock.nanoseconds
        if broadcast == nil { carryOut(events.take(), moment) }
        if broadcast != nil { goOnBroadcasting(moment) }
        endIfStopped()
    }

    private func carryOut(_ commands: ContiguousArray<ServerCommand>, _ moment: UInt64) {
        let widest = Self.widest(commands)
        var served: Set<ConnectionID> = []
        if widest != nil {
            for (index, command) in commands.enumerated() where index != widest {
                switch command {
                case .send(_, let ids): served.formUnion(ids)
                case .close(let id, _, _): served.insert(id)
                case .adopt, .admit, .respond, .decide, .sweep, .certificate, .stop: break
                }
            }
        }
        var touched: [Connection] = []
        for (index, command) in commands.enumerated() {
            switch command {
            case .send(let message, let receivers):
                if index == widest {
                    broadcast = Broadcast(message: message, receivers: receivers, served: served)
                }
                for id in receivers where index != widest || served.contains(id) {
                    guard let connection = receiver(id),
                        connection.takes(message, lagBytes: lagBytes)
                    else { continue }
                    if connection.outbox.isEmpty { touched.append(connection) }
                    connection.enqueue(message)
                    // What waited before this mail is not flushed below, and must not grow unseen.
                    if connection.isBlocked { checkOutbox(connection) }
                }
            case .adopt(let descriptor, let id, let address): adopt(descriptor, id, address)
            case .admit(let id): sockets[id]?.isAdmitted = true
            case .decide(let id, let serial, let refusal): decide(id, serial, refusal)
            case .respond(let id, let serial, let response): respond(id, serial, response)
            case .close(let id, let code, let reason):
                if let connection = receiver(id) { beginClose(connection, code, reason) }
            case .sweep(let seconds): sweep(seconds)
            case .certificate(let material): host.install(material)
            case .stop(let code, let reason): beginStop(code, reason)
            }
        }
        var joined = JoinedMessages()
        for connection in touched {
            if !connection.startFlush(&joined, now: now, moment: moment) { kill(connection) }
            checkOutbox(connection)
        }
    }

    /// The index of the message with the most receivers, which messages to others may overtake;
    /// `nil` where there is no message, and where the loop is to stop, since nothing may follow the
    /// end.
    private static func widest(_ commands: ContiguousArray<ServerCommand>) -> Int? {
        var widest: (index: Int, count: Int)?
        for (index, command) in commands.enumerated() {
            switch command {
            case .send(_, let ids):
                if ids.count > widest?.count ?? 0 { widest = (index, ids.count) }
            case .stop: return nil
            case .adopt, .admit, .respond, .decide, .close, .sweep, .certificate: break
            }
        }
        return widest?.index
    }

    /// Writes to the next receivers; the rest waits until the loop has read what has come in
    /// meanwhile.
    private func goOnBroadcasting(_ moment: UInt64) {
        guard var broadcast else { return }
        let end = min(
            broadcast.receivers.count, broadcast.next + max(configuration.writesAtOnce, 1))
        var upcoming = receiver(ofIndex: broadcast.next, broadcast)
        for index in broadcast.next..<end {
            let present = upcoming
            if index + 1 < end {
                upcoming = receiver(ofIndex: index + 1, broadcast)
                upcoming?.prefetch()
            }
            guard let connection = present,
                connection.takes(broadcast.message, lagBytes: lagBytes)
            else { continue }
            if !connection.write(broadcast.message, now: now, moment: moment) { kill(connection) }
            if connection.isBlocked { checkOutbox(connection) }
        }
        broadcast.next = end
        if end < broadcast.receivers.count {
            self.broadcast = broadcast
            events.wake()
        } else {
            self.broadcast = nil
        }
    }

    private func receiver(ofIndex index: Int, _ broadcast: Broadcast) -> Connection? {
        let id = broadcast.receivers[index]
        return broadcast.served.contains(id) ? nil : receiver(id)
    }
}
