import SceneClient

/// The room `board`: cards in three columns, which people drag, or move by keyboard.
struct Board: DemoProgram {
    static let room = "board"
    static let example = "board"

    /// Its columns, from left to right.
    enum Column: String, CaseIterable {
        case todo, doing, done

        var cards: String { "\(rawValue)-cards" }
    }

    func run(_ scene: Scene) async throws {
        let table = BoardTable(scene)
        try await table.begin()
        scene.on(.press) { event in try await table.press(event) }
        scene.on(.tap) { event in try await table.tap(event) }
        scene.on(.key) { event in try await table.key(event) }
        scene.on(.input, "new-card") { event in try await table.add(event) }
        try await scene.run()
    }
}

/// The cards and who holds which; one task at a time changes it.
actor BoardTable {
    /// Cards that the board takes.
    static let cardMaximum = 30
    /// Characters of a card's text.
    static let textMaximum = 80

    private let scene: Scene
    /// The card on which each person's button or finger went down.
    private var dragged: [UInt32: String] = [:]
    /// The card that each person chose by a tap.
    private var chosen: [UInt32: String] = [:]

    init(_ scene: Scene) { self.scene = scene }

    /// Puts the first cards on an empty board; one that comes back from the journal stays as it is.
    func begin() async throws {
        let columns = Board.Column.allCases
        guard columns.allSatisfy({ scene[$0.cards].subviews.isEmpty }) else {
            try await scene.apply(count(of: cards().count), atomic: false)
            return
        }
        let first: [(Board.Column, String)] = [
            (.todo, "Write the handbook"), (.todo, "Measure the encoder twice"),
            (.todo, "Pick a name for the cat"), (.doing, "Draw the divider drag"),
            (.doing, "Teach stacks to collapse"), (.done, "One constant, one cycle"),
        ]
        try await scene.apply(
            first.flatMap { scene[$0.0.cards].append(try Self.card($0.1)) }
                + count(of: first.count))
    }

    /// A card, as a sheet of paper on a screen and with a line around it in a terminal.
    static func card(_ text: String) throws -> NewView {
        let words = try Variation(when: terminal) { $0.foreground = DynamicColor("#c0caf5") }
        let frame = try Variation(when: terminal) {
            $0.background = DynamicColor("#24283b")
            $0.border = .rounded
            $0.margins = EdgeInsets(top: 16, leading: 8, bottom: 16, trailing: 8)
        }
        var card = NewView.stack([
            NewView.label(text).with {
                $0.lines = 0
                $0.rare.textStyle = .subheadline
                $0.variations = [words]
            }
        ])
        card.id = "card-" + card.id
        return card.with {
            $0.background = .system(.secondarySystemGroupedBackground)
            $0.look.cornerRadius = 10
            $0.look.shadow = shadow
            $0.variations = [frame]
            $0.foreground = DynamicColor("#3b4261")
            $0.layoutMarginsRelativeArrangement = true
            $0.margins = EdgeInsets(top: 12, leading: 14, bottom: 12, trailing: 14)
            $0.interaction.events = [.tap, .press, .key]
            $0.interaction.focusable = true
            $0.interaction.role = .listitem
            $0.interaction.label = text
            $0.interaction.hint = "Enter chooses it, arrows move it"
        }
    }

    private static let terminal = "idiom == terminal"

    private static var shadow: ShadowSpec {
        var shadow = ShadowSpec()
        shadow.offset = Point(x: 0, y: 1)
        shadow.radius = 2
        shadow.opacity = 0.12
        return shadow
    }

    // MARK: What people do

    /// A card was picked up, or dropped on another view.
    func press(_ event: SceneEvent) async throws {
        switch event.text {
        case "began": dragged[event.sender] = card(of: event.view)
        case "dropped":
            guard let card = dragged.removeValue(forKey: event.sender),
                let place = place(at: event.view), place.neighbour != card
            else { return event.decline() }
            try await move(card, to: place.column, before: place.neighbour)
        case "ended", "cancelled": dragged[event.sender] = nil
        default: event.decline()
        }
    }

    /// A card was chosen, or a place for the one that was.
    func tap(_ event: SceneEvent) async throws {
        if let card = card(of: event.view) {
            let before = chosen[event.sender]
            // A second tap deselects it.
            chosen[event.sender] = before == card ? nil : card
            try await scene.apply(Set([card, before ?? card]).sorted().map(look), atomic: false)
        } else if let card = chosen.removeValue(forKey: event.sender),
            let place = place(at: event.view)
        {
            try await move(card, to: place.column)
        } else {
            event.decline()
        }
    }

    /// Arrows move a card to the next column, up and down.
    func key(_ event: SceneEvent) async throws {
        guard let card = card(of: event.view), let column = column(of: card) else {
            return event.decline()
        }
        let columns = Board.Column.allCases
        let cards = scene[column.cards].subviews
        guard let at = columns.firstIndex(of: column), let index = cards.firstIndex(of: card) else {
            return event.decline()
        }
        switch event.text {
        case "ArrowLeft" where at > 0: try await move(card, to: columns[at - 1])
        case "ArrowRight" where at + 1 < columns.count:
            try await move(card, to: columns[at + 1])
        case "ArrowUp" where index > 0:
            try await scene.animate(0.25) { scene[card].move(at: index - 1) }
        case "ArrowDown" where index + 1 < cards.count:
            try await scene.animate(0.25) { scene[card].move(at: index + 1) }
        case "Delete" where column == .done:
            try await scene.animate(0.25) {
                scene[card].remove()
                count(of: self.cards().count - 1)
            }
        default: event.decline()
        }
    }

    /// A new card.
    func add(_ event: SceneEvent) async throws {
        guard let text = event.text, !text.isEmpty else { return event.decline() }
        let number = cards().count
        guard number < Self.cardMaximum else { return event.decline() }
        let card = try Self.card(String(text.prefix(Self.textMaximum)))
        try await scene.animate(0.25) {
            scene[Board.Column.todo.cards].append(card)
            scene["new-card"].set { $0.interaction.value = .text("") }
            count(of: number + 1)
        }
    }

    // MARK: Cards and places

    /// Where a card is put: a column, and the card that it comes before.
    private struct Place {
        var column: Board.Column
        var neighbour: String?
    }

    private func move(
        _ card: String, to column: Board.Column, before neighbour: String? = nil
    ) async throws {
        let others = scene[column.cards].subviews.filter { $0 != card }
        let index = neighbour.flatMap { others.firstIndex(of: $0) }
        try await scene.animate(0.25) {
            scene[card].move(to: column.cards, at: index)
            look(card)
        }
    }

    /// A card's appearance: selected by a member, or not.
    private func look(_ card: String) -> Op {
        let isChosen = chosen.values.contains(card)
        return scene[card].set {
            $0.foreground = DynamicColor(isChosen ? "#e0af68" : "#3b4261")
            $0.look.borderWidth = isChosen ? 2 : 0
            $0.look.borderColor = .system(.systemOrange)
            $0.interaction.selected = isChosen
        }
    }

    private func count(of cards: Int) -> [Op] {
        [scene["count"].set { $0.text = cards == 1 ? "1 card" : "\(cards) cards" }]
    }

    private func cards() -> [String] {
        Board.Column.allCases.flatMap { scene[$0.cards].subviews }
    }

    private func column(of card: String) -> Board.Column? {
        Board.Column.allCases.first { scene[$0.cards].subviews.contains(card) }
    }

    /// The card that a view is or lies in.
    private func card(of view: String) -> String? {
        ancestors(of: view).first { $0.hasPrefix("card-") }
    }

    /// The place of a card that is dropped on a view.
    private func place(at view: String) -> Place? {
        let path = ancestors(of: view)
        guard let column = path.lazy.compactMap({ Board.Column(rawValue: $0) }).first else {
            return nil
        }
        return Place(column: column, neighbour: path.first { $0.hasPrefix("card-") })
    }

    /// A view and those around it, from the inside out.
    private func ancestors(of view: String) -> [String] {
        let mirror = scene.mirror
        var names: [String] = []
        var record = mirror.view(id: view)
        while let view = record {
            names.append(view.id)
            record = view.parent.flatMap { mirror.view($0) }
        }
        return names
    }
}
