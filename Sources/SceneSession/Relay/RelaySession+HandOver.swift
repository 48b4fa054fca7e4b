/// From one owner to the next without a pause: the former one ticks on, and what it sends is shown
/// until the next one has the room. To open it may take that one several ticks.
extension RelaySession {
    /// Whether a stream shows what the former owner sends.
    public var followsFormer: Bool { streams.contains(where: \.followsFormer) }

    /// The owner gave the room away. Those of its streams that are shown go on.
    func keepFormer() {
        isAttached = false
        for index in streams.indices {
            if streams[index].phase == .live {
                streams[index].followsFormer = true
                streams[index].opening = nil
            } else {
                detach(index)
            }
        }
    }

    /// Has the next owner open the room, by a viewer that leaves as soon as it is welcome: only
    /// then does the stream know from which tick it has to be led on.
    func askToOpen(_ index: Int) {
        streams[index].opening = watch(streams[index].key, nil)
    }

    /// The former owner sends nothing more: what is not the next one's yet stands still.
    func endFormer() {
        for index in streams.indices where streams[index].followsFormer {
            if isAttached { askOwner(index) } else { detach(index) }
        }
    }

    func detach(_ index: Int) {
        streams[index].phase = .detached
        streams[index].followsFormer = false
        streams[index].opening = nil
    }

    /// Takes what came for a viewer by which an owner was asked to open the room.
    ///
    /// - Returns: Whether it is one.
    func isOpened(by number: UInt64) -> Bool {
        guard let index = streams.firstIndex(where: { $0.opening == number }) else { return false }
        askOwner(index)
        return true
    }
}
