import SceneWire

/// The frames beneath the messages: RFC 6455, which [CONN-1] asks for.
///
/// The client is led from the case's address to another one of `alternates`, where each frame is
/// written byte by byte.
extension ClientSuite {
    /// Welcomes a client at its other address, and waits until it has the state.
    private static func admit(_ connection: RawConnection) throws {
        let hello = try hearHello(connection)
        connection.send(.welcome(ScriptedServer.welcome(to: hello)))
        connection.send(.snapshot(Sample.snapshot))
        try expectAcknowledgement(connection)
    }

    private static func hearHello(_ connection: RawConnection) throws -> Hello {
        try connection.wait("hello") { if case .hello(let hello) = $0 { hello } else { nil } }
    }

    private static func expectAcknowledgement(_ connection: RawConnection) throws {
        try connection.wait("ack") { message -> Void? in
            if case .ack(let ack) = message, ack.tick == Sample.snapshot.tick { return () }
            return nil
        }
    }

    private static func expectPong(_ payload: [UInt8], _ connection: RawConnection) throws {
        connection.send(RawConnection.Opcode.ping, payload)
        let pong = try connection.wait(RawConnection.Opcode.pong, "pong")
        guard pong.payload == payload, pong.isFinal else {
            throw ScriptedServer.Failure(text: "its pong has other bytes than the ping")
        }
    }

    /// The client's close frame has to have this code, at least by advice.
    private static func expectClose(_ code: UInt16, _ connection: RawConnection) throws {
        let bytes = try connection.wait(RawConnection.Opcode.close, "close frame").payload
        let found = bytes.count < 2 ? nil : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        guard found == code else {
            throw ScriptedServer.Failure(
                text: "closed with \(found.map(String.init) ?? "no code"), not \(code)",
                isWeak: true)
        }
    }

    /// A frame that fails the connection. RFC 6455, section 7.1.7.
    private static func wrong(
        _ id: String, _ title: String, _ send: @escaping @Sendable (RawConnection) -> Void
    ) -> Case {
        Case(frames: id, "\(title) closes with 1002") { connection in
            try admit(connection)
            send(connection)
            try expectClose(1002, connection)
        }
    }

    static let frameCases: [Case] = [
        Case(frames: "3.1-2", "a message in fragments, with a ping between them, is taken") {
            connection in
            let hello = try hearHello(connection)
            connection.send(.welcome(ScriptedServer.welcome(to: hello)))
            let bytes = ServerMessage.snapshot(Sample.snapshot).encoded(as: connection.format)
            let (first, second) = (bytes.count / 3, bytes.count / 2)
            connection.send(connection.messageOpcode, Array(bytes[..<first]), bits: 0)
            try expectPong(Array("between".utf8), connection)
            let continuation = RawConnection.Opcode.continuation
            connection.send(continuation, Array(bytes[first..<second]), bits: 0)
            connection.send(continuation, [], bits: 0)
            connection.send(continuation, Array(bytes[second...]))
            try expectAcknowledgement(connection)
        },
        Case(frames: "3.1-3", "a ping is answered by a pong with its bytes") { connection in
            try admit(connection)
            try expectPong([], connection)
            try expectPong((0..<125).map { $0 }, connection)
        },
        Case(frames: "3.1-4", "a close frame is answered by one with its code") { connection in
            try admit(connection)
            connection.send(RawConnection.Opcode.close, [0x03, 0xF3] + Array("over".utf8))
            try expectClose(1011, connection)
        },
        wrong("3.1-5", "a reserved bit") {
            // A message that would be taken without the bit.
            $0.send($0.messageOpcode, ServerMessage.pong(Pong()).encoded(as: $0.format), bits: 0xC0)
        },
        wrong("3.1-6", "a reserved opcode") { $0.send(3, []) },
        wrong("3.1-7", "a ping in fragments") { $0.send(RawConnection.Opcode.ping, [], bits: 0) },
        wrong("3.1-8", "a continuation of nothing") {
            $0.send(RawConnection.Opcode.continuation, [])
        },
        wrong("3.1-9", "a ping of more than 125 bytes") {
            $0.send(RawConnection.Opcode.ping, [UInt8](repeating: 0, count: 126))
        },
    ]
}
