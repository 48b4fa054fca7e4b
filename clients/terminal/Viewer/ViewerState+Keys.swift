import SceneWire

/// Handles keys.
extension ViewerState {
    mutating func press(_ key: Key, now: Double) -> Action {
        switch key {
        case .control("c"): return .quit
        case .control("z"): return .suspend
        case .control("l"): return .redrawEverything
        case .reply, .unknown: return .none
        default: presence.input(now: now)
        }
        if case .mouse(let event) = key { return mouse(event, now: now) }
        if prompt != nil { return pressPrompt(key, now: now) }
        if showsHelp {
            showsHelp = false
            return key == .character("q") ? quit(now: now) : .redraw
        }
        if timelineHasFocus, let action = pressTimeline(key, now: now) { return action }
        if panelHasFocus, let action = pressPanel(key, now: now) { return action }
        return pressScene(key, now: now)
    }

    // MARK: Everywhere

    private mutating func pressScene(_ key: Key, now: Double) -> Action {
        switch key {
        case .character("q"): return quit(now: now)
        case .character("?"): showsHelp = true
        case .escape: escape()
        case .character("i"): toggle(.inspector)
        case .character("t"): toggle(.trace)
        case .character("o"): toggle(.tree)
        case .character("g"): toggle(.sets)
        case .character("L"): toggle(.log)
        case .character("h"): toggleTimeline(now: now)
        case .character("/"): prompt = Prompt(.find, names: names)
        case .character("n"): find(forward: true, now: now)
        case .character("N"): find(forward: false, now: now)
        case .tab: selectNext(forward: true)
        case .backTab: selectNext(forward: false)
        case .character("["), .character("]"), .character("{"), .character("}"):
            selectRelative(key)
        case .character("F"): followNext(now: now)
        case .character("M"): toggle(.members)
        case .character("R"): toggleHand(now: now)
        case .character("B"): toggleSpotlight(now: now)
        case .character("v"), .character("V"): cycleDevice(now: now)
        case .character("b"): cycleBeside(now: now)
        default:
            if pressEditing(key, now: now) { return .redraw }
            let handled = navigation.handle(key, scene: naturalSize, in: sceneArea)
            if handled { stopFollowing() }
            return handled ? .redraw : .none
        }
        return .redraw
    }

    private mutating func escape() {
        if drag != nil {
            drag = nil
        } else if spotlighted != nil {
            stopFollowing()
        } else if timelineHasFocus {
            timelineHasFocus = false
        } else if panelHasFocus {
            panelHasFocus = false
        } else if panel != nil {
            close()
        } else if selection != nil {
            selection = nil
            selectionChanged()
        }
        notice = nil
    }

    private mutating func toggle(_ kind: Panel.Kind) {
        if panel?.kind == kind {
            guard !panelHasFocus else { return close() }
            panelHasFocus = true
            return
        }
        if panel?.kind == .trace { requestTrace(false) }
        panel = Panel(kind)
        panelHasFocus = true
        switch kind {
        case .trace:
            trace.removeAll()
            requestTrace(true)
        case .inspector, .sets: requestInspection()
        case .tree: revealInTree()
        case .log, .members: break
        }
        clampPanel()
    }

    private mutating func close() {
        if panel?.kind == .trace { requestTrace(false) }
        panel = nil
        panelHasFocus = false
    }

    // MARK: Selecting

    mutating func select(_ id: String?) {
        guard id != selection else { return }
        selection = id
        selectionChanged()
        revealInTree()
        guard let id else { return }
        reveal(id)
    }

    private mutating func revealInTree() {
        guard panel?.kind == .tree, let scene, let selection,
            let line = ScenePanels.treeLine(of: selection, in: scene.mirror)
        else { return }
        let height = panelHeight
        panel?.cursor = line
        panel?.show(line, height: height)
    }

    /// Every view except those in hidden superviews, in preorder.
    private var shownViews: [String] {
        guard let scene else { return [] }
        var result: [String] = []
        walk?.run { number, _ in
            if let view = scene.mirror.view(number) { result.append(view.id) }
        }
        return result.isEmpty ? scene.mirror.records.map(\.id) : result
    }

    private mutating func selectNext(forward: Bool) {
        let views = shownViews
        guard !views.isEmpty else { return }
        guard let selection, let index = views.firstIndex(of: selection) else {
            return select(forward ? views.first : views.last)
        }
        let count = views.count
        select(views[(index + (forward ? 1 : count - 1)) % count])
    }

    /// `[` the superview, `]` the first subview, `{` and `}` the siblings.
    private mutating func selectRelative(_ key: Key) {
        guard let mirror = scene?.mirror else { return }
        guard let view = selection.flatMap({ mirror.view(id: $0) }) else {
            return select(mirror.root.flatMap { mirror.view($0)?.id })
        }
        let siblings = view.parent.map { mirror.subviews(of: $0) } ?? []
        let index = siblings.firstIndex(of: view.number)
        var target: ViewNumber?
        switch key {
        case .character("["): target = view.parent
        case .character("]"): target = mirror.subviews(of: view.number).first
        case .character("{"): target = index.flatMap { $0 > 0 ? siblings[$0 - 1] : nil }
        default: target = index.flatMap { $0 + 1 < siblings.count ? siblings[$0 + 1] : nil }
        }
        if let id = target.flatMap({ mirror.view($0)?.id }) { select(id) }
    }

