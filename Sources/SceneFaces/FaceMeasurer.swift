import AutoLayout
import LayoutValues
import SceneDocument
import Synchronization
import Typefaces

/// Measures words in the faces of a document, and remembers their lengths.
final class FaceMeasurer: TextMeasurer, Sendable {
    /// The chains and their metrics by weight.
    private let weights: [FontWeight: (chain: TypefaceChain, metrics: LineMetrics)]
    private let known = Mutex<[Key: TextAdvance]>([:])

    /// By bytes: texts that Unicode calls equal may have other glyphs, and what was measured before
    /// must not decide between them.
    private struct Key: Hashable {
        var word: [UInt8]
        var weight: FontWeight
    }

    /// The most words that are remembered; after that all are forgotten, which costs time alone.
    private static let knownMaximum = 1 << 16

    init(_ faces: [(spec: FaceSpec, typeface: Typeface)]) {
        var weights: [FontWeight: (TypefaceChain, LineMetrics)] = [:]
        for weight in FontWeight.allCases {
            let chain = TypefaceChain(
                faces.map(\.spec).chain(weight: weight.number).compactMap { spec in
                    faces.first { $0.spec == spec }?.typeface
                })
            weights[weight] = (chain, Self.metrics(of: chain))
        }
        self.weights = weights
    }

    private static func metrics(of chain: TypefaceChain) -> LineMetrics {
        let face = chain.faces[0]
        func units(_ length: Int) -> Int {
            (length << 20 + face.unitsPerEm / 2) / face.unitsPerEm
        }
        return LineMetrics(
            ascender: units(face.ascender), descender: -units(-face.descender),
            leading: units(face.lineGap), space: chain.advance(of: " ").units)
    }

    private func faces(_ weight: FontWeight) -> (chain: TypefaceChain, metrics: LineMetrics) {
        guard let faces = weights[weight] else { preconditionFailure("a weight without a chain") }
        return faces
    }

    func advance(of word: Substring, weight: FontWeight) -> TextAdvance {
        let key = Key(word: Array(word.utf8), weight: weight)
        if let advance = known.withLock({ $0[key] }) { return advance }
        // Not while the lock is held: shaping takes microseconds.
        let measured = faces(weight).chain.advance(of: word)
        let advance = TextAdvance(units: measured.units, isFitted: measured.isFitted)
        known.withLock { known in
            if known.count >= Self.knownMaximum { known.removeAll(keepingCapacity: true) }
            known[key] = advance
        }
        return advance
    }

    func lineMetrics(weight: FontWeight) -> LineMetrics { faces(weight).metrics }
}
