import Foundation
import SceneTestSupport
import Testing

@testable import Cassowary

/// Systems whose answers come from another solver altogether; `Vectors/generate.py` made them,
/// level by level.
@Suite("The answers of an independent linear programming solver")
struct OracleVectorTests {
    private struct System: Decodable {
        struct Constraint: Decodable {
            var coefficients: [Double]
            var relation: String
            var constant: Double
            var strength: Double
        }

        var nonNegative: [Bool]
        var constraints: [Constraint]
        var isFeasible: Bool
        /// Pairs of a strength and the sum of violations there, strongest first.
        var violations: [[Double]]
    }

    private func systems() throws -> [System] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Vectors/systems.json")
        return try JSONDecoder().decode([System].self, from: Data(contentsOf: file))
    }

    private func plain(_ constraint: System.Constraint) throws -> PlainConstraint {
        let relations: [String: Relation] = [
            "==": .equal, "<=": .lessThanOrEqual, ">=": .greaterThanOrEqual,
        ]
        return PlainConstraint(
            coefficients: constraint.coefficients, constant: constraint.constant,
            relation: try #require(relations[constraint.relation]),
            strength: Strength(constraint.strength))
    }

    @Test(
        "each strength is violated as little as the independent solver says, in either order of adding"
    )
    func violations() throws {
        let systems = try systems()
        #expect(systems.count >= 400)
        for (number, system) in systems.enumerated() {
            let constraints = try system.constraints.map(plain)
            for order in [constraints, constraints.reversed()] {
                var solver = Solver()
                let variables = system.nonNegative.map { solver.makeVariable(isNonNegative: $0) }
                var isRefused = false
                for constraint in order {
                    do throws(SolverError) {
                        _ = try solver.addConstraint(
                            constraint.expression(variables), constraint.relation,
                            strength: constraint.strength)
                    } catch {
                        isRefused = true
                    }
                }
                #expect(isRefused != system.isFeasible, "system \(number)")
                guard system.isFeasible else { continue }
                _ = solver.solve()
                let values = variables.map { solver.value(of: $0) }
                let actual = violationsByStrength(constraints, at: values)
                let expected = system.violations.map { $0[1] }
                #expect(areClose(actual, expected, within: 1e-5), "system \(number)")
                #expect(solver.counts.rebuilds == 0, "system \(number)")
            }
        }
    }
}
