import SeededRandom

/// What solvers are measured on: three shapes of layout, and one that a solver did not come to an
/// end with.
enum Workload: String, CaseIterable {
    /// Nested stacks with five children each, alternately in a row and in a column, in the
    /// coordinates of their superview, about 8.4 constraints a view.
    case tree
    /// Blocks of 20 views, each a tree of its own, that share nothing.
    case cells
    /// `left = previous.left + previous.width + 8`.
    case chain
    /// An area split into segments of at least 3 that need all of it, as ratatui's layout does;
    /// solved anew in 1,000 orders of its constraints. A solver that ratatui had did not always end
    /// here: its issue 1855.
    case split

    func script(views count: Int) -> Script {
        var builder = WorkloadBuilder(seed: 42)
        switch self {
        case .tree: builder.tree(count)
        case .cells: for _ in 0..<(count / 20) { builder.tree(20) }
        case .chain: builder.chain(count)
        case .split: builder.split(count)
        }
        guard self != .split else {
            builder.orders(1000)
            return builder.script
        }
        builder.build()
        switch self {
        case .tree: builder.changes(edits: 400, batches: 20, pairs: count > 2000 ? 40 : 100)
        case .cells: builder.changes(edits: 400, batches: 20, pairs: 100)
        case .chain: builder.shifts(200)
        case .split: break
        }
        return builder.script
    }
}

private struct WorkloadBuilder {
    private struct View {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    var script = Script()
    private var random: SplitMix64
    /// One leaf's width from each stack of leaves, in the order of the tree.
    private var changeable: [Int] = []
    private var firsts: [Int] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func view() -> View {
        View(
            left: script.variable(), top: script.variable(),
            width: script.variable(isNonNegative: true),
            height: script.variable(isNonNegative: true))
    }

    /// A tree of `count` views with a root of fixed size, in which they fit with some room to
    /// spare.
    mutating func tree(_ count: Int) {
        var size = (width: 120.0, height: 60.0)
        var isRow = true
        var widest = 1
        while widest < count {
            if isRow { size.width *= 5 } else { size.height *= 5 }
            isRow.toggle()
            widest *= 5
        }
        let root = view()
        script.constrain([(root.left, 1)], .equal, 0)
        script.constrain([(root.top, 1)], .equal, 0)
        script.constrain([(root.width, 1)], .equal, size.width)
        script.constrain([(root.height, 1)], .equal, size.height)
        var queue: [(view: View, isRow: Bool)] = [(root, true)]
        var made = 1
        var next = 0
        while made < count {
            let parent = queue[next]
            next += 1
            let children = (0..<min(5, count - made)).map { _ in view() }
            made += children.count
            stack(children, in: parent.view, isRow: parent.isRow)
            for child in children { queue.append((child, !parent.isRow)) }
        }
        for leaf in queue[next...] {
            intrinsic(leaf.view.width, random.number(20, 90))
            intrinsic(leaf.view.height, random.number(10, 30))
        }
        // Every fifth, so that each comes from another stack, whose other leaves can give way.
        var index = next
        while index < queue.count {
            if !queue[index].isRow { changeable.append(queue[index].view.width) }
            index += 5
        }
    }

    private mutating func stack(_ children: [View], in parent: View, isRow: Bool) {
        func along(_ view: View) -> (start: Int, size: Int) {
            isRow ? (view.left, view.width) : (view.top, view.height)
        }
        func across(_ view: View) -> (start: Int, size: Int) {
            isRow ? (view.top, view.height) : (view.left, view.width)
        }
        var previous: View?
        for child in children {
            if let previous {
                script.constrain(
                    [
                        (along(child).start, 1), (along(previous).start, -1),
                        (along(previous).size, -1),
                    ], .equal, 8)
            } else {
                script.constrain([(along(child).start, 1)], .equal, 8)
            }
            script.constrain([(across(child).start, 1)], .equal, 8)
            script.constrain(
                [(across(child).size, 1), (across(parent).size, -1)], .equal, -16)
            previous = child
        }
        if let previous {
            script.constrain(
                [
                    (along(previous).start, 1), (along(previous).size, 1),
                    (along(parent).size, -1),
                ], .equal, -8)
        }
    }

    /// Content size: at least so much, and no more. The factors make the best layout unique.
    private mutating func intrinsic(_ size: Int, _ value: Double) {
        let resistance = random.number(1, 2)
        script.constrain(
            [(size, resistance)], .greaterThanOrEqual, resistance * value,
            level: Script.compression)
        let hugging = random.number(1, 2)
        script.constrain(
            [(size, hugging)], .lessThanOrEqual, hugging * value, level: Script.hugging)
    }

    mutating func chain(_ count: Int) {
        var previous: (left: Int, width: Int)?
        for _ in 0..<count {
            let left = script.variable()
            let width = script.variable()
            if let previous {
                script.constrain(
                    [(left, 1), (previous.left, -1), (previous.width, -1)], .equal, 8)
            } else {
                firsts.append(left)
            }
            script.constrain([(width, 1)], .equal, random.number(10, 50))
            previous = (left, width)
        }
    }

