import SeededRandom
import Testing

@testable import Cassowary

/// The table of the constraints' terms, against lists of them.
@Suite("The terms of constraints")
struct TermTableTests {
    private struct Pair: Equatable {
        var number: Int32
        var value: Double
    }

    private static let size: Int32 = 40

    /// A table, and what is in it: each row's terms, and the rows in the order in which they came.
    private struct Model: ~Copyable {
        var table = TermTable()
        private(set) var rows: [Int32: [Pair]] = [:]
        private(set) var order: [Int32] = []

        init() { table.grow(rows: Int(size), columns: Int(size)) }

        mutating func add(_ row: Int32, _ terms: [Pair]) {
            for (index, term) in terms.enumerated() {
                table.append(
                    row: row, column: term.number, value: term.value, isFirst: index == 0,
                    isLast: index == terms.count - 1)
            }
            rows[row] = terms
            order.append(row)
        }

        mutating func remove(_ row: Int32) {
            table.removeRow(row)
            rows[row] = nil
            order.removeAll { $0 == row }
        }

        /// Holds the table against the lists.
        func expectAgreement(_ place: String) {
            let failure = table.linkFailure()
            #expect(failure == nil, "\(place)")
            let count = table.cellCount
            #expect(count == rows.values.reduce(0) { $0 + $1.count }, "\(place)")
            for number in 0..<size {
                let row = pairs(ofRow: number)
                #expect(row == rows[number, default: []], "\(place): row \(number)")
                let rowCount = Int(table.count(ofRow: number))
                #expect(rowCount == row.count, "\(place): row \(number)")
                let column = pairs(ofColumn: number)
                // The constraint that came last comes first.
                let expected = order.reversed().flatMap { row in
                    (rows[row] ?? []).filter { $0.number == number }.map {
                        Pair(number: row, value: $0.value)
                    }
                }
                #expect(column == expected, "\(place): column \(number)")
                let columnCount = Int(table.count(ofColumn: number))
                #expect(columnCount == column.count, "\(place): column \(number)")
            }
        }

        private func pairs(ofRow row: Int32) -> [Pair] {
            var result: [Pair] = []
            var next = table.head(ofRow: row)
            while next >= 0 {
                let term = table.cells[next]
                next = term.nextInRow(after: next)
                result.append(Pair(number: term.column, value: term.value))
            }
            return result
        }

        private func pairs(ofColumn column: Int32) -> [Pair] {
            var result: [Pair] = []
            var next = table.head(ofColumn: column)
            while next >= 0 {
                let term = table.cells[next]
                next = term.nextInColumn
                result.append(Pair(number: term.row, value: term.value))
            }
            return result
        }
    }

    @Test("terms come and go as in lists, and gaps are never more than the terms and 64")
    func lists() {
        var generator = SplitMix64(seed: 7)
        for round in 0..<20 {
            var model = Model()
            for step in 0..<150 {
                let row = Int32.random(in: 0..<Self.size, using: &generator)
                if model.rows[row] != nil {
                    model.remove(row)
                } else {
                    let columns = (0..<Self.size).shuffled(using: &generator)
                    let terms = columns.prefix(Int.random(in: 0...12, using: &generator)).map {
                        Pair(number: $0, value: Double.random(in: 1...2, using: &generator))
                    }
                    model.add(row, terms)
                }
                model.expectAgreement("round \(round), step \(step)")
                let (cells, count) = (model.table.cells.count, model.table.cellCount)
                #expect(cells <= 64 + 2 * count, "round \(round), step \(step)")
            }
            model.table.trim()
            model.expectAgreement("round \(round), trimmed")
            let (cells, count) = (model.table.cells.count, model.table.cellCount)
            #expect(cells == count, "round \(round)")
        }
    }

    @Test("a copy has the same terms and goes its own way")
    func copy() {
        var model = Model()
        model.add(3, [Pair(number: 1, value: 1), Pair(number: 2, value: -1)])
        model.add(5, [Pair(number: 2, value: 1.5)])
        let copy = TermTable(copying: model.table)
        model.remove(3)
        model.expectAgreement("the original")
        let count = copy.cellCount
        let failure = copy.linkFailure()
        #expect(count == 3 && failure == nil)
        let first = copy.cells[copy.head(ofRow: 3)]
        #expect(first.column == 1 && first.value == 1)
    }
}