    // MARK: Finding

    /// The views found by a search, in preorder: by id, or by text.
    private func matches(_ text: String) -> [String] {
        guard let scene, !text.isEmpty else { return [] }
        let lower = text.lowercased()
        return scene.mirror.records.filter { record in
            record.id.lowercased().contains(lower)
                || record.content.lines.contains { $0.text.lowercased().contains(lower) }
        }.map(\.id)
    }

    mutating func find(forward: Bool, now: Double) {
        let found = matches(searched)
        guard !found.isEmpty else {
            say(
                searched.isEmpty
                    ? "nothing was looked for yet: /" : "nothing found for \"\(searched)\"",
                .warning, now)
            return
        }
        let index = selection.flatMap { found.firstIndex(of: $0) }
        let next =
            index.map { ($0 + (forward ? 1 : found.count - 1)) % found.count }
            ?? (forward ? 0 : found.count - 1)
        select(found[next])
        say("\(next + 1) of \(found.count) for \"\(searched)\"", .accent, now, seconds: 3)
    }

    /// Shows the results of a search while it is being typed.
    mutating func preview(_ text: String) {
        let found = matches(text)
        let exact = found.first { $0.lowercased() == text.lowercased() }
        if let first = exact ?? found.first { select(first) }
    }

    // MARK: Panels

    /// - Returns: Nil if the key has no meaning for the panel.
    private mutating func pressPanel(_ key: Key, now: Double) -> Action? {
        guard var panel, let content = panelContent else { return nil }
        let height = panelHeight
        switch key {
        case .up, .character("k"): panel.move(by: -1, in: content, height: height)
        case .down, .character("j"): panel.move(by: 1, in: content, height: height)
        case .pageUp: panel.move(by: -max(1, height - 1), in: content, height: height)
        case .pageDown: panel.move(by: max(1, height - 1), in: content, height: height)
        case .home: panel.move(by: -content.count, in: content, height: height)
        case .end: panel.move(by: content.count, in: content, height: height)
        default:
            if panel.kind == .trace, pressTrace(key) { return .redraw }
            guard let item = panel.item(in: content) else { return nil }
            return act(on: item, key, now: now) ? .redraw : nil
        }
        self.panel = panel
        return .redraw
    }

    private mutating func pressTrace(_ key: Key) -> Bool {
        switch key {
        case .character(" "): trace.toggleFreeze()
        case .character(","), .left: trace.step(forward: false)
        case .character("."), .right: trace.step(forward: true)
        default: return false
        }
        clampPanel()
        return true
    }

    private mutating func act(on item: PanelItem, _ key: Key, now: Double) -> Bool {
        switch item {
        case .view(let id):
            guard key == .enter else { return false }
            select(id)
        case .constraint(let id): return act(onConstraint: id, key, now: now)
        case .set(let id): return act(onSet: id, key, now: now)
        case .member(let client):
            guard key == .enter else { return false }
            follow(client, now: now)
        case .op(let index):
            guard key == .enter, let text = log.text(of: index) else { return false }
            prompt = Prompt(.op, text, names: names)
        }
        return true
    }

    // MARK: Time line

    private mutating func toggleTimeline(now: Double) {
        if timeline != nil {
            guard timelineHasFocus else {
                timelineHasFocus = true
                return
            }
            if timeline?.isLive == false, isConnected { ask(.seek(Seek())) }
            timeline = nil
            timelineHasFocus = false
            return
        }
        guard let scene else { return }
        guard has(Capability.seek) else {
            return say("this server does not show the past", .warning, now)
        }
        timeline = Timeline(tick: scene.mirror.tick, rate: scene.welcome.tickRate, now: now)
        timelineHasFocus = true
    }

    private mutating func pressTimeline(_ key: Key, now: Double) -> Action? {
        guard timeline != nil else { return nil }
        var seek: Seek?
        switch key {
        case .left: seek = timeline?.step(bySeconds: -1, now: now)
        case .right: seek = timeline?.step(bySeconds: 1, now: now)
        case .pageUp: seek = timeline?.step(bySeconds: -10, now: now)
        case .pageDown: seek = timeline?.step(bySeconds: 10, now: now)
        case .character(","): seek = timeline?.step(byTicks: -1, now: now)
        case .character("."): seek = timeline?.step(byTicks: 1, now: now)
        case .home: seek = timeline?.seek(to: 0, now: now)
        case .end: seek = timeline?.goLive()
        case .character(" "):
            if timeline?.isLive == true {
                seek = timeline?.step(byTicks: -1, now: now)
            } else {
                seek = timeline?.togglePlay(now: now)
            }
        case .character("<"): seek = timeline?.changeSpeed(faster: false)
        case .character(">"): seek = timeline?.changeSpeed(faster: true)
        case .character("r"): seek = timeline?.reverse()
        case .escape:
            timelineHasFocus = false
            return .redraw
        default: return nil
        }
        if let seek { ask(seek, now: now) }
        return .redraw
    }
}
