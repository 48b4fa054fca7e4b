private import CHarfBuzz

extension Typeface {
    /// The bytes of a font file with the outlines of some characters, all that shaping makes of
    /// them, and nothing else, for a document that carries its face along.
    ///
    /// The same characters always give the same bytes with the same version of HarfBuzz.
    ///
    /// - Returns: `nil` where the face has none of the characters, or cannot be cut.
    /// - Complexity: O(bytes of the face).
    /// - Source: HarfBuzz, `hb_subset_or_fail`; its plan closes the glyphs over `GSUB` and keeps
    ///   kerning and marks.
    public func subset(characters: some Sequence<Unicode.Scalar>) -> [UInt8]? {
        guard let input = hb_subset_input_create_or_fail() else { return nil }
        defer { hb_subset_input_destroy(input) }
        let wanted = hb_subset_input_unicode_set(input)
        for scalar in characters where covers(scalar) { hb_set_add(wanted, scalar.value) }
        guard hb_set_is_empty(wanted) == 0,
            let face = hb_subset_or_fail(hb_font_get_face(font), input)
        else { return nil }
        defer { hb_face_destroy(face) }
        let blob = hb_face_reference_blob(face)
        defer { hb_blob_destroy(blob) }
        var length: UInt32 = 0
        guard let bytes = hb_blob_get_data(blob, &length), length > 0 else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(length)).map { $0 }
    }
}
