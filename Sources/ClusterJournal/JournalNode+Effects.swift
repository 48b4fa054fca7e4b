import SceneCluster

/// What the node of the cluster wants done, and what that means for rooms.
extension JournalNode {
    mutating func pass(_ event: ClusterNode.Event, at now: MonotonicInstant) {
        for effect in node.handle(event, at: now) {
            switch effect {
            case .beat(let beat):
                outputs.append(.beat(beat.encoded(cluster: settings.cluster)))
            case .tellVersion(let notice):
                outputs.append(.tellVersion(notice.encoded(cluster: settings.cluster)))
            case .probe(let life):
                lastRequest += 1
                probes[lastRequest] = life
                outputs.append(
                    .ask(lastRequest, .probe(subject: settings.subjects.link(to: life.node))))
            case .shard(let shard, let effect): carryOut(effect, of: shard, at: now)
            case .receiverEarlier(let shard, let receiver, let version):
                shards[Int(shard.rawValue)].release()
                outputs.append(
                    .note(
                        .warning,
                        "shard \(shard.rawValue) stays here: node \(receiver.rawValue), which it was to go to, runs \(version), and this node \(settings.version); upgrade it first"
                    ))
            case .receiverSilent(let shard, let receiver):
                shards[Int(shard.rawValue)].release()
                outputs.append(
                    .note(
                        .warning,
                        "shard \(shard.rawValue) stays here: node \(receiver.rawValue), which it was to go to, is not heard"
                    ))
            case .numberTakenTwice(let node):
                tellOnce(
                    "two processes are node \(node.rawValue), as this one is named \(settings.name); stop one of them and give it another --node"
                )
            case .tooManyNodes(let maximum):
                tellOnce("more than \(maximum) nodes beat; stop those that are not needed")
            }
        }
    }

    private mutating func carryOut(
        _ effect: OwnerEffect, of shard: ShardID, at now: MonotonicInstant
    ) {
        let index = Int(shard.rawValue)
        switch effect {
        case .request(let ticket, let request): ask(request, ticket)
        case .load(let records): shards[index].read(records)
        case .serving(let epoch):
            shards[index].serve(at: now)
            viewIsStale = true
            if let since = vacantSince.removeValue(forKey: shard) {
                outputs.append(.tookOver(now.elapsed(since: since)))
            }
            outputs.append(
                .note(.info, "this node owns shard \(shard.rawValue) in epoch \(epoch)"))
        case .committed(let number):
            guard let head = node.chain(of: shard)?.head else { break }
            if let time = shards[index].committed(through: number, as: head, at: now) {
                outputs.append(.committed(time))
            }
        case .refused(let number, _): shards[index].notTaken(number)
        case .stalled(let reason):
            outputs.append(
                .note(.error, "shard \(shard.rawValue) keeps nothing at present: \(reason)"))
            shards[index].note(stall: reason)
            viewIsStale = true
        case .resumed:
            outputs.append(.note(.notice, "shard \(shard.rawValue) is kept again"))
            shards[index].note(stall: nil)
            viewIsStale = true
        case .snapshotWanted(let room):
            shards[index].wish.want(room)
        case .floorWanted:
            shards[index].findFloor(beyond: node.chain(of: shard)?.head?.number ?? 0, at: now)
        case .suspect, .trusted, .yielded: break
        case .resigned(let reason, _):
            viewIsStale = true
            outputs.append(.note(.info, "shard \(shard.rawValue): \(Self.words(reason))"))
            if case .handedOver(_, let epoch) = reason {
                shards[index].depart(text(reason, at: now), at: now)
                // The receiver may have read the hand-over sooner than this node, and have said so.
                if heardEpochs[shard] ?? 0 >= epoch { shards[index].receiverServes(at: now) }
            } else {
                shards[index].lose(text(reason, at: now))
            }
        case .lost(let error):
            viewIsStale = true
            outputs.append(.note(.error, "shard \(shard.rawValue) is stopped: \(error)"))
            shards[index].lose(ShardFault(error))
        }
    }

    private static func words(_ reason: Resignation) -> String {
        switch reason {
        case .superseded(let owner, let epoch):
            "node \(owner.node.rawValue) owns it in epoch \(epoch)"
        case .handedOver(let owner, let epoch):
            "handed to node \(owner.node.rawValue) for epoch \(epoch)"
        case .drained: "given up"
        case .outrun: "others have owned it since, and its journal has gone on without this node"
        }
    }

    /// The reason that members of the shard's rooms receive.
    private func text(_ reason: Resignation, at now: MonotonicInstant) -> String {
        let receiver: NodeLife? =
            switch reason {
            case .superseded(let owner, _), .handedOver(let owner, _): owner
            case .drained, .outrun: nil
            }
        let address = receiver.flatMap { addresses(at: now)[$0.node] } ?? ""
        return address.isEmpty
            ? "another node serves the room; connect to another address"
            : "the room is served at \(address)"
    }
}
