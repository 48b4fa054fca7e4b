import SceneDocument
import SceneWire

/// This member's presence, and the other members.
extension ViewerState {
    // MARK: This member

    /// Sends this member's pointer: at a cell of the screen.
    mutating func point(at cell: GridPoint) {
        let place = scene.flatMap { scene in
            walk.flatMap { walk in
                walk.view(at: cell).flatMap {
                    scene.mirror.place(
                        x: walk.transform.x(ofColumn: cell.column),
                        y: walk.transform.y(ofRow: cell.row), in: $0)
                }
            }
        }
        presence.point(at: scenePoint(of: cell), place: place)
    }

    mutating func sendPresence(now: Double) {
        if case .named(let name) = devices.main.choice {
            presence.watches(name)
        } else {
            presence.watches("")
        }
        guard scene != nil, let due = presence.takeDueMessage(selection: selection, now: now)
        else { return }
        ask(.presence(due))
    }

    mutating func toggleHand(now: Double) {
        presence.toggleHand()
        say(presence.isHandRaised ? "hand raised: R lowers it" : "hand lowered", .accent, now)
    }

    /// Asks everybody to follow, or no longer.
    mutating func toggleSpotlight(now: Double) {
        guard isEditor else {
            return say("only editors ask everybody to follow: start with --edit", .warning, now)
        }
        presence.toggleSpotlight()
        say(
            presence.isSpotlight
                ? "everybody is asked to follow you: B ends it" : "the request to follow has ended",
            .accent, now)
    }

    // MARK: Others

    /// Follows after a presence of another member.
    ///
    /// - Parameter asking: The member, if it begins to ask everybody to follow.
    mutating func followMembers(asking: Members.Member?, now: Double) {
        if let member = asking, followed == nil {
            followed = member.client
            spotlighted = member.client
            say(
                "\(member.title) asks everybody to follow: following; Esc stops", .accent, now,
                seconds: 12)
        }
        if let spotlighted, members.member(spotlighted)?.awareness.isSpotlight != true {
            stopFollowing()
        }
        follow()
    }

    /// The panel of members.
    var memberContent: PanelContent {
        var lines = [PanelLine(Self.line("you", presence.isHandRaised, presence.isSpotlight))]
        for member in members.all {
            let awareness = member.awareness
            let state = Self.line(member.title, awareness.isHandRaised, awareness.isSpotlight)
            var text = state
            if !awareness.device.isEmpty { text += "  on \(awareness.device)" }
            if awareness.isIdle { text += "  idle" }
            if member.client == followed { text += "  followed" }
            lines.append(
                PanelLine(
                    text, awareness.isIdle ? .faint : .plain, item: .member(member.client)))
        }
        return PanelContent(title: "Members", lines: lines)
    }

    private static func line(_ title: String, _ isHandRaised: Bool, _ isSpotlight: Bool) -> String {
        title + (isHandRaised ? "  hand raised" : "") + (isSpotlight ? "  asks to follow" : "")
    }

    // MARK: Following

    mutating func followNext(now: Double) {
        guard let next = members.next(after: followed) else {
            stopFollowing()
            return say(
                members.all.isEmpty ? "nobody else is here" : "following nobody", .accent, now,
                seconds: 3)
        }
        follow(next.client, now: now)
    }

    /// Follows a member from now on.
    mutating func follow(_ client: UInt32, now: Double) {
        guard let member = members.member(client) else { return }
        followed = client
        spotlighted = nil
        say("following \(member.title)", .accent, now, seconds: 3)
        follow()
    }

    /// Follows no member from now on.
    mutating func stopFollowing() {
        followed = nil
        spotlighted = nil
    }

    /// Keeps the followed member's pointer or selection visible.
    mutating func follow() {
        guard let followed, let scene else { return }
        guard let member = members.member(followed) else { return stopFollowing() }
        if let pointer = member.pointer(in: scene.mirror, scene.metrics) {
            navigation.reveal(cell(of: pointer), scene: naturalSize, in: sceneArea)
        } else if let id = member.selection.first {
            reveal(id)
        }
    }
}
