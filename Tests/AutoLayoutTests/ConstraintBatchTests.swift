import SeededRandom
import Testing

@testable import AutoLayout
@testable import Cassowary

/// Constraints that enter an engine together.
@Suite("Batches of constraints")
struct ConstraintBatchTests {
    /// A column of rows, each with three cells, and constraints that place all of it; those of the
    /// column stated first.
    private struct Grid {
        let window = Window(size: Size(width: 640, height: 480))
        let column = View(identifier: "column")
        private(set) var rows: [View] = []
        private(set) var cells: [View] = []
        private(set) var constraints: [LayoutConstraint] = []

        init(rows count: Int) throws {
            try window.addSubview(column)
            constraints += [
                column.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 10),
                column.topAnchor.constraint(equalTo: window.topAnchor, constant: 20),
                column.widthAnchor.constraint(equalToConstant: 300),
            ]
            var above: View?
            for index in 0..<count {
                let row = View(identifier: "row\(index)")
                try column.addSubview(row)
                rows.append(row)
                constraints += [
                    above.map { row.topAnchor.constraint(equalTo: $0.bottomAnchor, constant: 2) }
                        ?? row.topAnchor.constraint(equalTo: column.topAnchor),
                    row.leftAnchor.constraint(equalTo: column.leftAnchor),
                    row.widthAnchor.constraint(equalTo: column.widthAnchor),
                ]
                above = row
            }
            if let above {
                constraints.append(column.bottomAnchor.constraint(equalTo: above.bottomAnchor))
            }
            for (index, row) in rows.enumerated() {
                var before: View?
                for place in 0..<3 {
                    let cell = View(identifier: "cell\(index).\(place)")
                    cell.intrinsicContentSizeOverride = Size(width: 50, height: 10 + Double(place))
                    try row.addSubview(cell)
                    cells.append(cell)
                    constraints += [
                        before.map { cell.leftAnchor.constraint(equalTo: $0.rightAnchor) }
                            ?? cell.leftAnchor.constraint(equalTo: row.leftAnchor),
                        cell.topAnchor.constraint(equalTo: row.topAnchor),
                        row.heightAnchor.constraint(greaterThanOrEqualTo: cell.heightAnchor),
                    ]
                    before = cell
                }
                let low = row.heightAnchor.constraint(equalToConstant: 0)
                low.priority = 100
                constraints.append(low)
            }
            for constraint in constraints { constraint.identifier = "#\(constraint.serial)" }
        }

