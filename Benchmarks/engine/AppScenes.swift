import AutoLayout
import Measuring

/// A layout as programs have it, which Yoga and Taffy lay out as well, from the same sizes.
struct AppScene {
    /// The names of the scenes, as measurements' names begin with them.
    enum Name: String { case list, dashboard }

    let window = Window(size: .zero)
    /// All views, the window first, in the order in which the peers have them.
    private(set) var views: [View] = []
    /// The one whose content is edited.
    private(set) var edited = View()
    /// Those that a batch edits, and how high their contents are before: the rows' titles and
    /// labels; the cards' titles and the sidebar's items, as the dashboard's other contents have no
    /// say in a height.
    private var batched: [(view: View, height: Double)] = []
    private var constraints: [LayoutConstraint] = []

    init(_ name: Name) throws {
        views.append(window)
        switch name {
        case .list: try makeList(rows: 1000)
        case .dashboard: try makeDashboard(rows: 6, columns: 4)
        }
        try LayoutConstraint.activate(constraints)
    }

    /// Makes the edited view's content so high.
    func edit(height: Double) {
        edited.intrinsicContentSizeOverride?.height = height
    }

    /// Makes the contents of 100 random views up to 15 points higher than they were first.
    func editBatch(_ state: inout UInt64) {
        for _ in 0..<100 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (view, height) = batched[Int(state >> 33) % batched.count]
            view.intrinsicContentSizeOverride?.height = height + Double(state >> 40 & 15)
        }
    }

    private mutating func batch(_ views: [View]) {
        batched += views.map { ($0, $0.intrinsicContentSizeOverride?.height ?? 0) }
    }

    /// Rows under one another: an icon, a title that takes what is left, and a label. A row is as
    /// high as the highest of them, with 8 points above and below. The edited label is that of the
    /// row in the middle, and moves those below.
    private mutating func makeList(rows count: Int) throws {
        window.viewportSize = Size(width: 400, height: 100_000)
        window.reserveCapacity(views: 4 * count, constraints: 16 * count)
        var previous: View?
        for index in 0..<count {
            let row = try add(to: window)
            let icon = try add(to: row)
            let title = try add(
                to: row,
                content: (100 + index * 37 % 80, index % 3 == 0 ? 32 : 16))
            let label = try add(
                to: row,
                content: (30 + index * 7 % 50, 14 + index % 4 * 8))
            batch([title, label])
            title.setContentHuggingPriority(100, for: .horizontal)
            let asLowAsContent = row.heightAnchor.constraint(equalToConstant: 0)
            asLowAsContent.priority = 100
            constraints += [
                row.topAnchor.constraint(equalTo: previous?.bottomAnchor ?? window.topAnchor),
                row.leftAnchor.constraint(equalTo: window.leftAnchor),
                row.widthAnchor.constraint(equalTo: window.widthAnchor),
                asLowAsContent,
                icon.widthAnchor.constraint(equalToConstant: 32),
                icon.heightAnchor.constraint(equalToConstant: 32),
                icon.leftAnchor.constraint(equalTo: row.leftAnchor, constant: 8),
                title.leftAnchor.constraint(equalTo: icon.rightAnchor, constant: 8),
                label.leftAnchor.constraint(equalTo: title.rightAnchor, constant: 8),
                label.rightAnchor.constraint(equalTo: row.rightAnchor, constant: -8),
            ]
            for child in [icon, title, label] {
                constraints += [
                    child.centerYAnchor.constraint(equalTo: row.centerYAnchor),
                    row.heightAnchor.constraint(
                        greaterThanOrEqualTo: child.heightAnchor, constant: 16),
                ]
            }
            if index == count / 2 { edited = label }
            previous = row
        }
    }

    /// A header, a sidebar of fixed width beside rows of cards of equal size, and a footer. A card
    /// has a title, a value that takes what is left, and a bar. The edited title is that of a card
    /// in the middle.
    private mutating func makeDashboard(rows: Int, columns: Int) throws {
        window.viewportSize = Size(width: 1280, height: 900)
        let header = try add(to: window)
        let logo = try add(to: header)
        let heading = try add(to: header, content: (180, 20))
        let button = try add(to: header, content: (70, 24))
        heading.setContentHuggingPriority(100, for: .horizontal)
        stack([logo, heading, button], in: header, isRow: true, padding: 12, gap: 8)
        constraints.append(logo.widthAnchor.constraint(equalToConstant: 32))

        let body = try add(to: window)
        let sidebar = try add(to: body)
        var items: [View] = []
        for index in 0..<8 {
            items.append(try add(to: sidebar, content: (80 + index * 9 % 60, 18 + index % 4 * 4)))
        }
        batch(items)
        stack(items, in: sidebar, isRow: false, padding: 12, gap: 8, reachesEnd: false)

        let content = try add(to: body)
        var lines: [View] = []
        for row in 0..<rows {
            let line = try add(to: content)
            var cards: [View] = []
            for column in 0..<columns {
                let index = row * columns + column
                let card = try add(to: line)
                let title = try add(
                    to: card,
                    content: (60 + index * 7 % 60, 14 + index % 3 * 2))
                let value = try add(
                    to: card, content: (40 + index * 11 % 90, 24))
                let bar = try add(to: card)
                batch([title])
                value.setContentHuggingPriority(100, for: .vertical)
                stack([title, value, bar], in: card, isRow: false, padding: 12, gap: 8)
                constraints.append(bar.heightAnchor.constraint(equalToConstant: 6))
                if index == rows * columns / 2 { edited = title }
                cards.append(card)
            }
            stack(cards, in: line, isRow: true, padding: 0, gap: 16)
            constraints += cards.dropFirst().map {
                $0.widthAnchor.constraint(equalTo: cards[0].widthAnchor)
            }
            lines.append(line)
        }
        stack(lines, in: content, isRow: false, padding: 16, gap: 16)
        constraints += lines.dropFirst().map {
            $0.heightAnchor.constraint(equalTo: lines[0].heightAnchor)
        }
        stack([sidebar, content], in: body, isRow: true, padding: 0, gap: 0)
        constraints.append(sidebar.widthAnchor.constraint(equalToConstant: 220))

        let footer = try add(to: window)
        let note = try add(to: footer, content: (200, 14))
        stack([note], in: footer, isRow: true, padding: 8, gap: 0, reachesEnd: false)
        stack([header, body, footer], in: window, isRow: false, padding: 0, gap: 0)
        constraints += [
            header.heightAnchor.constraint(equalToConstant: 56),
            footer.heightAnchor.constraint(equalToConstant: 32),
        ]
    }

    private mutating func add(
        to parent: View, content: (width: Int, height: Int)? = nil
    ) throws -> View {
        let view = View()
        view.intrinsicContentSizeOverride = content.map {
            Size(width: Double($0.width), height: Double($0.height))
        }
        try parent.addSubview(view)
        views.append(view)
        return view
    }

    /// Views behind one another, which fill their superview across, and along it if they are to
    /// reach its end.
    private mutating func stack(
        _ children: [View], in parent: View, isRow: Bool, padding: Double, gap: Double,
        reachesEnd: Bool = true
    ) {
        var previous: View?
        for child in children {
            let distance = previous == nil ? padding : gap
            if isRow {
                constraints += [
                    child.leftAnchor.constraint(
                        equalTo: previous?.rightAnchor ?? parent.leftAnchor, constant: distance),
                    child.topAnchor.constraint(equalTo: parent.topAnchor, constant: padding),
                    child.heightAnchor.constraint(
                        equalTo: parent.heightAnchor, constant: -2 * padding),
                ]
            } else {
                constraints += [
                    child.topAnchor.constraint(
                        equalTo: previous?.bottomAnchor ?? parent.topAnchor, constant: distance),
                    child.leftAnchor.constraint(equalTo: parent.leftAnchor, constant: padding),
                    child.widthAnchor.constraint(
                        equalTo: parent.widthAnchor, constant: -2 * padding),
                ]
            }
            previous = child
        }
        guard reachesEnd, let last = previous else { return }
        constraints.append(
            isRow
                ? last.rightAnchor.constraint(equalTo: parent.rightAnchor, constant: -padding)
                : last.bottomAnchor.constraint(equalTo: parent.bottomAnchor, constant: -padding))
    }
}

