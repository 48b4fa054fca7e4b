import SceneCluster
import SceneSession
import SceneWire

/// A room of another node, as far as members of it have their connections here: viewers, whom a
/// `RelaySession` serves, and those who need the owner itself, whose messages go to and fro as they
/// are.
struct EdgeRoom {
    /// A member that the owner serves.
    private struct Guest {
        var format: Subprotocol
        /// Whether it was welcomed here, and the owner's welcome is not for it.
        var isWelcomed: Bool
        /// The request to the owner, until the owner answers: another owner is asked the same. Its
        /// messages wait for the answer, since the owner may have to open the room first.
        var unanswered: Waiting?
    }

    /// An effect.
    enum Effect {
        case send([[UInt8]], Subprotocol, to: [MemberID])
        case close(MemberID, CloseCode, String)
        case request(RelayRequest)
    }

    /// The numbers of streams' viewers on the link; members have those of their connections.
    private static let firstStream: UInt64 = 1 << 62
    /// Messages of a guest that wait for the owner.
    private static let waitingMaximum = 64

    private let session: RelaySession
    private var guests: [MemberID: Guest] = [:]
    /// Guests for whom the owner cannot be asked yet.
    private struct Waiting {
        var member: MemberID
        var applicant: Applicant
        var isWelcomed: Bool
        var messages: [ClientMessage]
    }

    private var waiting: [Waiting] = []
    private var isAttached = false

    init(_ session: RelaySession) { self.session = session }

    var isEmpty: Bool { session.isEmpty && guests.isEmpty && waiting.isEmpty }
    var needsTime: Bool { session.needsTime }
    var tickRate: Int { session.tickRate }
    var memberCount: Int { session.memberCount + guests.count + waiting.count }

    // MARK: Members

    /// Admits a viewer here, and asks the owner to admit any other member.
    mutating func join(
        _ member: MemberID, _ applicant: Applicant, as admission: Admission
    ) -> [Effect] {
        guard RelaySession.serves(applicant.role, applicant.hello, applicant.rights),
            !applicant.makesRooms
        else {
            return admit(member, applicant, isWelcomed: false, [])
        }
        return carryOut(session.handle(.joined(member, admission)))
    }

    mutating func receive(_ message: ClientMessage, from member: MemberID) -> [Effect] {
        if let index = waiting.firstIndex(where: { $0.member == member }) {
            guard waiting[index].messages.count < Self.waitingMaximum else {
                waiting.remove(at: index)
                return [.close(member, .draining, Self.absence)]
            }
            waiting[index].messages.append(message)
            return []
        }
        guard let guest = guests[member] else {
            return carryOut(session.handle(.received(member, message)))
        }
        guard let request = guest.unanswered else { return [Self.passOn(message, of: member)] }
        guard request.messages.count < Self.waitingMaximum else {
            return leave(member) + [.close(member, .draining, Self.absence)]
        }
        guests[member]?.unanswered?.messages.append(message)
        return []
    }

    private static let absence = "the room's owner is not there; connect again"

    private static func passOn(_ message: ClientMessage, of member: MemberID) -> Effect {
        .request(.message(member: member.rawValue, message.encoded(as: .binary)))
    }

    mutating func leave(_ member: MemberID) -> [Effect] {
        waiting.removeAll { $0.member == member }
        guard guests.removeValue(forKey: member) == nil else {
            return isAttached ? [.request(.leave(member: member.rawValue))] : []
        }
        return carryOut(session.handle(.left(member)))
    }

    /// Has the owner revoke the session of a member that it serves; of the others there is none.
    func revoke(_ member: MemberID) -> [Effect] {
        guard isAttached, guests[member] != nil else { return [] }
        return [.request(.revoke(member: member.rawValue))]
    }

    private mutating func admit(
        _ member: MemberID, _ applicant: Applicant, isWelcomed: Bool,
        _ messages: [ClientMessage]
    ) -> [Effect] {
        let request = Waiting(
            member: member, applicant: applicant, isWelcomed: isWelcomed, messages: messages)
        guard isAttached else {
            waiting.append(request)
            return []
        }
        guests[member] = Guest(
            format: applicant.format, isWelcomed: isWelcomed, unanswered: request)
        return [.request(.join(member: member.rawValue, applicant.encoded))]
    }

    // MARK: The owner

    /// The owner can be asked, over a new link.
    mutating func attach() -> [Effect] {
        isAttached = true
        let others = waiting
        waiting = []
        return others.flatMap {
            admit($0.member, $0.applicant, isWelcomed: $0.isWelcomed, $0.messages)
        }
            + carryOut(session.handle(.attached))
    }

