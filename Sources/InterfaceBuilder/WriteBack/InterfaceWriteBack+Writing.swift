import LayoutValues
public import SceneDocument

/// Writing a scene into its file.
extension InterfaceWriteBack {
    /// The file with all that differs in a document.
    ///
    /// - Parameter document: The scene as the room exports it, every constraint with its name.
    /// - Throws: `InterfaceError` for a change that the file cannot say.
    /// - Complexity: O(bytes + changes · elements), and a layout.
    public func written(_ document: SceneDocument) throws(InterfaceError) -> WrittenFile {
        do throws(Unwritable) {
            return try written(document, edits(for: document))
        } catch {
            throw InterfaceError(error.text)
        }
    }

    private func written(
        _ document: SceneDocument, _ edits: ElementEdits
    ) throws(Unwritable) -> WrittenFile {
        var bytes = edits.apply()
        guard bytes != conversion.scene.file.bytes else {
            return WrittenFile(
                bytes: bytes, corrections: corrections(of: document, from: (conversion, base)))
        }
        var read = try self.read(bytes)
        if hasOtherInsets(read) {
            // Insets of the outermost view that no attribute tells are found from stored frames,
            // which have to be those of the changed constraints then. Where that does not help
            // either, nothing is left that would tell.
            let framed = try framed(edits, document).apply()
            let again = try self.read(framed)
            if !hasOtherInsets(again) { (bytes, read) = (framed, again) }
        }
        if let text = disagreement(of: read, with: document) { throw Unwritable(text) }
        return WrittenFile(bytes: bytes, corrections: corrections(of: document, from: read))
    }

    typealias Reading = (conversion: InterfaceConversion, document: SceneDocument)

    private func read(_ bytes: [UInt8]) throws(Unwritable) -> Reading {
        do throws(InterfaceError) {
            let file = try InterfaceFile(bytes, path: conversion.scene.file.path)
            guard let scene = file.scene(conversion.scene.id) else {
                throw InterfaceError("the scene is not in the file any more")
            }
            let conversion = try InterfaceConversion(scene, options: options)
            return (conversion, try layOut(conversion.document).document)
        } catch {
            throw Unwritable(error.text)
        }
    }

    /// Adds the frames that the constraints give on the canvas. Views whose stored frames were
    /// wrong before keep them.
    private func framed(
        _ edits: ElementEdits, _ document: SceneDocument
    ) throws(Unwritable) -> ElementEdits {
        var options = options
        options.contentSizes = .stored
        let (canvas, before, after): (InterfaceConversion, [String: Rect], [String: Rect])
        do throws(InterfaceError) {
            canvas = try InterfaceConversion(conversion.scene, options: options)
            before = try layOut(canvas.document).frames
            after = try layOut(changed(canvas.document, document)).frames
        } catch {
            throw Unwritable(error.text)
        }
        var edits = edits
        for (id, stored) in canvas.storedFrames {
            guard let old = before[id], let new = after[id], old != new,
                Self.isNear(old, stored),
                let rect = canvas.views[id]?.element.child("rect", key: "frame")
            else { continue }
            let values = [
                ("x", new.minX), ("y", new.minY), ("width", new.width), ("height", new.height),
            ]
            for (name, value) in values where rect.number(name) != value {
                edits.set(name, XMLWriter.number(value), of: rect)
            }
        }
        return edits
    }

    private static func isNear(_ one: Rect, _ other: Rect) -> Bool {
        [
            one.minX - other.minX, one.minY - other.minY, one.width - other.width,
            one.height - other.height,
        ].allSatisfy { $0.magnitude <= 1 }
    }

    /// A document of the canvas with what differs in that of the room.
    private func changed(_ canvas: SceneDocument, _ document: SceneDocument) -> SceneDocument {
        var result = canvas
        let properties = Dictionary(
            document.views.map { ($0.id, $0.properties) }, uniquingKeysWith: { first, _ in first })
        for index in result.views.indices {
            let id = result.views[index].id
            guard let old = views[id], let new = properties[id], old != new else { continue }
            let keys = ViewWriter.differences(old, new)
                .filter { !ViewWriter.ofSession.contains($0) }
            result.views[index].properties.remove(keys)
            result.views[index].properties.merge(new.only(keys))
        }
        let present = Self.named(document)
        result.constraints = canvas.constraints.compactMap { spec in
            guard let id = spec.id, let old = constraints[id] else { return spec }
            guard let new = present[id] else { return nil }
            return Self.saysTheSame(old, new) ? spec : new
        }
        for (index, spec) in document.constraints.enumerated()
        where constraints[spec.resolvedID(index: index)] == nil {
            result.constraints.append(spec)
        }
        return result
    }

    private func edits(for document: SceneDocument) throws(Unwritable) -> ElementEdits {
        let places = base.views.map { [$0.id, $0.parent] }
        guard places == document.views.map({ [$0.id, $0.parent] }),
            document.guides == base.guides, document.sets == base.sets
        else { throw Unwritable("views or guides were added, removed or moved to others") }
        var edits = edits
        for view in document.views {
            guard let old = views[view.id], old != view.properties else { continue }
            var writer = try writer(for: view.id, edits: edits)
            try writer.write(old, view.properties)
            edits = writer.edits
        }
        var writer = constraintWriter(edits)
        let present = Self.named(document)
        for (index, spec) in base.constraints.enumerated() {
            let id = spec.resolvedID(index: index)
            guard let new = present[id] else {
                try writer.remove(id)
                continue
            }
            if !Self.saysTheSame(spec, new) { try writer.write(spec, new, id) }
        }
        for (index, spec) in document.constraints.enumerated() {
            let id = spec.resolvedID(index: index)
            if constraints[id] == nil { try writer.add(spec, id) }
        }
        return writer.edits
    }

    static func saysTheSame(_ one: ConstraintSpec, _ other: ConstraintSpec) -> Bool {
        var other = other
        other.id = one.id
        other.wasBareText = one.wasBareText
        return one == other
    }
}
