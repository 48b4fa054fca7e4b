public import JSON

/// Turns files of other programs into documents, for pages on which they are dropped.
public struct FileConverter: Sendable {
    /// Why a file cannot be converted.
    public struct Failure: Error {
        /// A sentence.
        public var text: String

        /// Makes a failure.
        public init(_ text: String) { self.text = text }
    }

    /// Converts the bytes of a file with a name, which has no folder. Of several scenes in it the
    /// one with the id is meant, or that with which the file begins.
    ///
    /// - Returns: `{"scene": ID, "scenes": [{"id", "title"}], "document": {…}}`.
    public let convert:
        @Sendable (_ bytes: [UInt8], _ name: String, _ scene: String?) throws(Failure) -> JSONValue

    /// Makes a converter of a function.
    public init(
        convert:
            @escaping @Sendable (_ bytes: [UInt8], _ name: String, _ scene: String?)
            throws(Failure) -> JSONValue
    ) {
        self.convert = convert
    }
}
