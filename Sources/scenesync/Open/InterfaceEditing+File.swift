import Essentials
import InterfaceBuilder
import SceneClient
import SceneDocument
import SceneModel
import Synchronization

/// Reading the file and writing it, on the queue.
extension InterfaceEditing {
    /// What a message of ops has besides the ops: a few numbers.
    private static let messageHeaderBytesMaximum = 64

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
            guard !isFirst else { return install(try version(bytes, nil)) }
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
            guard try isStill(bytes) else { return }
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
            var version = try version(merged, document)
            version.conflict = conflict
            if merged != bytes { guard try save(merged, over: bytes) else { return } }
            install(version)
        } catch {
            hold("the file has an error: \(error.text)")
            report(.wrong(error.text))
        }
    }

    /// Whether the file has these bytes; otherwise it is read again.
    private func isStill(_ bytes: [UInt8]) throws(InputFailure) -> Bool {
        guard try Input.bytes(path) != bytes else { return true }
        state.withLock { $0.isStale = true }
        return false
    }

    /// A version of the file as the room will have it.
    private struct Version {
        var writer: InterfaceWriteBack
        var bytes: [UInt8]
        /// What brings it into the room.
        var op: Op
        /// What this session and another program both changed.
        var conflict: String?
    }

    /// Prepares a version of the file for the room.
    ///
    /// - Parameter present: The present scene of the room; its viewport is kept.
    private func version(
        _ bytes: [UInt8], _ present: SceneDocument?
    ) throws(InputFailure) -> Version {
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
        // A longer message ends the connection, and with it the session.
        let length = op.json.text().utf8.count + Self.messageHeaderBytesMaximum
        guard length <= Limits.standard.messageBytesMaximum else {
            throw InputFailure(
                kind: .malformed,
                text:
                    "\(file): the scene has \(length) bytes as a document, the most are \(Limits.standard.messageBytesMaximum); split it"
            )
        }
        return Version(writer: writer, bytes: bytes, op: op)
    }

    /// Brings a version into the room.
    private func install(_ version: Version) {
        judge.expect([version.op])
        state.withLock { state in
            state.isHeld = false
            guard let sequence = state.client?.send(.array([version.op.json])) else { return }
            state.arriving = Arrival(
                sequence: sequence, writer: version.writer, bytes: version.bytes,
                conflict: version.conflict)
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
                guard try save(result.bytes, over: written) else {
                    // Another program has just saved it: both are put together.
                    return state.withLock { $0.isChanged = true }
                }
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

    /// Replaces the file, whole or not at all, unless another program has saved it meanwhile:
    /// merging takes a while, and so does a disk.
    ///
    /// - Returns: Whether it was replaced; otherwise it is read again.
    private func save(_ bytes: [UInt8], over former: [UInt8]) throws(InputFailure) -> Bool {
        guard try isStill(former) else { return false }
        do throws(Descriptor.Failure) {
            let isReplaced = try FileReplacement.replace(path, with: bytes) { file in
                (try? Input.bytes(file)) == former
            }
            if !isReplaced { state.withLock { $0.isStale = true } }
            return isReplaced
        } catch {
            throw InputFailure(
                kind: .unreadable, text: "\(path) does not have the last changes: \(error)")
        }
    }
}
