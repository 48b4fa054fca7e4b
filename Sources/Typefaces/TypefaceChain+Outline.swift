extension TypefaceChain {
    /// The outlines of a line's glyphs as the data of an SVG path, for pictures that are drawn
    /// where no font is: x from the line's left end, y downwards from its baseline, in points.
    ///
    /// - Parameters:
    ///   - line: Words are shaped each by itself, as they are measured.
    ///   - size: The points of an em.
    /// - Returns: `nil` for a line with text that runs from right to left, and with a character
    ///   that no face has.
    /// - Complexity: O(points of the outlines).
    public func outline(of line: String, size: Double) -> String? {
        let pen = GlyphPen()
        let space = advance(of: " ").units
        var units = 0
        for (index, word) in line.split(separator: " ", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { units += space }
            let scalars = Array(word.unicodeScalars.lazy.filter { !Self.isControl($0) })
            var start = 0
            while start < scalars.count {
                let piece = piece(of: scalars, from: start)
                guard let face = piece.face.map({ faces[$0] }), !piece.script.isRightToLeft else {
                    return nil
                }
                let glyphs = face.glyphs(
                    of: scalars[piece.range], script: piece.script,
                    isKerned: !piece.isIdeographic)
                guard !glyphs.contains(where: { $0.glyph == 0 }) else { return nil }
                let left = Double(units) / Double(Self.unitsPerEm) * size
                let scale = size / Double(face.unitsPerEm)
                var advance = 0
                for glyph in glyphs {
                    pen.draw(
                        glyph.glyph, of: face, x: left + Double(advance + glyph.xOffset) * scale,
                        y: -Double(glyph.yOffset) * scale, scale: scale)
                    advance += glyph.advance
                }
                units += (max(0, advance) << 20 + face.unitsPerEm / 2) / face.unitsPerEm
                start = piece.range.upperBound
            }
        }
        return pen.data
    }
}
