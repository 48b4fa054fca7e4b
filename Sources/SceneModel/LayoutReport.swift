public import JSON
public import SceneDocument
import SceneWire

/// What a layout found, as JSON: `layout --format json` prints it.
public enum LayoutReport {
    /// The report as one object.
    ///
    /// - Parameters:
    ///   - frames: In points of the superview's coordinates, `[x, y, width, height]` by id.
    ///   - ambiguous: The views that have other layouts too.
    ///   - broken: The constraints that were given up.
    ///   - work: Units of work of the layout.
    ///   - errors: Why the layout ended before it came to rest, in sentences.
    public static func json(
        frames: [NamedRect], ambiguous: [String], broken: [String],
        tick: UInt64? = nil, hash: UInt64? = nil, work: UInt64? = nil, errors: [String] = []
    ) -> JSONValue {
        var members: [JSONMember] = []
        if let tick { members.append(JSONMember("tick", .number(Double(tick)))) }
        if let hash { members.append(JSONMember("hash", .string(ViewHash.text(hash)))) }
        members.append(JSONMember("frames", json(of: frames)))
        members.append(JSONMember("ambiguous", .array(ambiguous.map { .string($0) })))
        members.append(JSONMember("broken", .array(broken.map { .string($0) })))
        if let work { members.append(JSONMember("work", .number(Double(work)))) }
        if !errors.isEmpty {
            members.append(JSONMember("errors", .array(errors.map { .string($0) })))
        }
        return .object(members)
    }

    /// Frames alone: an object of `[x, y, width, height]` by id.
    public static func json(of frames: [NamedRect]) -> JSONValue {
        .object(
            frames.map { named in
                let rect = named.rect
                let sides = [rect.minX, rect.minY, rect.width, rect.height]
                return JSONMember(named.id, .array(sides.map { .number($0) }))
            })
    }
}
