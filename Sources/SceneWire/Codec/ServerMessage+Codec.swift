public import JSON
public import SceneDocument

/// Type bytes of what the server sends.
enum ServerType: UInt8, MessageType {
    static let names = MessageNames<Self>()

    case welcome = 0x41
    case snapshot, frame, select, tree, content, hash, result, error, pong, presence
    case anim, diagnostics, trace, keyframe, inspection
    /// 0x51 stands for an unknown type in the vectors of version 1.
    case device = 0x52
    case interactions, event, eventResults, insets, annotations, records
}

extension ServerMessage: CodedMessage, WireMessage {
    func accept<Visitor: PayloadVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
        switch self {
        case .welcome(let fields): visitor.visit(ServerType.welcome, fields)
        case .snapshot(let fields): visitor.visit(ServerType.snapshot, fields)
        case .frame(let fields): visitor.visit(ServerType.frame, fields)
        case .select(let fields): visitor.visit(ServerType.select, fields)
        case .tree(let fields): visitor.visit(ServerType.tree, fields)
        case .content(let fields): visitor.visit(ServerType.content, fields)
        case .hash(let fields): visitor.visit(ServerType.hash, fields)
        case .result(let fields): visitor.visit(ServerType.result, fields)
        case .error(let fields): visitor.visit(ServerType.error, fields)
        case .pong(let fields): visitor.visit(ServerType.pong, fields)
        case .presence(let fields): visitor.visit(ServerType.presence, fields)
        case .diagnostics(let fields): visitor.visit(ServerType.diagnostics, fields)
        case .anim(let fields): visitor.visit(ServerType.anim, fields)
        case .trace(let fields): visitor.visit(ServerType.trace, fields)
        case .keyframe(let fields): visitor.visit(ServerType.keyframe, fields)
        case .inspection(let fields): visitor.visit(ServerType.inspection, fields)
        case .device(let fields): visitor.visit(ServerType.device, fields)
        case .interactions(let fields): visitor.visit(ServerType.interactions, fields)
        case .event(let fields): visitor.visit(ServerType.event, fields)
        case .eventResults(let fields): visitor.visit(ServerType.eventResults, fields)
        case .insets(let fields): visitor.visit(ServerType.insets, fields)
        case .annotations(let fields): visitor.visit(ServerType.annotations, fields)
        case .records(let fields): visitor.visit(ServerType.records, fields)
        }
    }

    static func read<Decoder: FieldCoder>(
        _ type: ServerType, _ decoder: inout Decoder
    ) throws(DecodeError) -> ServerMessage where Decoder.Failure == DecodeError {
        switch type {
        case .welcome: .welcome(try fields(&decoder))
        case .snapshot: .snapshot(try fields(&decoder))
        case .frame: .frame(try fields(&decoder))
        case .select: .select(try fields(&decoder))
        case .tree: .tree(try fields(&decoder))
        case .content: .content(try fields(&decoder))
        case .hash: .hash(try fields(&decoder))
        case .result: .result(try fields(&decoder))
        case .error: .error(try fields(&decoder))
        case .pong: .pong(try fields(&decoder))
        case .presence: .presence(try fields(&decoder))
        case .diagnostics: .diagnostics(try fields(&decoder))
        case .anim: .anim(try fields(&decoder))
        case .trace: .trace(try fields(&decoder))
        case .keyframe: .keyframe(try fields(&decoder))
        case .inspection: .inspection(try fields(&decoder))
        case .device: .device(try fields(&decoder))
        case .interactions: .interactions(try fields(&decoder))
        case .event: .event(try fields(&decoder))
        case .eventResults: .eventResults(try fields(&decoder))
        case .insets: .insets(try fields(&decoder))
        case .annotations: .annotations(try fields(&decoder))
        case .records: .records(try fields(&decoder))
        }
    }

    /// Appends the message's bytes: its type and its fields.
    public func encode(to output: inout [UInt8]) {
        // Encoded first and directly: it is the only message that is sent at every tick.
        if case .frame(let frame) = self { return frame.encode(to: &output) }
        encodeFields(to: &output)
    }

    /// The message as an object of its type's name and its fields.
    public var json: JSONValue { objectWithType }

    /// Reads a message from bytes.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    public static func decode(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ServerMessage {
        try decodeBinary(bytes, limits)
    }

    /// Reads a message from JSON.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the text is.
    public static func decode(
        json: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ServerMessage {
        try decodeJSON(json, limits)
    }
}

extension FrameDiff {
    /// Appends the bytes of `ServerMessage.frame`: the type byte and the fields, without a copy to
    /// write from.
    public func encode(to output: inout [UInt8]) {
        var encoder = BinaryEncoder(appendingTo: exchange(&output, for: []))
        var head = BitWord(byte: ServerType.frame.rawValue)
        head.append(BitWord(byte: tickLow))
        let distances = FrameBodyCodec.Distances(base: baseDistance, durable: durableDistance)
        FrameBodyCodec.encode(body, distances, after: head, to: &encoder)
        output = encoder.bytes
    }
}
