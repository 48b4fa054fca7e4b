import Essentials
import InterfaceBuilder
import SceneClient
import SceneDocument
import SceneModel
import Synchronization

/// Reading the file and writing it, on the queue.
extension InterfaceEditing {
    func readFile() {
        let isBusy = state.withLock { state in
            state.isStale = state.question != nil || state.arriving != nil
            return state.isStale
        }
        guard !isBusy else { return }
        do throws(InputFailure) {
            let bytes = try Input.bytes(path)
            let (written, isFirst) = state.withLock { ($0.written, $0.writer == nil) }
            guard isFirst || bytes != written else {
                // It is what it was: another program may have taken its changes back.
                state.withLock { $0.isHeld = false }
                if judge.proceed() { report(.shown) }
                return proceed()
            }
            judge.stop(
                "another program has changed the file, which is read again; try it again then")
            guard !isFirst else { return try install(bytes, nil) }
            send(state.withLock { Self.begin(.merging(bytes), &$0) })
        } catch {
            hold("the file cannot be read: \(error.text)")
            report(.wrong(error.text))
        }
    }

    /// Puts what people have changed, and is not in the file yet, into its new version.
    func merge(_ bytes: [UInt8], with document: SceneDocument) {
        let (writer, written) = state.withLock { ($0.writer, $0.written) }
        guard let writer else { return }
        do throws(InputFailure) {
            // Another program may have saved it once more.
            guard try Input.bytes(path) == bytes else {
                return state.withLock { $0.isStale = true }
            }
            let ours = try self.written(document, writer).bytes
            var merged = bytes
            var conflict: String?
            if ours != written {
                let merge: InterfaceMerge
                do throws(InterfaceError) {
                    merge = try InterfaceMerge(base: written, ours: ours, theirs: bytes)
                } catch {
                    throw InputFailure(kind: .malformed, text: "\(path): \(error)")
                }
                merged = merge.bytes
                if let first = merge.conflicts.first {
                    let others = merge.conflicts.count - 1
                    conflict =
                        "this session and another program changed the same: \(first.text); the file has this session's"
                        + (others > 0 ? ", and \(others) more" : "")
                }
            }
            try install(merged, document)
            if merged != bytes { try save(merged) }
            let view = conflict
            state.withLock { $0.arriving?.conflict = view }
        } catch {
            hold("the file has an error: \(error.text)")
            report(.wrong(error.text))
        }
    }

    /// Brings a version of the file into the room.
    ///
    /// - Parameter present: The present scene of the room; its viewport is kept.
    private func install(_ bytes: [UInt8], _ present: SceneDocument?) throws(InputFailure) {
        let (scene, options) = try InterfaceInput.scene(
            bytes, path, scene: InterfaceInput.split(file).scene, language: nil,
            contentSizes: .measured)
        let writer: InterfaceWriteBack
        do throws(InterfaceError) {
            writer = try InterfaceWriteBack(scene, options: options, layOut: Self.layOut)
        } catch {
            throw InputFailure(kind: .malformed, text: "\(file): \(error)")
        }
        var document = writer.conversion.document
        let former = state.withLock { $0.writer }
        if let present, let former, present.viewport != former.conversion.document.viewport {
            document.viewport = present.viewport
        }
        let op = Op.setScene(document)
        judge.expect([op])
        state.withLock { state in
            state.isHeld = false
            guard let sequence = state.client?.send(.array([op.json])) else { return }
            state.arriving = Arrival(sequence: sequence, writer: writer, bytes: bytes)
        }
    }

    private static func layOut(
        _ document: SceneDocument
    ) throws(InterfaceError) -> InterfaceWriteBack.LaidOutScene {
        do throws(Refusal) {
            let model = try SceneModel(document)
            let frames = Dictionary(
                model.frames().map { ($0.id, $0.rect) }, uniquingKeysWith: { first, _ in first })
            return InterfaceWriteBack.LaidOutScene(document: model.document(), frames: frames)
        } catch {
            throw InterfaceError(error.message)
        }
    }

    // MARK: Into the file

    private func written(
        _ document: SceneDocument, _ writer: InterfaceWriteBack
    ) throws(InputFailure) -> InterfaceWriteBack.WrittenFile {
        do throws(InterfaceError) { return try writer.written(document) } catch {
            throw InputFailure(
                kind: .malformed, text: "\(path) does not have the last changes: \(error.text)")
        }
    }

    func write(_ document: SceneDocument) {
        let (writer, written) = state.withLock { ($0.writer, $0.written) }
        guard let writer else { return }
        do throws(InputFailure) {
            let result = try self.written(document, writer)
            if result.bytes != written {
                // Another program has just saved it: both are put together.
                guard try Input.bytes(path) == written else {
                    return state.withLock { ($0.isStale, $0.isChanged) = (true, true) }
                }
                try save(result.bytes)
                state.withLock { $0.written = result.bytes }
                report(.saved)
            }
            guard !result.corrections.isEmpty else { return }
            judge.expect(result.corrections)
            let client = state.withLock { $0.client }
            _ = client?.send(.array(result.corrections.map(\.json)))
        } catch {
            report(.wrong(error.text))
        }
    }

    /// Replaces the file, whole or not at all.
    private func save(_ bytes: [UInt8]) throws(InputFailure) {
        do throws(Descriptor.Failure) {
            try FileReplacement.replace(path, with: bytes)
        } catch {
            throw InputFailure(
                kind: .unreadable, text: "\(path) does not have the last changes: \(error)")
        }
    }
}
