/// What is noted while a cluster is simulated, for the checks at the end and for the history.
struct ClusterRecords {
    /// An op that a node called kept.
    struct Acknowledgement {
        var session: UInt16
        var number: UInt32
        var room: String
        var time: Int
    }

    private(set) var acknowledgements: [Acknowledgement] = []
    /// States of rooms that nodes took for what the journal leads to.
    private(set) var states: Set<RoomState> = []
    /// The epochs in which nodes served, by shard.
    private var epochs: Set<[UInt64]> = []
    private(set) var history: [String] = []

    mutating func acknowledge(session: UInt16, _ number: UInt32, room: String, at time: Int) {
        acknowledgements.append(
            Acknowledgement(session: session, number: number, room: room, time: time))
    }

    mutating func note(_ state: RoomState) { states.insert(state) }

    /// A node begins to serve.
    ///
    /// - Returns: Whether it is the first in this epoch.
    mutating func note(epoch: UInt64, shard: Int) -> Bool {
        epochs.insert([UInt64(shard), epoch]).inserted
    }

    // MARK: The history, as `Tests/Cluster/check_history.py` reads it

    mutating func invoked(_ op: SimulatedOp, room: String, at time: Int, isRecording: Bool) {
        guard isRecording else { return }
        history.append(
            #"{"type":"invoked","time":\#(time),"session":"\#(op.session)","number":\#(op.number),"room":"\#(room)"}"#
        )
    }

    mutating func told(
        _ answer: ClusterClient.Answer, session: UInt16, _ number: UInt32, at time: Int,
        isRecording: Bool
    ) {
        guard isRecording else { return }
        let type =
            switch answer {
            case .acknowledged: "acknowledged"
            case .refused: "refused"
            }
        history.append(
            #"{"type":"\#(type)","time":\#(time),"session":"\#(session)","number":\#(number)}"#)
    }

    mutating func unknown(session: UInt16, _ number: UInt32, at time: Int) {
        history.append(
            #"{"type":"unknown","time":\#(time),"session":"\#(session)","number":\#(number)}"#)
    }

    mutating func journal(
        subject: String, shard: UInt16, cluster: UInt64, messages: [SimulatedEngine.Stored]
    ) {
        history.append(
            #"{"type":"journal","subject":"\#(subject)","shard":\#(shard),"cluster":"\#(cluster)","entries":"simulated"}"#
        )
        for message in messages {
            history.append(
                #"{"type":"record","subject":"\#(subject)","sequence":\#(message.sequence),"bytes":"\#(Self.hexadecimal(message.bytes))"}"#
            )
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
