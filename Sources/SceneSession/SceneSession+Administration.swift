import SceneModel
public import SceneProtocol

extension SceneSession {
    /// The scene as a document, from which the same scene can be made.
    ///
    /// - Complexity: O(views and constraints).
    public func sceneDocument() -> SceneDocument { model.snapshot().document }

    /// Puts a document in the place of the scene, as nobody's op: for administrators.
    ///
    /// - Returns: Effects; members see the new scene with the next tick.
    /// - Throws: `Refusal`; the old scene stands then.
    public func replaceScene(_ document: SceneDocument) throws(Refusal) -> [SessionEffect] {
        guard !isReadOnly else {
            throw Refusal(code: .storeFailed, message: "read-only: the journal cannot be written")
        }
        if let refusal = excess(document) { throw refusal }
        try model.replaceScene(document)
        timeline.ledger.reset()
        appendSnapshot(author: "", clientSequence: 0)
        return takeEffects()
    }
}
