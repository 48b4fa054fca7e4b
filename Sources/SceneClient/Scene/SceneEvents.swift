/// The events of a kind of one view and those in it, in the order in which they came.
///
///     for await tap in scene.events(.tap, of: "add") { … }
///
/// An event counts as handled when the loop asks for the next one, unless it was declined before.
/// One that is in hand when the loop is left is `unhandled` unless it was accepted, and so are
/// those that wait behind it. The server lets no more than 1,024 wait.
public struct SceneEvents: AsyncSequence, Sendable {
    /// An event, to be accepted or declined before the next one is asked for.
    public typealias Element = SceneEvent
    /// Nothing is thrown: the sequence ends with the scene.
    public typealias Failure = Never

    let stream: AsyncStream<SceneEvent>

    /// Begins to take events; there is one loop for a sequence.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Takes the events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<SceneEvent>.Iterator
        private var current: SceneEvent?

        init(base: AsyncStream<SceneEvent>.Iterator) { self.base = base }

        /// Accepts the event before, and waits for the next; nil when the scene has ended or the
        /// task was cancelled.
        public mutating func next() async -> SceneEvent? {
            current?.accept()
            // Not retained during the wait: the event is answered, and its memory may be freed.
            current = nil
            current = await base.next()
            return current
        }

        /// The same on an actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> SceneEvent? {
            current?.accept()
            current = nil
            current = await base.next(isolation: actor)
            return current
        }
    }
}