        var views: [View] { [column] + rows + cells }
        var frames: [Rect] { views.map(\.frame) }
    }

    /// Rows as high as their highest cell, 12; cells side by side.
    private func expected(rows count: Int) -> [Rect] {
        let height = Double(count) * 14 - 2
        let rows = (0..<count).map {
            Rect(x: 0, y: Double($0) * 14, width: 300, height: 12)
        }
        let cells = (0..<count).flatMap { _ in
            (0..<3).map {
                Rect(x: Double($0) * 50, y: 0, width: 50, height: 10 + Double($0))
            }
        }
        return [Rect(x: 10, y: 20, width: 300, height: height)] + rows + cells
    }

    @Test(
        "many constraints lay out like one after the other, and speak of their items in the stated order"
    )
    func sameLayout() throws {
        for count in [2, 30] {
            let together = try Grid(rows: count)
            try LayoutConstraint.activate(together.constraints)
            try together.window.runCycle()
            #expect(together.frames == expected(rows: count))
            // Numbers are given in the order of entry: of many constraints the last, in a row,
            // enters before the first.
            let first = try #require(together.constraints.first?.solverID)
            let last = try #require(together.constraints.last?.solverID)
            #expect((last.index < first.index) == (count == 30))
            let apart = try Grid(rows: count)
            for constraint in apart.constraints { try constraint.activate() }
            try apart.window.runCycle()
            #expect(apart.frames == expected(rows: count))
            for view in together.views {
                let attached = view.attachedConstraints.map(\.serial)
                #expect(attached == attached.sorted())
            }
        }
    }

    /// Numbers are given in the order of entry.
    @Test("many constraints enter branch by branch, the last one first, each from the inside out")
    func order() throws {
        let count = 30
        let grid = try Grid(rows: count)
        var random = SplitMix64(seed: 7)
        try LayoutConstraint.activate(grid.constraints.shuffled(using: &random))
        let entered = grid.constraints.sorted {
            ($0.solverID?.index ?? .max) < ($1.solverID?.index ?? .max)
        }
        let ofWindow = 3
        let ofColumn = 3 * count + 1
        let inRows = grid.constraints.dropFirst(ofWindow + ofColumn)
        // Those of a row's cells, then its height, which lies in the column.
        var expected: [Set<ObjectIdentifier>] = (0..<count).reversed().map { row in
            Set(inRows.dropFirst(10 * row).prefix(9).map(ObjectIdentifier.init))
        }
        let heights = (0..<count).map { inRows[inRows.startIndex + 10 * $0 + 9] }
        expected.append(
            Set(
                (grid.constraints.dropFirst(ofWindow).prefix(ofColumn) + heights)
                    .map(ObjectIdentifier.init)))
        expected.append(Set(grid.constraints.prefix(ofWindow).map(ObjectIdentifier.init)))
        var rest = entered[...]
        for container in expected {
            #expect(Set(rest.prefix(container.count).map(ObjectIdentifier.init)) == container)
            rest = rest.dropFirst(container.count)
        }
        #expect(rest.isEmpty)
    }

    @Test("those of one container enter in the stated order")
    func orderWithin() throws {
        let grid = try Grid(rows: 30)
        var random = SplitMix64(seed: 11)
        let stated = grid.constraints.shuffled(using: &random)
        try LayoutConstraint.activate(stated)
        for (number, row) in grid.rows.enumerated() {
            let cells = grid.cells[(3 * number)..<(3 * number + 3)]
            let inside = stated.filter { constraint in
                cells.contains { $0 === constraint.firstItem || $0 === constraint.secondItem }
            }
            #expect(inside.count == 9)
            let numbers = inside.compactMap { $0.solverID?.index }
            #expect(numbers == numbers.sorted(), "\(row.identifier)")
        }
    }

    /// Numbers are given in the order of entry.
    @Test(
        "of those that tie views to the height of their row the highest view's enters first, and the others keep their places"
    )
    func longestFirst() throws {
        let window = Window(size: Size(width: 2000, height: 100))
        var stated: [LayoutConstraint] = []
        var ties: [(height: Double, constraint: LayoutConstraint)] = []
        let row = View(identifier: "row")
        try window.addSubview(row)
        stated += [
            row.leftAnchor.constraint(equalTo: window.leftAnchor),
            row.topAnchor.constraint(equalTo: window.topAnchor),
        ]
        var before: View?
        // Of two that are as high the one that is stated first enters first.
        let heights = (0..<40).map { Double(10 + $0 * 7 % 20) }
        for height in heights {
            let cell = View()
            cell.intrinsicContentSizeOverride = Size(width: 20, height: height)
            try row.addSubview(cell)
            let tie = cell.heightAnchor.constraint(equalTo: row.heightAnchor, constant: -4)
            ties.append((height, tie))
            stated += [
                cell.leftAnchor.constraint(
                    equalTo: before?.rightAnchor ?? row.leftAnchor, constant: 1),
                tie, cell.topAnchor.constraint(equalTo: row.topAnchor, constant: 2),
            ]
            before = cell
        }
        if let before { stated.append(before.rightAnchor.constraint(equalTo: row.rightAnchor)) }
        try LayoutConstraint.activate(stated)
        let entered = ties.enumerated().sorted {
            ($0.element.constraint.solverID?.index ?? .max)
                < ($1.element.constraint.solverID?.index ?? .max)
        }
        let expected = ties.enumerated().sorted {
            ($1.element.height, $0.offset) < ($0.element.height, $1.offset)
        }
        #expect(entered.map(\.offset) == expected.map(\.offset))
        let isTie = Set(ties.map { ObjectIdentifier($0.constraint) })
        let numbers = stated.filter {
            !isTie.contains(ObjectIdentifier($0)) && $0.firstItem !== row
        }
        .compactMap { $0.solverID?.index }
        #expect(numbers == numbers.sorted())
        try window.runCycle()
        #expect(row.frame == Rect(x: 0, y: 0, width: 40 * 21, height: 29 + 4))
        #expect(row.subviews.allSatisfy { $0.frame.height == 29 && $0.frame.width == 20 })
    }

    @Test(
        "two views in different containers are tied once both have their place",
        arguments: [(0, 89), (89, 0)])
    func cousins(first: Int, second: Int) throws {
        let grid = try Grid(rows: 30)
        let tie = grid.cells[first].leftAnchor.constraint(
            equalTo: grid.cells[second].leftAnchor, constant: -100)
        tie.priority = 500
        try LayoutConstraint.activate([tie] + grid.constraints)
        let own = try #require(tie.solverID)
        // The first row comes last, and the tie, stated first of all, is the first of its
        // constraints.
        let before = grid.constraints.filter { ($0.solverID?.index ?? .max) < own.index }
        #expect(before.count == 29 * 9)
    }

    /// Before its first cycle a layout goes back without a copy.
    @Test(
        "what is refused is the first conflict of the stated order, and nothing of the batch is left",
        arguments: [false, true])
    func conflict(hasRun: Bool) throws {
        let grid = try Grid(rows: 30)
        if hasRun { try grid.window.runCycle() }
        let engine = try #require(grid.window.engine)
        let (counts, history) = (engine.solver.counts, engine.solver.history)
        #expect(history == (hasRun ? .changed : .plain))
        let wide = grid.column.widthAnchor.constraint(equalToConstant: 400)
        wide.identifier = "wide"
        let low = grid.cells[40].heightAnchor.constraint(equalToConstant: 5)
        let high = grid.cells[40].heightAnchor.constraint(equalToConstant: 6)
        // The conflict deep down is stated first of all but for the one above, and enters first.
        let batch =
            Array(grid.constraints.prefix(3)) + [wide, low, high] + grid.constraints.dropFirst(3)
        #expect(
            throws: LayoutError.unsatisfiable(conflict: [grid.constraints[2].identifier, "wide"])
        ) {
            try LayoutConstraint.activate(batch)
        }
        #expect(batch.allSatisfy { !$0.isActive && $0.solverID == nil })
        #expect(grid.views.allSatisfy { $0.attachedConstraints.isEmpty })
        #expect(engine.solver.counts == counts && engine.solver.history == history)
        try grid.window.runCycle()
        let untouched = try Grid(rows: 30)
        try untouched.window.runCycle()
        #expect(grid.frames == untouched.frames)
        try LayoutConstraint.activate(grid.constraints)
        try grid.window.runCycle()
        #expect(grid.frames == expected(rows: 30))
    }

    @Test(
        "what is active already, stated twice or of a view that is in no hierarchy is left as it is"
    )
    func partlyActive() throws {
        let grid = try Grid(rows: 30)
        let first = grid.constraints[0]
        try first.activate()
        let id = first.solverID
        let stray = View(identifier: "stray")
        let waiting = stray.widthAnchor.constraint(equalTo: grid.column.widthAnchor)
        try LayoutConstraint.activate(
            [waiting] + grid.constraints + [grid.constraints[5], waiting])
        #expect(first.solverID == id)
        #expect(waiting.isActive && waiting.solverID == nil)
        try grid.window.runCycle()
        #expect(grid.frames == expected(rows: 30))
        #expect(
            grid.constraints[5].firstItem?.attachedConstraints.count { $0 === grid.constraints[5] }
                == 1)
        try grid.window.addSubview(stray)
        try grid.window.runCycle()
        #expect(stray.frame.width == 300)
    }
}
