/// Applies the rules of UAX #14 from the beginning of a text to its end.
///
/// The rules work on bases: scalars with the marks and joiners that LB9 attaches to them.
struct LineBreakScanner {
    /// A scalar and what is attached to it.
    struct Base {
        var unit: LineBreakUnit
        /// The scalar's place in the text.
        let place: Int
        /// Whether the last scalar, attached or not, is a zero width joiner.
        var endsInJoiner: Bool

        var kind: LineBreakClass { unit.kind }
    }

    let bases: [Base]
    /// The base that follows the place that is decided on.
    private(set) var index = 0
    /// The last base before the place that is no space.
    private(set) var ink: Int?
    /// Whether the bases before the place end in `NU (SY | IS)*`.
    private(set) var isNumber = false
    /// Whether they end in `NU (SY | IS)* (CL | CP)`.
    private(set) var isClosedNumber = false
    /// Whether they end in an odd number of regional indicators.
    private(set) var isHalfFlag = false

    static func opportunities(
        in scalars: some Sequence<Unicode.Scalar>, strictness: LineBreakStrictness
    ) -> [LineBreakOpportunity] {
        var count = 0
        var bases: [Base] = []
        for scalar in scalars {
            attach(LineBreakClasses.shared.unit(of: scalar), at: count, strictness, to: &bases)
            count += 1
        }
        var result = [LineBreakOpportunity](repeating: .prohibited, count: count + 1)
        var scanner = Self(bases: bases)
        for base in bases.dropFirst() {
            scanner.advance()
            result[base.place] = scanner.opportunity
        }
        result[count] = .mandatory
        return result
    }

    private init(bases: [Base]) { self.bases = bases }

    /// LB1 where it depends on the strictness, LB9 and LB10.
    private static func attach(
        _ unit: LineBreakUnit, at place: Int, _ strictness: LineBreakStrictness,
        to bases: inout [Base]
    ) {
        var unit = unit
        let isJoiner = unit.kind == .zwj
        switch unit.kind {
        case .cj: unit.kind = strictness == .strict ? .ns : .id
        case .cm, .zwj:
            switch bases.last?.kind {
            case nil, .bk, .cr, .lf, .nl, .sp, .zw:
                unit.kind = .al
            default:
                bases[bases.count - 1].endsInJoiner = isJoiner
                return
            }
        default: break
        }
        bases.append(Base(unit: unit, place: place, endsInJoiner: isJoiner))
    }

    /// Moves to the place after the base at the index.
    private mutating func advance() {
        let wasNumber = isNumber
        switch bases[index].kind {
        case .nu: isNumber = true
        case .sy, .is: break
        default: isNumber = false
        }
        isClosedNumber = wasNumber && (bases[index].kind == .cl || bases[index].kind == .cp)
        isHalfFlag = bases[index].kind == .ri && !isHalfFlag
        if bases[index].kind != .sp { ink = index }
        index += 1
    }

    /// The base `offset` after the one that follows the place; nil beyond the text.
    func base(_ offset: Int) -> LineBreakUnit? {
        let wanted = index + offset
        return bases.indices.contains(wanted) ? bases[wanted].unit : nil
    }

    /// LB4 to LB6, and what the other rules say.
    private var opportunity: LineBreakOpportunity {
        let (last, next) = (bases[index - 1].kind, bases[index].kind)
        switch (last, next) {
        case (.cr, .lf): return .prohibited
        case (.bk, _), (.cr, _), (.lf, _), (.nl, _): return .mandatory
        case (_, .bk), (_, .cr), (_, .lf), (_, .nl): return .prohibited
        default: return isBreak ? .allowed : .prohibited
        }
    }
}
