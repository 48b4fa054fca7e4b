import SceneWire

extension [UInt8] {
    /// An encoded message as builds said it that did not count work.
    ///
    /// What was asked in between may change it by some units: the solver keeps what an answer made
    /// it find out.
    var withoutWork: [UInt8] {
        let format = first == UInt8(ascii: "{") ? Subprotocol.json : .binary
        let message =
            format == .json
            ? try? ServerMessage.decode(json: self) : try? ServerMessage.decode(self)
        switch message {
        case .result(var result):
            result.work = nil
            return ServerMessage.result(result).encoded(as: format)
        case .welcome(var welcome):
            welcome.work = nil
            return ServerMessage.welcome(welcome).encoded(as: format)
        default: return self
        }
    }
}
