import Cassowary
import ConstraintLanguage

/// The constraints of one container that tie two lengths together, as those by which the views of a
/// row are as high as the row.
///
/// The longest of the lengths decides what the others are, unless something stronger does. Once it
/// has, each of the others has to be stretched, which concerns its own view alone; a longer one
/// that comes later moves all that came before it. So the longest goes first.
struct TiedLengths: ~Copyable {
    private struct Tie {
        var member: Lent<LayoutConstraint>
        var length: Double
    }

    private var ties: [Tie] = []
    /// Where in the batch each of them is.
    private var places: [Int] = []

    /// Puts those among some constraints that tie lengths in the order of these; the others keep
    /// their places.
    ///
    /// - Complexity: O(*n* log *n*) in the number of those.
    mutating func putLongestFirst(
        _ members: inout [Lent<LayoutConstraint>], in range: Range<Int>, _ engine: LayoutEngine
    ) {
        ties.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        var isInOrder = true
        for place in range {
            guard let length = members[place].use({ $0.tiedLength(in: engine) }) else { continue }
            if let last = ties.last, last.length < length { isInOrder = false }
            ties.append(Tie(member: members[place], length: length))
            places.append(place)
        }
        engine.charge(LayoutEngine.Price.steps(ties.count))
        guard !isInOrder else { return }
        sort()
        for index in places.indices { members[places[index]] = ties[index].member }
    }

    /// How many are sorted by insertion, which needs no memory.
    private static let few = 16

    /// Sorts the ties, the longest first. Of equal ones that comes first which was stated first:
    /// both ways are stable.
    private mutating func sort() {
        guard ties.count <= Self.few else { return ties.sort { $0.length > $1.length } }
        for next in ties.indices.dropFirst() {
            let tie = ties[next]
            var place = next
            while place > 0, ties[place - 1].length < tie.length {
                ties[place] = ties[place - 1]
                place -= 1
            }
            ties[place] = tie
        }
    }
}

extension LayoutConstraint {
    /// Of an equation between a length and another one along the same axis, the greater one as it
    /// is now.
    @inline(__always)
    fileprivate func tiedLength(in engine: LayoutEngine) -> Double? {
        guard firstAttribute == .width || firstAttribute == .height,
            secondAttribute == firstAttribute, relation == .equal, let first, let second
        else { return nil }
        func length(_ item: LayoutItem) -> Double {
            guard let variables = item.variables else { return 0 }
            return engine.solver.currentValue(
                of: firstAttribute == .width ? variables.width : variables.height)
        }
        return max(first.use(length), second.use(length))
    }
}
