import JSON
import SceneDocument

/// Does one thing with the fields of a message, whichever it is.
protocol PayloadVisitor {
    associatedtype Result

    /// - Parameter type: The message's type, whose raw value is its type byte and whose case is its
    ///   name in JSON.
    mutating func visit<Payload: WireValue>(
        _ type: some MessageType, _ payload: Payload
    ) -> Result
}

/// The types of messages of one direction: the raw value is the type byte, the case's name the type
/// in JSON.
protocol MessageType: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable {
    /// The names of all types: a case's name is found by reflection, which would be a tenth of
    /// reading a message.
    static var names: MessageNames<Self> { get }
}

/// The types of messages of one direction by name, and their names by type.
struct MessageNames<Type: MessageType> {
    fileprivate let names: [Type: String]
    fileprivate let types: [String: Type]

    init() {
        names = Dictionary(uniqueKeysWithValues: Type.allCases.map { ($0, "\($0)") })
        types = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })
    }
}

extension MessageType {
    /// The type's name in JSON.
    var name: String { Self.names.names[self] ?? "\(self)" }

    /// The type byte for a name in JSON.
    ///
    /// A name that is unknown stands for 0, which no version uses; one for which later versions
    /// promise that it may be passed over, for 0x80.
    static func byte(named name: String) -> UInt8 {
        names.types[name]?.rawValue ?? (name.hasPrefix("x-") ? 0x80 : 0)
    }
}

/// A message as a type and fields, in bytes and in JSON.
protocol CodedMessage {
    associatedtype Kind: MessageType

    /// Hands the fields to a visitor: the one switch over a message's cases.
    func accept<Visitor: PayloadVisitor>(_ visitor: inout Visitor) -> Visitor.Result

    /// Reads the fields of a type: the one switch over the types.
    static func read<Decoder: FieldCoder>(
        _ type: Kind, _ decoder: inout Decoder
    ) throws(DecodeError) -> Self where Decoder.Failure == DecodeError
}

extension CodedMessage {
    func encodeFields(to output: inout [UInt8]) {
        var writer = BinaryWriter(encoder: BinaryEncoder(appendingTo: exchange(&output, for: [])))
        accept(&writer)
        output = writer.encoder.bytes
    }

    var objectWithType: JSONValue {
        var writer = ObjectWriter()
        return accept(&writer)
    }

    static func decodeBinary(
        _ bytes: [UInt8], _ limits: Limits
    ) throws(DecodeError) -> Self {
        try checkLength(bytes, limits)
        var decoder = BinaryDecoder(bytes, limits: limits)
        let message = try read(typeByte: try decoder.byte(), &decoder)
        try decoder.extensions()
        return message
    }

    static func decodeJSON(_ bytes: [UInt8], _ limits: Limits) throws(DecodeError) -> Self {
        try checkLength(bytes, limits)
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(bytes) } catch { throw .json(error) }
        var decoder = try JSONFieldDecoder(value, name: "message", limits: limits)
        var name = ""
        try decoder.text("type", &name, maximum: 64)
        let message = try read(typeByte: Kind.byte(named: name), &decoder)
        try decoder.extensions()
        try decoder.finish()
        return message
    }

    private static func read<Decoder: FieldCoder>(
        typeByte: UInt8, _ decoder: inout Decoder
    ) throws(DecodeError) -> Self where Decoder.Failure == DecodeError {
        guard let type = Kind(rawValue: typeByte) else { throw .unknownType(typeByte) }
        return try read(type, &decoder)
    }
}

/// Writes the type byte and the fields.
private struct BinaryWriter: PayloadVisitor {
    var encoder: BinaryEncoder

    mutating func visit<Payload: WireValue>(_ type: some MessageType, _ payload: Payload) {
        var payload = payload
        encoder.byte(type.rawValue)
        payload.code(&encoder)
    }
}

/// Makes an object of the type's name and the fields.
private struct ObjectWriter: PayloadVisitor {
    mutating func visit<Payload: WireValue>(
        _ type: some MessageType, _ payload: Payload
    ) -> JSONValue {
        let fields = JSONFieldEncoder.object(payload)
        guard let members = fields.members else { return fields }
        return .object([JSONMember("type", .string(type.name))] + members)
    }
}

/// Reads the fields of one message.
func fields<Value: WireValue, Decoder: FieldCoder>(
    _ decoder: inout Decoder
) throws(DecodeError) -> Value where Decoder.Failure == DecodeError {
    var value = Value()
    try value.code(&decoder)
    return value
}

/// Takes a buffer out, so that there is one owner and appending copies nothing.
func exchange(_ value: inout [UInt8], for new: [UInt8]) -> [UInt8] {
    let old = value
    value = new
    return old
}

private func checkLength(_ bytes: [UInt8], _ limits: Limits) throws(DecodeError) {
    if bytes.isEmpty { throw .empty }
    if bytes.count > limits.messageBytesMaximum {
        throw .messageTooLong(bytes: bytes.count, maximum: limits.messageBytesMaximum)
    }
}
