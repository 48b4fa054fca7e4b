public import JSON
public import SceneDocument

/// Type bytes of what clients send.
enum ClientType: UInt8, MessageType {
    static let names = MessageNames<Self>()

    case hello = 1
    case ack, ops, resync, ping, presence
    case undo, redo, subscribe, seek, trace, inspect
    /// 0x0D stands for an unknown type in the vectors of version 1.
    case device = 0x0E
    case follow
    case event = 0x20, handle, handled
}

extension ClientMessage: CodedMessage, WireMessage {
    func accept<Visitor: PayloadVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
        switch self {
        case .hello(let fields): visitor.visit(ClientType.hello, fields)
        case .ack(let fields): visitor.visit(ClientType.ack, fields)
        case .ops(let fields): visitor.visit(ClientType.ops, fields)
        case .resync(let fields): visitor.visit(ClientType.resync, fields)
        case .ping(let fields): visitor.visit(ClientType.ping, fields)
        case .presence(let fields): visitor.visit(ClientType.presence, fields)
        case .undo(let fields): visitor.visit(ClientType.undo, fields)
        case .redo(let fields): visitor.visit(ClientType.redo, fields)
        case .subscribe(let fields): visitor.visit(ClientType.subscribe, fields)
        case .seek(let fields): visitor.visit(ClientType.seek, fields)
        case .trace(let fields): visitor.visit(ClientType.trace, fields)
        case .inspect(let fields): visitor.visit(ClientType.inspect, fields)
        case .device(let fields): visitor.visit(ClientType.device, fields)
        case .follow(let fields): visitor.visit(ClientType.follow, fields)
        case .event(let fields): visitor.visit(ClientType.event, fields)
        case .handle(let fields): visitor.visit(ClientType.handle, fields)
        case .handled(let fields): visitor.visit(ClientType.handled, fields)
        }
    }

    static func read<Decoder: FieldCoder>(
        _ type: ClientType, _ decoder: inout Decoder
    ) throws(DecodeError) -> ClientMessage where Decoder.Failure == DecodeError {
        switch type {
        case .hello: .hello(try fields(&decoder))
        case .ack: .ack(try fields(&decoder))
        case .ops: .ops(try fields(&decoder))
        case .resync: .resync(try fields(&decoder))
        case .ping: .ping(try fields(&decoder))
        case .presence: .presence(try fields(&decoder))
        case .undo: .undo(try fields(&decoder))
        case .redo: .redo(try fields(&decoder))
        case .subscribe: .subscribe(try fields(&decoder))
        case .seek: .seek(try fields(&decoder))
        case .trace: .trace(try fields(&decoder))
        case .inspect: .inspect(try fields(&decoder))
        case .device: .device(try fields(&decoder))
        case .follow: .follow(try fields(&decoder))
        case .event: .event(try fields(&decoder))
        case .handle: .handle(try fields(&decoder))
        case .handled: .handled(try fields(&decoder))
        }
    }

    /// Appends the message's bytes: its type and its fields.
    public func encode(to output: inout [UInt8]) { encodeFields(to: &output) }

    /// The message as an object of its type's name and its fields.
    public var json: JSONValue { objectWithType }

    /// Reads a message from bytes.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    public static func decode(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ClientMessage {
        try decodeBinary(bytes, limits)
    }

    /// Reads a message from JSON.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the text is.
    public static func decode(
        json: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ClientMessage {
        try decodeJSON(json, limits)
    }
}
