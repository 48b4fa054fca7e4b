public import JSON

extension Op {
    /// The op as a JSON value; `parse` reads it back as an equal op.
    public var json: JSONValue {
        var list = JSONMembers()
        list.add("op", name.rawValue)
        switch self {
        case .setScene(let document): document.write(to: &list)
        case .addView(let view): view.write(to: &list)
        case .removeView(let id), .removeConstraint(let id), .deactivateSet(let id),
            .setNeedsUpdateConstraints(let id), .updateConstraintsIfNeeded(let id),
            .setNeedsLayout(let id), .layoutIfNeeded(let id), .sizeToFit(let id),
            .setNeedsUpdateProperties(let id), .updatePropertiesIfNeeded(let id):
            list.add("id", id)
        case .moveView(let id, let parent, let index):
            list.add("id", id)
            list.add("parent", parent)
            list.add("index", index)
        case .setView(let id, let properties):
            list.add("id", id)
            properties.write(to: &list)
        case .resetView(let id, let keys):
            list.add("id", id)
            list.add("keys", .strings(keys.map { $0.rawValue }))
        case .addGuide(let guide):
            list.add("id", guide.id)
            if guide.parent != "root" { list.add("parent", guide.parent) }
        case .addConstraint(let constraint, let set):
            list.add("set", set)
            constraint.write(to: &list)
        case .setConstraint(let id, let constant, let priority, let multiplier, let active):
            list.add("id", id)
            list.add("constant", constant)
            list.add("priority", priority)
            list.add("multiplier", multiplier)
            list.add("active", active)
        case .activateSet(let id, let auto):
            list.add("id", id)
            if auto { list.add("auto", true) }
        case .setViewport(let patch): patch.write(to: &list)
        case .setContentOffset(let id, let offset):
            list.add("id", id)
            list.add("offset", .of(offset))
        case .setNeedsDisplay(let id, let rect):
            list.add("id", id)
            list.add("rect", rect.map { .of($0) })
        case .animate(let animation):
            list.add("duration", animation.duration)
            if animation.delay != 0 { list.add("delay", animation.delay) }
            if animation.curve != .easeInOut { list.add("curve", animation.curve.rawValue) }
            if animation.flushesUpdates { list.add("flushUpdates", true) }
            list.add("ops", .array(animation.ops.map { $0.json }))
        }
        return list.json
    }
}