extension AppScene {
    /// The height of the edited content in a round; in each of 23 rounds another.
    static func height(_ name: Name, round: Int) -> Double {
        (name == .list ? 40 : 20) + Double(round % 23)
    }

    /// Seconds to build one and lay it out the first time.
    static func build(_ name: Name, rounds: Int) throws -> Double {
        // As for the nested trees; the peers lay one of these out before as well.
        try Scenes.tree(50).window.runCycle()
        guard rounds > 0 else { return 0 }
        // Kept, so that none is freed while the next is measured.
        var scenes: [AppScene] = []
        scenes.reserveCapacity(rounds)
        return try time(rounds) { _ in
            let scene = try AppScene(name)
            try scene.window.runCycle()
            scenes.append(scene)
        }
    }

    /// One content's height, from the change to the changed frames.
    static func edit(_ name: Name, rounds: Int) throws -> Double {
        let scene = try AppScene(name)
        try scene.window.runCycle()
        let frames = FrameCounter(scene.window)
        let seconds = try time(rounds) { round in
            scene.edit(height: height(name, round: round))
            try scene.window.runCycle()
        }
        precondition(rounds < 2 || frames.count > rounds, "frames have to change")
        return seconds
    }

    static func resize(_ name: Name, rounds: Int) throws -> Double {
        let scene = try AppScene(name)
        try scene.window.runCycle()
        let width = scene.window.viewportSize.width
        let frames = FrameCounter(scene.window)
        let seconds = try time(rounds) { round in
            scene.window.viewportSize.width = width + Double(1 + round % 23)
            try scene.window.runCycle()
        }
        precondition(
            rounds < 2 || frames.count > rounds * (scene.views.count / 2), "frames have to change")
        return seconds
    }

    /// 100 random contents' heights, from the first change to the changed frames.
    static func batch(_ name: Name, rounds: Int) throws -> Double {
        let scene = try AppScene(name)
        try scene.window.runCycle()
        let frames = FrameCounter(scene.window)
        var state: UInt64 = 42
        let seconds = try time(rounds) { _ in
            scene.editBatch(&state)
            try scene.window.runCycle()
        }
        precondition(rounds < 2 || frames.count > rounds, "frames have to change")
        return seconds
    }

    /// Bytes for each view.
    static func memory(_ name: Name) throws -> Double {
        let before = residentBytes()
        let scene = try AppScene(name)
        try scene.window.runCycle()
        return (residentBytes() - before) / Double(scene.views.count)
    }

    /// All frames after so many edits, a batch, and a change of the window's width, to compare with
    /// the peers'.
    static func frames(_ name: Name, rounds: Int) throws -> String {
        let scene = try AppScene(name)
        try scene.window.runCycle()
        for round in 0..<rounds {
            scene.edit(height: height(name, round: round))
            try scene.window.runCycle()
        }
        var state: UInt64 = 42
        scene.editBatch(&state)
        scene.window.viewportSize.width += 7
        try scene.window.runCycle()
        return scene.views.map { view in
            let frame = view.frame
            return "\(frame.minX) \(frame.minY) \(frame.width) \(frame.height)"
        }.joined(separator: "\n")
    }
}
