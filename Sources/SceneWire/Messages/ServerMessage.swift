/// What the server sends.
public enum ServerMessage: Sendable, Equatable {
    /// The answer to `hello`.
    case welcome(Welcome)
    /// All views.
    case snapshot(Snapshot)
    /// Changed frames.
    case frame(FrameDiff)
    /// A remembered selection.
    case select(Select)
    /// Changes of the tree.
    case tree(Tree)
    /// Changes of what is drawn.
    case content(Content)
    /// The state hash.
    case hash(StateHash)
    /// The answer to `ops`.
    case result(OpsResult)
    /// Something went wrong.
    case error(ErrorMessage)
    /// Tells the time.
    case pong(Pong)
    /// Where another member is.
    case presence(Presence)
    /// What is wrong with the layout, for members that asked for it in `hello`.
    case diagnostics(Diagnostics)
    /// Animations.
    case anim(Anim)
    /// What the update cycle did.
    case trace(Trace)
    /// A new numbering.
    case keyframe(Keyframe)
    /// What stands behind the frames.
    case inspection(Inspection)
    /// Which device the member has.
    case device(DeviceGrant)
    /// What people can do with the scene's views.
    case interactions(Interactions)
    /// A user's action on a view, for the client that handles the view.
    case event(DeliveredEvent)
    /// What became of events.
    case eventResults(EventResults)
    /// How far scroll views can be scrolled beyond their content.
    case insets(Insets)
    /// What people say about the scene.
    case annotations(AnnotationChanges)
    /// What a replica of the scene repeats.
    case records(Records)
}
