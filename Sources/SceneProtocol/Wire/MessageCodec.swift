/// The two subprotocols of version 1; a server picks one of those that a client offers.
public enum Subprotocol: String, CaseIterable, Sendable {
    /// Bytes, one message in each binary WebSocket message.
    case binary = "scenesync.v1.bin"
    /// JSON, one message in each WebSocket text message; says exactly what the bytes say.
    case json = "scenesync.v1.json"
}

/// Type bytes of what clients send.
enum ClientType: UInt8, CaseIterable {
    case hello = 1
    case ack, ops, resync, ping, presence
    case undo, redo, subscribe, seek, trace, inspect
}

/// Type bytes of what the server sends.
enum ServerType: UInt8, CaseIterable {
    case welcome = 0x41
    case snapshot, frame, select, tree, content, hash, result, error, pong, presence
    case anim, diagnostics, trace, keyframe, inspection
}

extension ClientMessage {
    /// Appends the message's bytes.
    public func encode(to output: inout [UInt8]) {
        var encoder = BinaryEncoder(appendingTo: exchange(&output, for: []))
        switch self {
        case .hello(var message): encoder.message(ClientType.hello, &message)
        case .ack(var message): encoder.message(ClientType.ack, &message)
        case .ops(var message): encoder.message(ClientType.ops, &message)
        case .resync(var message): encoder.message(ClientType.resync, &message)
        case .ping(var message): encoder.message(ClientType.ping, &message)
        case .presence(var message): encoder.message(ClientType.presence, &message)
        case .undo(var message): encoder.message(ClientType.undo, &message)
        case .redo(var message): encoder.message(ClientType.redo, &message)
        case .subscribe(var message): encoder.message(ClientType.subscribe, &message)
        case .seek(var message): encoder.message(ClientType.seek, &message)
        case .trace(var message): encoder.message(ClientType.trace, &message)
        case .inspect(var message): encoder.message(ClientType.inspect, &message)
        }
        output = encoder.bytes
    }

    /// The message as a JSON value.
    public var json: JSONValue {
        let fields =
            switch self {
            case .hello(let message): JSONFieldEncoder.object(message)
            case .ack(let message): JSONFieldEncoder.object(message)
            case .ops(let message): JSONFieldEncoder.object(message)
            case .resync(let message): JSONFieldEncoder.object(message)
            case .ping(let message): JSONFieldEncoder.object(message)
            case .presence(let message): JSONFieldEncoder.object(message)
            case .undo(let message): JSONFieldEncoder.object(message)
            case .redo(let message): JSONFieldEncoder.object(message)
            case .subscribe(let message): JSONFieldEncoder.object(message)
            case .seek(let message): JSONFieldEncoder.object(message)
            case .trace(let message): JSONFieldEncoder.object(message)
            case .inspect(let message): JSONFieldEncoder.object(message)
            }
        return typed("\(type)", fields)
    }

    private var type: ClientType {
        switch self {
        case .hello: .hello
        case .ack: .ack
        case .ops: .ops
        case .resync: .resync
        case .ping: .ping
        case .presence: .presence
        case .undo: .undo
        case .redo: .redo
        case .subscribe: .subscribe
        case .seek: .seek
        case .trace: .trace
        case .inspect: .inspect
        }
    }

    /// Reads a message from bytes.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    public static func decode(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ClientMessage {
        var decoder = try binaryDecoder(bytes, limits)
        let type = try decoder.byte()
        let message = try message(type, &decoder)
        try decoder.extensions()
        return message
    }

    /// Reads a message from JSON.
    public static func decode(
        json: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ClientMessage {
        var (decoder, name) = try jsonDecoder(json, limits)
        let type =
            ClientType.allCases.first { "\($0)" == name }?.rawValue ?? unknownType(name)
        let message = try message(type, &decoder)
        try decoder.extensions()
        try decoder.finish()
        return message
    }

    private static func message<Decoder: FieldCoder>(
        _ type: UInt8, _ decoder: inout Decoder
    ) throws(DecodeError) -> ClientMessage where Decoder.Failure == DecodeError {
        switch ClientType(rawValue: type) {
        case .hello: return .hello(try read(&decoder))
        case .ack: return .ack(try read(&decoder))
        case .ops: return .ops(try read(&decoder))
        case .resync: return .resync(try read(&decoder))
        case .ping: return .ping(try read(&decoder))
        case .presence: return .presence(try read(&decoder))
        case .undo: return .undo(try read(&decoder))
        case .redo: return .redo(try read(&decoder))
        case .subscribe: return .subscribe(try read(&decoder))
        case .seek: return .seek(try read(&decoder))
        case .trace: return .trace(try read(&decoder))
        case .inspect: return .inspect(try read(&decoder))
        case nil: throw .unknownType(type)
        }
    }
}