    /// What ratatui makes of `count` times `Min(3)` in an area that is just as high, in hundredths
    /// of a cell: variables at the edges of all segments, and of the spacers between, before and
    /// behind them.
    mutating func split(_ count: Int) {
        let (least, end) = (300.0, 300.0 * Double(count))
        let edges = (0..<(2 * count + 2)).map { _ in script.variable() }
        let (first, last) = (edges[0], edges[edges.count - 1])
        typealias Part = (start: Int, end: Int)
        func part(_ edge: Int) -> Part { (edges[edge], edges[edge + 1]) }
        let spacers = (0...count).map { part(2 * $0) }
        let segments = (0..<count).map { part(2 * $0 + 1) }
        func size(_ part: Part, _ sign: Double = 1) -> [(variable: Int, coefficient: Double)] {
            [(part.end, sign), (part.start, -sign)]
        }
        func constrain(
            _ part: Part, _ relation: Script.Relation, _ constant: Double, _ level: Script.Split
        ) {
            script.constrain(size(part), relation, constant, level: level.rawValue)
        }
        func equate(_ part: Part, _ other: Part, _ level: Script.Split) {
            script.constrain(size(part) + size(other, -1), .equal, 0, level: level.rawValue)
        }
        script.constrain([(first, 1)], .equal, 0)
        script.constrain([(last, 1)], .equal, end)
        for edge in edges {
            // Of the area's own edges ratatui says so too, where the terms cancel out.
            if edge != first { script.constrain([(edge, 1), (first, -1)], .greaterThanOrEqual, 0) }
            if edge != last { script.constrain([(edge, 1), (last, -1)], .lessThanOrEqual, 0) }
        }
        for segment in segments {
            script.constrain([(segment.start, 1), (segment.end, -1)], .lessThanOrEqual, 0)
        }
        for spacer in spacers[1..<count] { constrain(spacer, .equal, 0, .spacer) }
        constrain(spacers[0], .equal, 0, .firstSpacer)
        equate(spacers[count], (first, last), .grow)
        for segment in segments {
            constrain(segment, .greaterThanOrEqual, least, .leastSize)
            equate(segment, (first, last), .fill)
        }
        for index in segments.indices {
            for other in segments[(index + 1)...] { equate(segments[index], other, .grow) }
        }
        for (segment, following) in zip(segments, segments.dropFirst()) {
            equate(segment, following, .even)
        }
    }

    /// A section for each order of the constraints, the first that in which they are, each with a
    /// new solver.
    mutating func orders(_ count: Int) {
        var order = Array(script.constraints.indices)
        for _ in 0..<count {
            var section = Script.Section(name: "order", count: 1, operations: [.restart])
            section.operations += order.map { .add($0) }
            section.operations.append(.solve)
            script.sections.append(section)
            for index in order.indices.reversed() { order.swapAt(index, random.below(index + 1)) }
        }
    }

    /// The section that adds everything, and solves once.
    mutating func build() {
        var section = Script.Section(name: "build", count: script.constraints.count)
        for index in script.constraints.indices { section.operations.append(.add(index)) }
        section.operations.append(.solve)
        script.sections.append(section)
    }

    /// Sections that change what is there: widths suggested for leaves, constraints taken out and
    /// put back.
    mutating func changes(edits: Int, batches: Int, pairs: Int) {
        let first = changeable[random.below(changeable.count)]
        let single = script.edit(first, random.number(20, 90))
        script.sections.append(
            Script.Section(name: "addEdit", count: 1, operations: [.add(single), .solve]))
        var section = Script.Section(name: "edit", count: edits)
        for _ in 0..<edits {
            section.operations += [.constant(single, random.number(20, 90)), .solve, .read(first)]
        }
        script.sections.append(section)

        section = Script.Section(name: "addEdits", count: 0)
        var handles = [single]
        for variable in changeable where variable != first && handles.count < 100 {
            let handle = script.edit(variable, random.number(20, 90))
            handles.append(handle)
            section.operations.append(.add(handle))
        }
        section.operations.append(.solve)
        section.count = handles.count - 1
        script.sections.append(section)

        section = Script.Section(name: "batch", count: batches)
        for _ in 0..<batches {
            for _ in 0..<100 {
                let handle = handles[random.below(handles.count)]
                section.operations.append(.constant(handle, random.number(20, 90)))
            }
            section.operations += [.solve, .read(first)]
        }
        script.sections.append(section)

        section = Script.Section(name: "replace", count: pairs)
        let fixed = single
        for _ in 0..<pairs {
            let constraint = random.below(fixed)
            section.operations += [
                .remove(constraint), .add(constraint), .solve, .read(first),
            ]
        }
        script.sections.append(section)
    }

    /// The first view moves and all values are read.
    mutating func shifts(_ count: Int) {
        let handle = script.edit(firsts[0], 0)
        script.sections.append(
            Script.Section(name: "addEdit", count: 1, operations: [.add(handle), .solve]))
        var section = Script.Section(name: "shift", count: count)
        for _ in 0..<count {
            section.operations += [.constant(handle, random.number(0, 500)), .solve, .readAll]
        }
        script.sections.append(section)
    }
}
