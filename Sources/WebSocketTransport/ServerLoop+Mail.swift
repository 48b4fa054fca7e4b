import CLibWebSockets
import CTransportShims
import Foundation

/// What was taken from the mailbox, and how much of it is done.
struct MailInHand {
    let commands: ContiguousArray<ServerCommand>
    /// The message that goes to most; mostly a tick's frame, beside a result for the one who brought it about.
    let widest: Int?
    /// Who is sent others too.
    let several: Set<ConnectionID>
    /// The command that is next, and which of its receivers, if it is the widest.
    var next = 0
    var nextReceiver = 0

    init(_ commands: ContiguousArray<ServerCommand>) {
        self.commands = commands
        var widest: (index: Int, count: Int)?
        for (index, command) in commands.enumerated() {
            guard case .send(_, let ids) = command else { continue }
            if ids.count > widest?.count ?? 0 { widest = (index, ids.count) }
        }
        var several: Set<ConnectionID> = []
        for (index, command) in commands.enumerated() where index != widest?.index {
            if case .send(_, let ids) = command { several.formUnion(ids) }
        }
        self.widest = widest?.index
        self.several = several
    }
}

/// The mailbox.
extension ServerLoop {
    /// Carries out what other threads asked for, in order. Who is sent one message gets it at once; who is sent several
    /// gets them in one write.
    func takeMail() {
        var mail = mailInHand ?? MailInHand(events.take())
        mailInHand = nil
        let moment = DispatchTime.now().uptimeNanoseconds
        var touched: [Connection] = []
        carrying: while mail.next < mail.commands.count {
            switch mail.commands[mail.next] {
            case .send(let message, let ids):
                guard deliver(message, ids, &mail, moment, &touched) else {
                    mailInHand = mail
                    events.wake()
                    break carrying
                }
            case .adopt(let descriptor, let id, let address): adopt(descriptor, id, address)
            case .respond(let id, let serial, let response): respond(id, serial, response)
            case .close(let id, let code, let reason):
                if let connection = receiver(id), let wsi = connection.wsi {
                    connection.closing = (code, reason)
                    lws_callback_on_writable(wsi)
                    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 5)
                }
            case .sweep(let seconds): sweep(seconds)
            case .certificate(let material):
                if let secureContext, !material.install(in: secureContext) {
                    TransportLog.emit("a new certificate could not be installed")
                }
            case .stop(let code, let reason): beginStop(code, reason)
            }
            mail.next += 1
        }
        var joined = JoinedMessages()
        for connection in touched {
            if !connection.startFlush(&joined, now: now, moment: moment) { kill(connection) }
            checkOutbox(connection)
        }
        endIfStopped()
    }

    /// - Returns: Whether all have it; false where the rest has to wait for its turn.
    private func deliver(
        _ message: FramedMessage, _ ids: [ConnectionID], _ mail: inout MailInHand,
        _ moment: UInt64, _ touched: inout [Connection]
    ) -> Bool {
        guard mail.next == mail.widest else {
            for id in ids { enqueue(message, id, &touched) }
            return true
        }
        let end = min(ids.count, mail.nextReceiver + max(configuration.writesAtOnce, 1))
        for id in ids[mail.nextReceiver..<end] {
            if !mail.several.isEmpty, mail.several.contains(id) {
                enqueue(message, id, &touched)
                continue
            }
            guard let connection = receiver(id) else { continue }
            if !connection.write(message, now: now, moment: moment) { kill(connection) }
            if connection.isBlocked { checkOutbox(connection) }
        }
        mail.nextReceiver = end
        return end == ids.count
    }

    private func enqueue(
        _ message: FramedMessage, _ id: ConnectionID, _ touched: inout [Connection]
    ) {
        guard let connection = receiver(id) else { return }
        if connection.outbox.isEmpty { touched.append(connection) }
        connection.enqueue(message)
    }
}
