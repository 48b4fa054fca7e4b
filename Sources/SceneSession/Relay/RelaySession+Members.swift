import Annotations
import SceneWire

extension RelaySession {
    // MARK: Coming and going

    func join(_ id: MemberID, _ admission: Admission) {
        guard roster[id] == nil, !applicants.contains(where: { $0.id == id }) else { return }
        let granted = admission.hello.capabilities & SceneSession.capabilities
        var key = StreamKey(animatesLocally: granted & Capability.animations != 0)
        if granted & Capability.subscribe != 0 {
            key.roots = Subtrees.canonical(admission.hello.roots)
        }
        let applicant = WaitingViewer(id: id, admission: admission, key: key)
        let index = open(key)
        guard welcome != nil, streams[index].hasState else {
            applicants.append(applicant)
            return
        }
        admit(applicant)
    }

    /// Admits the applicants whose streams have a state.
    func admitApplicants() {
        guard welcome != nil else { return }
        let ready = applicants.filter { applicant in
            index(applicant.key).map { streams[$0].hasState } ?? false
        }
        applicants.removeAll { applicant in ready.contains { $0.id == applicant.id } }
        for applicant in ready {
            admit(applicant)
            for message in applicant.messages { receive(message, from: applicant.id) }
        }
    }

    private func admit(_ applicant: WaitingViewer) {
        guard let index = index(applicant.key) else { return }
        var admission = applicant.admission
        let key = applicant.key
        let hello = admission.hello
        let granted = hello.capabilities & SceneSession.capabilities
        var token = admission.resumeToken
        let isBack = hello.resume.map { clients.canResume($0, of: admission.subject) } ?? false
        if isBack, let resume = hello.resume {
            // A client that resumes keeps its token: the message with a new one might be lost.
            admission.session = resume.session
            token = resume.token
        }
        let before = clients.stream(of: admission.session)
        clients.note(admission.session, token: token, subject: admission.subject, key)
        let member = roster.add(applicant.id, admission, capabilities: granted, stream: key)
        if granted & Capability.subscribe != 0 {
            roster.setInterval(interval(hello.frameRateMaximum), of: member)
        }
        membersDidChange()
        send([.welcome(welcome(of: member, token, epoch: streams[index].epoch))], to: [member])
        // An edge that does not know the client takes it for one that watched everything.
        if granted & Capability.mergedResume != 0, let resume = hello.resume,
            (isBack ? before : key.whole) == key,
            streams[index].leads(from: resume, tickRate: tickRate),
            let messages = streams[index].merged(since: resume.lastTick)
        {
            let baseline = streams[index].baseline
            send(messages + baseline.selects + [baseline.hashMessage], to: [member])
            expectAcknowledgement(of: baseline.tick, from: member)
            sendInsets(to: [member])
        } else {
            sendState(to: [member])
        }
        if granted & Capability.devices != 0 { send([.device(grant)], to: [member]) }
        if granted & Capability.events != 0 { sendInteractions(to: [member]) }
        if granted & Capability.annotations != 0 { sendAnnotations(to: [member]) }
        if granted & Capability.diagnostics != 0, let diagnostics {
            send([.diagnostics(diagnostics)], to: [member])
        }
        send(presenceMessages, to: [member])
    }

    private func welcome(of member: Member, _ token: String, epoch: UInt64) -> Welcome {
        var welcome = welcome ?? Welcome()
        welcome.session = member.admission.session
        welcome.resumeToken = token
        welcome.epoch = epoch
        welcome.capabilities = member.capabilities
        welcome.tick = tick
        // Members here all have the main device, which may have changed since the owner's welcome.
        welcome.unitsPerPoint = grant.unitsPerPoint
        welcome.viewport = grant.viewport
        welcome.scale = grant.scale
        welcome.cell = grant.cell
        welcome.monotonicMilliseconds = member.admission.monotonicMilliseconds
        welcome.limits = member.admission.limits
        welcome.limits.unacknowledgedFrames = UInt32(clamping: options.unacknowledgedMaximum)
        welcome.role = member.admission.role
        welcome.alternates = member.admission.alternates
        if !member.has(Capability.events) { welcome.incarnation = nil }
        welcome.person =
            member.has(Capability.annotations)
            ? Person(
                session: member.admission.session, subject: member.admission.subject, name: ""
            ).key : nil
        // The owner gives members here their numbers later; they learn them from their own
        // presence.
        welcome.client = nil
        return welcome
    }

    func leave(_ id: MemberID) {
        applicants.removeAll { $0.id == id }
        guard roster.remove(id) != nil else { return }
        membersDidChange()
    }

    // MARK: Messages

    func receive(_ message: ClientMessage, from id: MemberID) {
        guard let member = roster[id] else {
            _ = hold(message, of: id)
            return
        }
        switch message {
        case .hello: effects.append(.close(id, .badFrame, "a second hello"))
        case .ack(let ack): acknowledge(ack.tick, member)
        case .resync(let resync):
            if isToHaveStateAgain(resync, member), member.phase != .expecting {
                sendState(to: [member])
            }
        case .ping(let ping):
            var pong = Pong()
            pong.t0 = ping.t0
            send([.pong(pong)], to: [member])
        case .subscribe(let request) where member.has(Capability.subscribe):
            subscribe(request, member)
        case .subscribe, .ops, .undo, .redo, .presence, .seek, .trace, .inspect, .device, .follow,
            .event,
            .handle, .handled:
            // The owner alone can answer it, if only by refusing it.
            handOver(member, message)
        }
    }

    private func handOver(_ member: Member, _ message: ClientMessage) {
        var hello = member.admission.hello
        hello.capabilities = member.capabilities
        hello.roots = member.stream.roots
        hello.resume = nil
        hello.frameRateMaximum =
            member.interval > 1 ? UInt32(clamping: UInt64(tickRate) / member.interval) : 0
        leave(member.id)
        ask(
            .handOver(
                member.id, member.admission.format, subject: member.admission.subject, hello,
                message))
    }

    private func subscribe(_ request: Subscribe, _ member: Member) {
        roster.setInterval(interval(request.frameRateMaximum), of: member)
        membersDidChange()
        let key = StreamKey(
            animatesLocally: member.stream.animatesLocally,
            roots: Subtrees.canonical(request.roots))
        guard key != member.stream else {
            // A member that received fewer frames must catch up before it receives every tick.
            if member.phase == .inStep, member.interval == 1 { catchUp(member) }
            return
        }
        let index = open(key)
        member.change(to: key)
        clients.change(member.admission.session, to: key)
        if streams[index].hasState {
            sendState(to: [member])
        } else {
            member.phase = .expecting
        }
    }
}
