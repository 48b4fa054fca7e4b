public import JSON
public import SceneDocument

/// A message of one direction, in both formats that the protocol has.
public protocol WireMessage: Sendable {
    /// Appends the message's bytes.
    func encode(to output: inout [UInt8])

    /// The message as a JSON value.
    var json: JSONValue { get }

    /// Reads a message from bytes.
    ///
    /// - Parameter limits: What a message may hold; beyond it, it is refused before it is taken
    ///   apart.
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    static func decode(_ bytes: [UInt8], limits: Limits) throws(DecodeError) -> Self

    /// Reads a message from JSON.
    ///
    /// - Parameter limits: What a message may hold; beyond it, it is refused before it is taken
    ///   apart.
    /// - Throws: `DecodeError`; never traps, whatever the text is.
    static func decode(json: [UInt8], limits: Limits) throws(DecodeError) -> Self
}

extension WireMessage {
    /// The message in the format of a subprotocol: bytes, or a JSON text.
    public func encoded(as format: Subprotocol) -> [UInt8] {
        var bytes: [UInt8] = []
        switch format {
        case .binary: encode(to: &bytes)
        case .json: json.append(to: &bytes)
        }
        return bytes
    }

    /// Reads a message in the format of a subprotocol.
    ///
    /// - Throws: `DecodeError`; never traps, whatever the bytes are.
    public static func decode(
        _ bytes: [UInt8], as format: Subprotocol, limits: Limits = .standard
    ) throws(DecodeError) -> Self {
        switch format {
        case .binary: try decode(bytes, limits: limits)
        case .json: try decode(json: bytes, limits: limits)
        }
    }
}
