private import CSQLite

/// A failure that SQLite reported.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; see <https://sqlite.org/rescode.html>.
    public let code: Int32
    /// SQLite's own words.
    public let message: String

    init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// For a code that no connection has words for.
    init(code: Int32) {
        self.init(code: code, message: String(cString: sqlite3_errstr(code)))
    }

    /// The text for people: SQLite's words, and its code, which its documentation explains.
    public var description: String { "\(message) (SQLite error \(code))" }
}