    /// The link to the owner has ended. Viewers keep their picture. Members that the owner served
    /// are closed: they come back, and send again what has no answer, since an owner that died may
    /// have kept it. Those to whom it had said nothing yet wait for the next.
    ///
    /// - Parameters:
    ///   - code: Whether they are to come back here or elsewhere.
    ///   - livesOn: Whether the owner gave the room away and still sends to viewers until another
    ///     owner has it.
    mutating func detach(
        _ code: CloseCode, _ reason: String, livesOn: Bool
    ) -> [Effect] {
        isAttached = false
        let all = guests.sorted { $0.key < $1.key }
        guests = [:]
        waiting += all.compactMap(\.value.unanswered)
        let gone = all.filter { $0.value.unanswered == nil }
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.isRetryable = true
        error.text = reason
        return gone.flatMap { member, guest -> [Effect] in
            [
                .send(
                    [ServerMessage.error(error).encoded(as: guest.format)], guest.format,
                    to: [member]),
                .close(member, code, reason),
            ]
        } + carryOut(session.handle(livesOn ? .handedOver : .detached))
    }

    /// Whether something is shown here that an owner sends which gave the room away.
    var followsFormer: Bool { session.followsFormer }

    /// Takes what such an owner sends: of its members the streams alone are left.
    mutating func takeOfFormer(_ delivery: RelayDelivery) -> [Effect] {
        switch delivery {
        case .send(let numbers, let payloads):
            take(.send(members: numbers.filter { $0 >= Self.firstStream }, payloads: payloads))
        // The room is about to end there.
        case .close(let number, _, _) where number >= Self.firstStream: endFormer()
        case .close: []
        }
    }

    /// Such an owner sends nothing more.
    mutating func endFormer() -> [Effect] { carryOut(session.handle(.formerEnded)) }

    mutating func take(_ delivery: RelayDelivery) -> [Effect] {
        switch delivery {
        case .send(let numbers, let payloads):
            var effects: [Effect] = []
            var ids: [Subprotocol: [MemberID]] = [:]
            for number in numbers {
                guard number < Self.firstStream else {
                    effects += carryOut(
                        session.handle(
                            .delivered(stream: number - Self.firstStream, payloads)))
                    continue
                }
                let member = MemberID(number)
                guard let guest = guests[member] else { continue }
                let messages = guest.unanswered?.messages ?? []
                effects += messages.map { Self.passOn($0, of: member) }
                guests[member]?.unanswered = nil
                if guest.isWelcomed, Self.isWelcome(payloads, guest.format) {
                    guests[member]?.isWelcomed = false
                    continue
                }
                ids[guest.format, default: []].append(member)
            }
            for format in Subprotocol.allCases {
                if let ids = ids[format] { effects.append(.send(payloads, format, to: ids)) }
            }
            return effects
        case .close(let number, let rawCode, let reason):
            // A code of a later version's.
            let code = CloseCode(rawValue: rawCode) ?? .draining
            guard number < Self.firstStream else {
                return carryOut(
                    session.handle(.ended(stream: number - Self.firstStream, code, reason)))
            }
            guard guests.removeValue(forKey: MemberID(number)) != nil else { return [] }
            return [.close(MemberID(number), code, reason)]
        }
    }

    private static func isWelcome(_ payloads: [[UInt8]], _ format: Subprotocol) -> Bool {
        guard let first = payloads.first,
            case .welcome? = try? ServerMessage.decode(first, as: format)
        else { return false }
        return true
    }

    // MARK: Time

    mutating func elapse(_ ticks: UInt64) -> [Effect] {
        carryOut(session.handle(.elapsed(ticks: ticks)))
    }

    private mutating func carryOut(_ effects: [RelayEffect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .send(let payloads, let format, let members):
                return [.send(payloads, format, to: members)]
            case .close(let member, let code, let reason): return [.close(member, code, reason)]
            case .watch(let stream, let hello):
                let viewer = Applicant(
                    role: .viewer, makesRooms: false, format: .binary, hello: hello)
                return [.request(.join(member: Self.firstStream + stream, viewer.encoded))]
            case .tell(let stream, let message):
                return [
                    .request(
                        .message(member: Self.firstStream + stream, message.encoded(as: .binary)))
                ]
            case .leave(let stream):
                return [.request(.leave(member: Self.firstStream + stream))]
            case .handOver(let member, let format, let subject, let hello, let message):
                let applicant = Applicant(
                    role: .viewer, makesRooms: false, format: format, hello: hello,
                    subject: subject)
                return admit(member, applicant, isWelcomed: true, [message])
            }
        }
    }
}
