/// The rules LB7 to LB31, in the order of the annex: the first that answers decides.
extension LineBreakScanner {
    var isBreak: Bool {
        spacesAndJoiners ?? quotations ?? breaksAndHyphens ?? numbers ?? scripts ?? true
    }

    private var last: LineBreakUnit { bases[index - 1].unit }
    private var next: LineBreakUnit { bases[index].unit }
    /// The class of the last base that is no space, for rules with `SP*`.
    private var inkKind: LineBreakClass? { ink.map { bases[$0].kind } }

    private static func isAlphabetic(_ kind: LineBreakClass) -> Bool { kind == .al || kind == .hl }

    private static func isHyphen(_ kind: LineBreakClass) -> Bool { kind == .hy || kind == .hh }

    private static func isQuotation(_ kind: LineBreakClass) -> Bool {
        kind == .qu || kind == .quInitial || kind == .quFinal
    }

    /// LB7 to LB14: spaces, joiners, glue, and punctuation that ends or opens.
    private var spacesAndJoiners: Bool? {
        // LB7
        if next.kind == .sp || next.kind == .zw { return false }
        // LB8
        if inkKind == .zw { return true }
        // LB8a
        if bases[index - 1].endsInJoiner { return false }
        // LB11
        if next.kind == .wj || last.kind == .wj { return false }
        // LB12
        if last.kind == .gl { return false }
        // LB12a
        if next.kind == .gl {
            switch last.kind {
            case .sp, .ba, .hy, .hh: break
            default: return false
            }
        }
        switch next.kind {
        // LB13
        case .cl, .cp, .ex, .sy: return false
        default: break
        }
        // LB14
        return inkKind == .op ? false : nil
    }

    /// LB15a to LB19a, with the spaces of LB18 between them.
    private var quotations: Bool? {
        // LB15a
        if inkKind == .quInitial, let ink {
            switch ink > 0 ? bases[ink - 1].kind : nil {
            case nil, .bk, .cr, .lf, .nl, .op, .qu, .quInitial, .quFinal, .gl, .sp, .zw:
                return false
            default: break
            }
        }
        // LB15b
        if next.kind == .quFinal {
            switch base(1)?.kind {
            case nil, .sp, .gl, .wj, .cl, .qu, .quInitial, .quFinal, .cp, .ex, .is, .sy, .bk, .cr,
                .lf, .nl, .zw:
                return false
            default: break
            }
        }
        if next.kind == .is {
            // LB15c, LB15d
            return last.kind == .sp && base(1)?.kind == .nu
        }
        // LB16
        if next.kind == .ns, inkKind == .cl || inkKind == .cp { return false }
        // LB17
        if next.kind == .b2, inkKind == .b2 { return false }
        // LB18
        if last.kind == .sp { return true }
        // LB19
        if next.kind == .qu || next.kind == .quFinal { return false }
        if last.kind == .qu || last.kind == .quInitial { return false }
        // LB19a
        if Self.isQuotation(next.kind), !last.isEastAsian || base(1)?.isEastAsian != true {
            return false
        }
        if Self.isQuotation(last.kind), !next.isEastAsian || base(-2)?.isEastAsian != true {
            return false
        }
        return nil
    }

    /// LB20 to LB22: contingent breaks, hyphens, and what stays with the text before it.
    private var breaksAndHyphens: Bool? {
        // LB20
        if next.kind == .cb || last.kind == .cb { return true }
        // LB20a
        if Self.isHyphen(last.kind), Self.isAlphabetic(next.kind) {
            switch base(-2)?.kind {
            case nil, .bk, .cr, .lf, .nl, .sp, .zw, .cb, .gl: return false
            default: break
            }
        }
        // LB21
        switch next.kind {
        case .ba, .hh, .hy, .ns: return false
        default: break
        }
        if last.kind == .bb { return false }
        // LB21a
        if Self.isHyphen(last.kind), base(-2)?.kind == .hl, next.kind != .hl { return false }
        // LB21b
        if last.kind == .sy, next.kind == .hl { return false }
        // LB22
        return next.kind == .in ? false : nil
    }

    /// LB23 to LB25: numbers and what stands with them.
    private var numbers: Bool? {
        switch (last.kind, next.kind) {
        // LB23
        case (.al, .nu), (.hl, .nu), (.nu, .al), (.nu, .hl): return false
        // LB23a
        case (.pr, .id), (.pr, .eb), (.pr, .em), (.id, .po), (.eb, .po), (.em, .po): return false
        // LB24
        case (.pr, .al), (.pr, .hl), (.po, .al), (.po, .hl), (.al, .pr), (.al, .po), (.hl, .pr),
            (.hl, .po):
            return false
        // LB25
        case (.pr, .nu), (.po, .nu), (.hy, .nu), (.is, .nu): return false
        case (.pr, .op), (.po, .op):
            if base(1)?.kind == .nu { return false }
            if base(1)?.kind == .is, base(2)?.kind == .nu { return false }
        case (_, .po), (_, .pr):
            if isNumber || isClosedNumber { return false }
        case (_, .nu):
            if isNumber { return false }
        default: break
        }
        return nil
    }

    /// LB26 to LB30b: syllables, letters, parentheses, flags and emoji.
    private var scripts: Bool? {
        switch (last.kind, next.kind) {
        // LB26
        case (.jl, .jl), (.jl, .jv), (.jl, .h2), (.jl, .h3): return false
        case (.jv, .jv), (.jv, .jt), (.h2, .jv), (.h2, .jt): return false
        case (.jt, .jt), (.h3, .jt): return false
        // LB27
        case (.jl, .po), (.jv, .po), (.jt, .po), (.h2, .po), (.h3, .po): return false
        case (.pr, .jl), (.pr, .jv), (.pr, .jt), (.pr, .h2), (.pr, .h3): return false
        // LB28
        case (.al, .al), (.al, .hl), (.hl, .al), (.hl, .hl): return false
        // LB29
        case (.is, .al), (.is, .hl): return false
        // LB30
        case (.al, .op), (.hl, .op), (.nu, .op):
            if !next.isEastAsian { return false }
        case (.cp, .al), (.cp, .hl), (.cp, .nu):
            if !last.isEastAsian { return false }
        // LB30a
        case (.ri, .ri):
            if isHalfFlag { return false }
        // LB30b
        case (.eb, .em): return false
        case (_, .em):
            if last.isUnassignedPictograph { return false }
        default: break
        }
        return aksaras
    }

    /// LB28a: orthographic syllables of Brahmic scripts.
    private var aksaras: Bool? {
        func isAksara(_ unit: LineBreakUnit?) -> Bool {
            guard let unit else { return false }
            return unit.kind == .ak || unit.kind == .as || unit.isDottedCircle
        }
        func isLead(_ unit: LineBreakUnit) -> Bool { unit.kind == .ak || unit.isDottedCircle }
        if last.kind == .ap, isAksara(next) { return false }
        if isAksara(last), next.kind == .vf || next.kind == .vi { return false }
        if last.kind == .vi, isAksara(base(-2)), isLead(next) { return false }
        return isAksara(last) && isAksara(next) && base(1)?.kind == .vf ? false : nil
    }
}
