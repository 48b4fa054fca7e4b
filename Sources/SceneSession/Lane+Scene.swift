import SceneModel
import SceneProtocol

extension Lane {
    /// Begins anew from a scene as this lane's members see it.
    mutating func start(epoch: UInt64, tick: UInt64, model: SceneModel) {
        start(epoch: epoch, tick: tick, records: Lane.records(of: model, isSettled: key.isSettled))
    }

    /// All views as the members of a lane see them.
    static func records(of model: SceneModel, isSettled: Bool) -> [ViewRecord] {
        let records = model.records()
        guard isSettled else { return records }
        return records.map { Lane.settled($0, model) }
    }

    static func settled(_ record: ViewRecord, _ model: SceneModel) -> ViewRecord {
        var record = record
        record.frame = model.settledFrame(of: record.number) ?? record.frame
        return record
    }
}

extension Lane.Changes {
    /// A scene's changes as the members of a lane are told them.
    init(_ changes: SceneChanges, isSettled: Bool, _ model: SceneModel) {
        contents = changes.contents
        invalidations = changes.invalidations
        guard isSettled else {
            tree = changes.tree
            frames = changes.frames
            return
        }
        tree = changes.tree.map { change in
            guard case .add(let record, let index) = change else { return change }
            return .add(Lane.settled(record, model), index: index)
        }
        frames = changes.settledFrames
        animations = changes.animations
        endsAnimations = changes.endsAnimations
    }
}