extension ServerMessage {
    /// Appends the message's bytes.
    public func encode(to output: inout [UInt8]) {
        var encoder = BinaryEncoder(appendingTo: exchange(&output, for: []))
        switch self {
        case .welcome(var message): encoder.message(ServerType.welcome, &message)
        case .snapshot(var message): encoder.message(ServerType.snapshot, &message)
        case .frame(let message): message.write(to: &encoder)
        case .select(var message): encoder.message(ServerType.select, &message)
        case .tree(var message): encoder.message(ServerType.tree, &message)
        case .content(var message): encoder.message(ServerType.content, &message)
        case .hash(var message): encoder.message(ServerType.hash, &message)
        case .result(var message): encoder.message(ServerType.result, &message)
        case .error(var message): encoder.message(ServerType.error, &message)
        case .pong(var message): encoder.message(ServerType.pong, &message)
        case .presence(var message): encoder.message(ServerType.presence, &message)
        case .diagnostics(var message): encoder.message(ServerType.diagnostics, &message)
        case .anim(var message): encoder.message(ServerType.anim, &message)
        case .trace(var message): encoder.message(ServerType.trace, &message)
        case .keyframe(var message): encoder.message(ServerType.keyframe, &message)
        case .inspection(var message): encoder.message(ServerType.inspection, &message)
        }
        output = encoder.bytes
    }

    /// The message as a JSON value.
    public var json: JSONValue {
        let fields =
            switch self {
            case .welcome(let message): JSONFieldEncoder.object(message)
            case .snapshot(let message): JSONFieldEncoder.object(message)
            case .frame(let message): JSONFieldEncoder.object(message)
            case .select(let message): JSONFieldEncoder.object(message)
            case .tree(let message): JSONFieldEncoder.object(message)
            case .content(let message): JSONFieldEncoder.object(message)
            case .hash(let message): JSONFieldEncoder.object(message)
            case .result(let message): JSONFieldEncoder.object(message)
            case .error(let message): JSONFieldEncoder.object(message)
            case .pong(let message): JSONFieldEncoder.object(message)
            case .presence(let message): JSONFieldEncoder.object(message)
            case .diagnostics(let message): JSONFieldEncoder.object(message)
            case .anim(let message): JSONFieldEncoder.object(message)
            case .trace(let message): JSONFieldEncoder.object(message)
            case .keyframe(let message): JSONFieldEncoder.object(message)
            case .inspection(let message): JSONFieldEncoder.object(message)
            }
        return typed("\(type)", fields)
    }

    private var type: ServerType {
        switch self {
        case .welcome: .welcome
        case .snapshot: .snapshot
        case .frame: .frame
        case .select: .select
        case .tree: .tree
        case .content: .content
        case .hash: .hash
        case .result: .result
        case .error: .error
        case .pong: .pong
        case .presence: .presence
        case .diagnostics: .diagnostics
        case .anim: .anim
        case .trace: .trace
        case .keyframe: .keyframe
        case .inspection: .inspection
        }
    }

