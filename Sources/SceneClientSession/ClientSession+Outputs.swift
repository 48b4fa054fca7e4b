public import SceneDocument
public import SceneWire

/// What a client says to its driver.
extension ClientSession {
    /// What the driver has to do.
    public enum Output: Sendable {
        /// Send a message over the present connection.
        case send(ClientMessage)
        /// Report an event.
        case event(Event)
        /// Close the present connection.
        case close(CloseCode)
        /// Connect; there is no other connection.
        case connect(url: String)
        /// Drop the present connection, or the attempt at one, without waiting for the server,
        /// which is silent; the session knows that it has ended.
        case abandon(Ending)
    }

    /// What happened.
    public enum Event: Sendable {
        /// The server admitted the client.
        case welcomed(Welcome)
        /// The mirror moved on: a snapshot is complete or a tick is.
        case updated(SceneMirror)
        /// The mirror does not contradict a state hash of the server's, alone or in a snapshot.
        case checked
        /// A message did not fit the mirror; where that was not known yet, a snapshot has been
        /// asked for.
        case mismatch(MirrorError)
        /// A request was decided.
        case result(OpsResult)
        /// Another member's presence.
        case presence(Presence)
        /// What is wrong with the layout.
        case diagnostics(Diagnostics)
        /// The update cycle's steps in a tick.
        case trace(Trace)
        /// The answer to a ping.
        case pong(Pong)
        /// The constraints and frames behind some views; the number is the question's.
        case inspection(SceneInspection, request: UInt32)
        /// The device that the client has from now on; the state on it follows.
        case device(DeviceGrant)
        /// What people can do with the scene's views changed.
        case interactions(InteractionTable)
        /// What people say about the scene.
        case annotations(AnnotationTable)
        /// A part of what a replica of the server's scene repeats.
        case records(Records)
        /// Somebody did something with a view that the client handles, or sent it a message; to be
        /// answered.
        case event(ReceivedEvent)
        /// What became of an event of the client's.
        case eventResult(EventResults.Result)
        /// The server's refusal, or a message of the server's that cannot be read.
        case failure(ErrorMessage)
    }

    /// What follows the end of a connection.
    public enum Ending: Sendable, Equatable {
        /// `advance` connects there after so many nanoseconds.
        case retry(url: String, afterNanoseconds: UInt64)
        /// The client has ended.
        case final
    }
}
