import Foundation
import SeededRandom

/// A search for messages that are mispriced: at random, and from the best of those found by
/// changing them.
struct Search {
    /// Units that a message may take, so that no try takes long.
    static let limit: UInt64 = 20_000_000

    /// How much a try may take. What is mispriced shows in little work as well as in much, so that
    /// most tries are short and there can be millions of them; some are long, for what grows faster
    /// than its scene.
    private struct Effort {
        /// Units that a message may take.
        var limit: UInt64
        /// The numbers of views that scenes are made of.
        var sizes: [Int]
        /// Characters of the document and the message.
        var lengthMaximum: Int

        static let short = Effort(
            limit: 6_000, sizes: [2, 3, 4, 4, 6, 8], lengthMaximum: 6 << 10)
        static let long = Effort(
            limit: Search.limit, sizes: [8, 8, 8, 32, 32, 128, 128, 1000, 4000],
            lengthMaximum: 1 << 20)
        /// One try in so many is long.
        static let longEvery = 128

        /// Much of one thing in a scene of any size: what is wrong by a factor that grows with the
        /// scene hides among short tries, and is crowded out by what is wrong everywhere.
        static let special = Effort(
            limit: Search.limit, sizes: [4, 32, 128, 1000, 4000, 9999], lengthMaximum: 1 << 20)
        /// One try in so many is of that kind, each thing in turn.
        static let specialEvery = 24
    }

    /// What is looked for.
    private enum Goal: Int, CaseIterable {
        /// Most time for a unit: work that is charged too little.
        case underpriced
        /// Least time for a unit: work that is charged too much.
        case overpriced
        /// Most units for a byte: small messages that cost much.
        case dearest

        func score(_ measurement: Measurement) -> Double {
            switch self {
            case .underpriced: measurement.rate
            case .overpriced: 1 / measurement.rate
            case .dearest: measurement.yield
            }
        }
    }

    private struct Found {
        var choices: Choices
        var views: Int
        var kind: String
        var measurement: Measurement
        var score: Double
    }

    /// The rates of the messages that consist of the same ops.
    private struct Spread {
        var count = 0
        var least = Double.infinity
        var most = 0.0
        var nanoseconds: UInt64 = 0
        var units: UInt64 = 0
    }

    private var random: SplitMix64
    private var found: [[Found]] = Goal.allCases.map { _ in [] }
    private var count = 0
    private var failed = 0
    private var tooLong = 0
    private var nanoseconds: UInt64 = 0
    private var units: UInt64 = 0
    /// How many tries had so many nanoseconds for a unit, by halves of powers of two.
    private var rates: [Int: Int] = [:]
    private var spreads: [String: Spread] = [:]
    /// The cases with the most time for a unit, of each thing that a case can have much of.
    private var champions: [[Found]] = Array(repeating: [], count: Case.specialCount)

    /// Names the case being tried, which is what is left of a search that a case ends.
    private let log: CaseLog?

    /// - Parameter log: The file in which the present case is named; `nil` for none.
    init(seed: UInt64, log: String? = nil) throws {
        random = SplitMix64(seed: seed)
        self.log = try log.map(CaseLog.init)
    }

    /// Cases that are kept for each goal and changed further.
    private static let kept = 48
    /// Those of one kind among them.
    private static let keptAlike = 3
    /// Below this, the clock is coarser than what is measured.
    private static let shortest: UInt64 = 20_000

    mutating func run(tries: Int) throws {
        var number = 0
        // Cases that are too long are no tries.
        while count < tries {
            defer { number += 1 }
            if number % Effort.specialEvery == 1 {
                try trySpecial((number / Effort.specialEvery) % Case.specialCount)
                continue
            }
            let goal = Goal.allCases[number % Goal.allCases.count]
            let pool = found[goal.rawValue]
            let effort = number % Effort.longEvery == 0 ? Effort.long : .short
            var choices: Choices
            var views = random.pick(effort.sizes)
            if !pool.isEmpty, random.below(3) > 0 {
                let start = random.pick(pool)
                choices = start.choices.mutated(&random)
                if random.below(4) > 0 { views = min(start.views, effort.sizes.max() ?? 0) }
            } else {
                choices = Choices(random: &random, count: 40 + random.below(80))
            }
            try measure(choices, views, effort)
            if number % 100_000 == 99_999 { print("\(count) tries", to: &standardError) }
        }
    }

    /// Tries much of one thing: at random, or what was dearest so far, changed.
    private mutating func trySpecial(_ special: Int) throws {
        let effort = Effort.special
        let pool = champions[special]
        if !pool.isEmpty, random.below(3) > 0 {
            let start = random.pick(pool)
            let views = random.below(4) > 0 ? start.views : random.pick(effort.sizes)
            try measure(start.choices.mutated(&random), views, effort)
        } else {
            let choices = Choices(
                random: &random, count: 40 + random.below(80), special: special)
            try measure(choices, random.pick(effort.sizes), effort)
        }
    }

    /// Keeps a case if it is among the dearest of its special.
    private mutating func crown(_ candidate: Found, _ effort: Effort) throws {
        guard let special = candidate.choices.special else { return }
        var candidate = candidate
        let least = champions[special].count < Self.keptAlike ? nil : champions[special].last
        // What counts is the fastest of some times.
        for _ in 0..<2 {
            guard candidate.measurement.rate > least?.measurement.rate ?? 0 else { return }
            let attack = Case(candidate.choices, views: candidate.views)
            let again = try Trial(limit: effort.limit).measure(attack).message
            if again.nanoseconds < candidate.measurement.nanoseconds {
                candidate.measurement = again
            }
        }
        champions[special].append(candidate)
        champions[special].sort { $0.measurement.rate > $1.measurement.rate }
        champions[special] = Array(champions[special].prefix(Self.keptAlike))
    }