    /// Reads a message from bytes.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    public static func decode(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ServerMessage {
        var decoder = try binaryDecoder(bytes, limits)
        let type = try decoder.byte()
        let message = try message(type, &decoder)
        try decoder.extensions()
        return message
    }

    /// Reads a message from JSON.
    public static func decode(
        json: [UInt8], limits: Limits = .standard
    ) throws(DecodeError) -> ServerMessage {
        var (decoder, name) = try jsonDecoder(json, limits)
        let type =
            ServerType.allCases.first { "\($0)" == name }?.rawValue ?? unknownType(name)
        let message = try message(type, &decoder)
        try decoder.extensions()
        try decoder.finish()
        return message
    }

    private static func message<Decoder: FieldCoder>(
        _ type: UInt8, _ decoder: inout Decoder
    ) throws(DecodeError) -> ServerMessage where Decoder.Failure == DecodeError {
        switch ServerType(rawValue: type) {
        case .welcome: return .welcome(try read(&decoder))
        case .snapshot: return .snapshot(try read(&decoder))
        case .frame: return .frame(try read(&decoder))
        case .select: return .select(try read(&decoder))
        case .tree: return .tree(try read(&decoder))
        case .content: return .content(try read(&decoder))
        case .hash: return .hash(try read(&decoder))
        case .result: return .result(try read(&decoder))
        case .error: return .error(try read(&decoder))
        case .pong: return .pong(try read(&decoder))
        case .presence: return .presence(try read(&decoder))
        case .diagnostics: return .diagnostics(try read(&decoder))
        case .anim: return .anim(try read(&decoder))
        case .trace: return .trace(try read(&decoder))
        case .keyframe: return .keyframe(try read(&decoder))
        case .inspection: return .inspection(try read(&decoder))
        case nil: throw .unknownType(type)
        }
    }
}

extension Frame {
    /// Appends the bytes of `ServerMessage.frame`.
    public func encode(to output: inout [UInt8]) {
        var encoder = BinaryEncoder(appendingTo: exchange(&output, for: []))
        write(to: &encoder)
        output = encoder.bytes
    }

    /// Writes the type byte and the fields, without a copy to write from: of all messages, this one goes out at every tick.
    fileprivate func write(to encoder: inout BinaryEncoder) {
        encoder.byte(ServerType.frame.rawValue)
        encoder.byte(tickLow)
        let distances = FrameBodyCodec.Distances(base: baseDistance, durable: durableDistance)
        FrameBodyCodec.encode(body, distances, to: &encoder)
    }
}

extension BinaryEncoder {
    /// Writes a type byte and the fields.
    fileprivate mutating func message(
        _ type: some RawRepresentable<UInt8>, _ fields: inout some WireValue
    ) {
        byte(type.rawValue)
        fields.code(&self)
    }
}

/// Takes a buffer out, so that there is one owner and appending copies nothing.
private func exchange(_ value: inout [UInt8], for new: [UInt8]) -> [UInt8] {
    let old = value
    value = new
    return old
}

/// Stands for a name that is none of ours; one for which later versions promise that it may be passed over is 0x80.
private func unknownType(_ name: String) -> UInt8 { name.hasPrefix("x-") ? 0x80 : 0 }

private func typed(_ name: String, _ fields: JSONValue) -> JSONValue {
    guard case .object(let members) = fields.kind else { return fields }
    return .object([JSONMember("type", .string(name))] + members)
}

private func read<Value: WireValue, Decoder: FieldCoder>(
    _ decoder: inout Decoder
) throws(DecodeError) -> Value where Decoder.Failure == DecodeError {
    var value = Value()
    try value.code(&decoder)
    return value
}

private func checkLength(_ bytes: [UInt8], _ limits: Limits) throws(DecodeError) {
    if bytes.isEmpty { throw .empty }
    if bytes.count > limits.messageBytesMaximum {
        throw .messageTooLong(bytes: bytes.count, maximum: limits.messageBytesMaximum)
    }
}

private func binaryDecoder(
    _ bytes: [UInt8], _ limits: Limits
) throws(DecodeError) -> BinaryDecoder {
    try checkLength(bytes, limits)
    return BinaryDecoder(bytes, limits: limits)
}

private func jsonDecoder(
    _ bytes: [UInt8], _ limits: Limits
) throws(DecodeError) -> (JSONFieldDecoder, type: String) {
    try checkLength(bytes, limits)
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(bytes) } catch { throw .json(error) }
    var decoder = try JSONFieldDecoder(value, name: "message", limits: limits)
    var type = ""
    try decoder.text("type", &type, maximum: 64)
    return (decoder, type)
}
