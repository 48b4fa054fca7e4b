/// A message from an edge to a room's owner over their link. Numbers of members are the edge's own.
public enum RelayRequest: Equatable, Sendable {
    /// A member is to be admitted to the room.
    case join(member: UInt64, RelayApplicant)
    /// A member sends a message of the protocol, in binary form.
    case message(member: UInt64, [UInt8])
    /// A member is gone.
    case leave(member: UInt64)
    /// A member's session is not to be resumed, for an administrator removed the member.
    case revoke(member: UInt64)
}

/// A member of a room whose connection is at another node, as that node admitted it.
public struct RelayApplicant: Equatable, Sendable {
    /// The number of its role in the protocol.
    public var role: UInt8
    /// Whether it may create rooms.
    public var makesRooms: Bool
    /// Whether its messages are JSON; else they are binary.
    public var isJSON: Bool
    /// The subject of its token; empty without one.
    public var subject: String
    /// Its hello, as a message in binary form.
    public var hello: [UInt8]

    /// Its rights beyond the role, as a text; empty for none.
    public var rights: String

    /// Makes an applicant.
    public init(
        role: UInt8, makesRooms: Bool, isJSON: Bool, subject: String, hello: [UInt8],
        rights: String = ""
    ) {
        self.rights = rights
        self.role = role
        self.makesRooms = makesRooms
        self.isJSON = isJSON
        self.subject = subject
        self.hello = hello
    }
}

/// A message from a room's owner to an edge.
public enum RelayDelivery: Equatable, Sendable {
    /// Messages for some members, in the order given; each payload is one message.
    case send(members: [UInt64], payloads: [[UInt8]])
    /// A member's connection is to be closed.
    case close(member: UInt64, code: UInt16, reason: String)
}

extension RelayRequest {
    /// The request's bytes.
    ///
    /// - Throws: `RecordError.nameTooLong` for a subject that does not fit.
    public func encoded() throws(RecordError) -> [UInt8] {
        var writer = RecordWriter()
        switch self {
        case .join(let member, let applicant):
            // A node of an earlier release refuses the second: it would not hold a member to its
            // rights.
            writer.number(UInt8(applicant.rights.isEmpty ? 1 : 5))
            writer.number(member)
            writer.number(applicant.role)
            writer.number(UInt8(applicant.makesRooms ? 1 : 0))
            writer.number(UInt8(applicant.isJSON ? 1 : 0))
            try writer.text(applicant.subject)
            try writer.block(applicant.hello)
            if !applicant.rights.isEmpty { try writer.text(applicant.rights) }
        case .message(let member, let bytes):
            writer.number(UInt8(2))
            writer.number(member)
            try writer.block(bytes)
        case .leave(let member):
            writer.number(UInt8(3))
            writer.number(member)
        case .revoke(let member):
            writer.number(UInt8(4))
            writer.number(member)
        }
        return writer.bytes
    }

    /// Reads a request.
    ///
    /// - Throws: `PacketError.unreadable` for bytes that are none.
    public static func decode(_ bytes: [UInt8]) throws(PacketError) -> RelayRequest {
        do throws(RecordError) {
            var reader = RecordReader(bytes, in: 0..<bytes.count)
            let kind = try reader.number(UInt8.self)
            let member = try reader.number(UInt64.self)
            let request: RelayRequest
            switch kind {
            case 1, 5:
                let role = try reader.number(UInt8.self)
                let makesRooms = try reader.flag()
                let isJSON = try reader.flag()
                let subject = try reader.text()
                let hello = try reader.block()
                request = .join(
                    member: member,
                    RelayApplicant(
                        role: role, makesRooms: makesRooms, isJSON: isJSON, subject: subject,
                        hello: hello, rights: kind == 5 ? try reader.text() : ""))
            case 2: request = .message(member: member, try reader.block())
            case 3: request = .leave(member: member)
            case 4: request = .revoke(member: member)
            default: throw .invalidValue(offset: 0, expected: "1 to 5")
            }
            try reader.finish()
            return request
        } catch {
            throw .unreadable(error)
        }
    }
}

extension RelayDelivery {
    /// The delivery's bytes.
    ///
    /// - Throws: `RecordError.nameTooLong` for a reason that does not fit.
    /// - Complexity: O(bytes).
    public func encoded() throws(RecordError) -> [UInt8] {
        var writer = RecordWriter()
        switch self {
        case .send(let members, let payloads):
            writer.number(UInt8(1))
            writer.number(UInt32(truncatingIfNeeded: members.count))
            for member in members { writer.number(member) }
            writer.number(UInt32(truncatingIfNeeded: payloads.count))
            for payload in payloads { try writer.block(payload) }
        case .close(let member, let code, let reason):
            writer.number(UInt8(2))
            writer.number(member)
            writer.number(code)
            try writer.text(reason)
        }
        return writer.bytes
    }

    /// Reads a delivery.
    ///
    /// - Throws: `PacketError.unreadable` for bytes that are none.
    /// - Complexity: O(bytes).
    public static func decode(_ bytes: [UInt8]) throws(PacketError) -> RelayDelivery {
        do throws(RecordError) {
            var reader = RecordReader(bytes, in: 0..<bytes.count)
            let delivery: RelayDelivery
            switch try reader.number(UInt8.self) {
            case 1:
                var members: [UInt64] = []
                for _ in 0..<(try reader.count(bytesEach: 8)) {
                    members.append(try reader.number(UInt64.self))
                }
                var payloads: [[UInt8]] = []
                for _ in 0..<(try reader.count(bytesEach: 4)) {
                    payloads.append(try reader.block())
                }
                delivery = .send(members: members, payloads: payloads)
            case 2:
                let member = try reader.number(UInt64.self)
                let code = try reader.number(UInt16.self)
                delivery = .close(member: member, code: code, reason: try reader.text())
            default: throw .invalidValue(offset: 0, expected: "1 or 2")
            }
            try reader.finish()
            return delivery
        } catch {
            throw .unreadable(error)
        }
    }
}