    /// Prints random cases worth counting, one for each line as `report` does, whatever their rate.
    mutating func sample(_ amount: Int) throws {
        var left = amount
        while left > 0 {
            let views = random.pick(Effort.long.sizes)
            let choices = Choices(random: &random, count: 40 + random.below(80))
            let attack = Case(choices, views: views)
            guard attack.document.utf8.count + attack.ops.utf8.count < 1 << 20 else { continue }
            let measurement = try Trial(limit: Self.limit).measure(attack).message
            guard measurement.nanoseconds >= Self.shortest else { continue }
            left -= 1
            show("sample", amount - left, measurement, 0, views, attack.kind, choices)
        }
    }

    private mutating func measure(_ choices: Choices, _ views: Int, _ effort: Effort) throws {
        let attack = Case(choices, views: views)
        guard attack.document.utf8.count + attack.ops.utf8.count < effort.lengthMaximum else {
            tooLong += 1
            return
        }
        try log?.note(choices, views)
        let readings = try Trial(limit: effort.limit).measure(attack)
        count += 1
        for measurement in [readings.document, readings.message] {
            nanoseconds += measurement.nanoseconds
            units += measurement.units
        }
        let measurement = readings.message
        if measurement.units == 0 { failed += 1 }
        guard measurement.nanoseconds >= Self.shortest else { return }
        rates[Int((log2(measurement.rate) * 2).rounded()), default: 0] += 1
        note(measurement, attack.kind)
        let found = Found(
            choices: choices, views: views, kind: attack.kind, measurement: measurement, score: 0)
        // What a refusal costs beyond a limit as low as that of a short try says nothing of rooms,
        // whose limits are far higher.
        if measurement.isRefused, effort.limit < Effort.long.limit { return }
        for goal in Goal.allCases { try consider(found, goal, effort) }
        try crown(found, effort)
    }

    private mutating func note(_ measurement: Measurement, _ kind: String) {
        var spread = spreads[kind] ?? Spread()
        spread.count += 1
        spread.least = min(spread.least, measurement.rate)
        spread.most = max(spread.most, measurement.rate)
        spread.nanoseconds += measurement.nanoseconds
        spread.units += measurement.units
        spreads[kind] = spread
    }

    /// Keeps a case if it is among the best for a goal. Of each kind a few are kept, lest cases
    /// that are alike crowd others out.
    private mutating func consider(
        _ candidate: Found, _ goal: Goal, _ effort: Effort
    ) throws {
        var candidate = candidate
        candidate.score = goal.score(candidate.measurement)
        let pool = found[goal.rawValue]
        let alike = pool.indices.filter { pool[$0].kind == candidate.kind }
        let rival = alike.count >= Self.keptAlike ? alike.last : nil
        var least = pool.count < Self.kept ? 0 : pool[pool.count - 1].score
        if let rival { least = max(least, pool[rival].score) }
        guard candidate.score > least else { return }
        // A thread that was disturbed looks dear: what counts is the fastest of some times.
        for _ in 0..<(goal == .underpriced ? 4 : 0) {
            let attack = Case(candidate.choices, views: candidate.views)
            let again = try Trial(limit: effort.limit).measure(attack).message
            if again.nanoseconds < candidate.measurement.nanoseconds {
                candidate.measurement = again
                candidate.score = goal.score(again)
                guard candidate.score > least else { return }
            }
        }
        var changed = pool
        if let rival { changed.remove(at: rival) }
        let place = changed.firstIndex { $0.score < candidate.score } ?? changed.count
        changed.insert(candidate, at: place)
        found[goal.rawValue] = Array(changed.prefix(Self.kept))
    }

    // MARK: What was found

    private func show(
        _ goal: String, _ rank: Int, _ measurement: Measurement, _ score: Double, _ views: Int,
        _ kind: String, _ choices: Choices
    ) {
        print(
            goal, rank, measurement.units, measurement.nanoseconds, measurement.bytes,
            String(format: "%.3f", score), views, kind, choices.description)
    }

    /// Prints a line for each case worth counting, and how rates are spread on standard error.
    func report() {
        for goal in Goal.allCases {
            for case let (rank, item) in found[goal.rawValue].enumerated() {
                show(
                    "\(goal)", rank, item.measurement, item.score, item.views, item.kind,
                    item.choices)
            }
        }
        let mean = Double(nanoseconds) / Double(max(units, 1))
        print(
            "\(count) cases, \(failed) for nothing, \(tooLong) more were too long; \(String(format: "%.2f", mean)) ns for a unit on average",
            to: &standardError)
        for (kind, spread) in spreads.filter({ !$0.key.contains("+") }).sorted(by: {
            $0.key < $1.key
        }) {
            let figures = [
                spread.least, Double(spread.nanoseconds) / Double(spread.units), spread.most,
            ].map { String(format: "%9.2f", $0) }.joined()
            print("\(figures) ns/unit: \(kind), \(spread.count)", to: &standardError)
        }
        for item in champions.compactMap(\.first) {
            show(
                "champion", 0, item.measurement, item.measurement.rate, item.views, item.kind,
                item.choices)
        }
        for (step, count) in rates.sorted(by: { $0.key < $1.key }) {
            let rate = String(format: "%8.2f", exp2(Double(step) / 2))
            print("\(rate) ns/unit: \(count)", to: &standardError)
        }
    }
}

/// Standard error as a place to print to.
struct StandardError: TextOutputStream {
    mutating func write(_ string: String) { FileHandle.standardError.write(Data(string.utf8)) }
}

nonisolated(unsafe) var standardError = StandardError()
