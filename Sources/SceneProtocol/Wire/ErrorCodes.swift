// The names of errors in SPEC.md, which the test vectors use; the same in every language.

extension DecodeError {
    /// The error's name; see SPEC.md, section 11.1.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .truncated: "truncated"
        case .malformedVarint: "malformed-varint"
        case .unknownType: "unknown-type"
        case .invalidValue: "invalid-value"
        case .invalidUTF8: "invalid-utf8"
        case .tooMany: "too-many"
        case .unknownExtension: "unknown-extension"
        case .malformedSelection: "malformed-selection"
        case .malformedDeflate: "malformed-deflate"
        case .messageTooLong: "too-long"
        case .json: "json"
        case .field: "field"
        }
    }
}

extension MirrorError {
    /// The error's name; see SPEC.md, section 11.2.
    public var code: String {
        switch self {
        case .noSnapshot: "no-snapshot"
        case .unexpectedChunk: "unexpected-chunk"
        case .wrongBase: "wrong-base"
        case .staleTick: "stale-tick"
        case .unknownView: "unknown-view"
        case .duplicateNumber: "duplicate-number"
        case .duplicateID: "duplicate-id"
        case .misplacedRoot: "misplaced-root"
        case .cycle: "cycle"
        case .invalidIndex: "invalid-index"
        case .unknownSlot: "unknown-slot"
        case .malformedSelection: "malformed-selection"
        case .tooManyChanges: "too-many-changes"
        case .tooManyAnimations: "too-many-animations"
        case .malformedNumbering: "malformed-numbering"
        case .tooManyViews: "too-many-views"
        case .hashMismatch: "hash-mismatch"
        }
    }
}
