/// The reason why a file cannot be read.
public struct InterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the fault, from 1; `nil` for the file as a whole.
    public var line: Int?
    /// The fault and what to do next, as a sentence without a full stop.
    public var text: String

    /// Whether the file is sound but of a kind that cannot be laid out: for AppKit or WatchKit, or
    /// in the format of Xcode 4.
    public var isOfAnotherKind: Bool

    /// Creates an error.
    public init(line: Int? = nil, isOfAnotherKind: Bool = false, _ text: String) {
        self.line = line
        self.isOfAnotherKind = isOfAnotherKind
        self.text = text
    }

    /// The line and the text.
    public var description: String {
        if let line { return "line \(line): \(text)" }
        return text
    }
}
