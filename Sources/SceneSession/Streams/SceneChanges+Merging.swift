import SceneModel
import SceneWire

extension SceneChanges {
    /// The messages that lead from one tick to a later one at once, for receivers that are not in
    /// step: they cite nothing and begin no animations.
    func merged(from base: UInt64, to tick: UInt64, durableTick: UInt64) -> [ServerMessage] {
        var messages: [ServerMessage] = []
        if !tree.isEmpty {
            var message = Tree()
            message.tick = tick
            message.changes = tree
            messages.append(.tree(message))
        }
        if !contents.isEmpty {
            var message = Content()
            message.tick = tick
            message.changes = contents
            messages.append(.content(message))
        }
        var encoder = FrameEncoder()
        messages.append(
            .frame(
                FrameDiff(
                    tick: tick, baseTick: base, durableTick: min(durableTick, tick),
                    body: encoder.encodeMerged(frames))))
        return messages
    }
}
