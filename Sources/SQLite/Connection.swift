private import CSQLite

/// A connection to one SQLite database: statements, transactions, typed errors, and nothing else.
///
/// A connection is used from one thread at a time; it takes no locks of its own. Texts of
/// statements come from the program, never from outside: each is prepared once and kept. What comes
/// from outside is given as a parameter.
public final class Connection {
    /// What a connection may do.
    public enum Access: Sendable {
        /// Read a database that exists.
        case reading
        /// Read and write, and make the database where there is none.
        case writing
    }

    /// How a transaction begins.
    public enum Transaction: String, Sendable {
        /// All that is read is of one moment.
        case reading = "BEGIN DEFERRED"
        /// Nobody else writes meanwhile.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Prepared statements that are kept at most; a program has fewer.
    private static let statementMaximum = 64

    private let handle: OpaquePointer
    /// By their texts; without those that are running.
    private var statements: [String: Statement] = [:]

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: Its file.
    ///   - access: What the connection may do.
    ///   - patience: Milliseconds for which a statement waits for another connection's lock.
    /// - Throws: `SQLiteError`.
    public init(path: String, access: Access, patience: Int32 = 5000) throws(SQLiteError) {
        let flags =
            switch access {
            case .reading: SQLITE_OPEN_READONLY
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let error = opened.map { Self.error($0, code) } ?? SQLiteError(code: code)
            // Even one that did not open is to be closed.
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, patience)
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    static func error(_ database: OpaquePointer, _ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(database)))
    }

    // MARK: Statements

    /// Runs all statements of a text; their rows are passed over.
    ///
    /// - Throws: `SQLiteError` of the first that fails; those before it have run.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.error(handle, code) }
    }

    /// Runs one statement.
    ///
    /// - Parameter values: Its parameters.
    /// - Throws: `SQLiteError`.
    public func run(_ sql: String, _ values: Value...) throws(SQLiteError) {
        _ = try all(sql, values, atMost: 0)
    }

    /// Runs one statement whose last parameter is large: its bytes are not copied.
    ///
    /// - Parameters:
    ///   - values: The parameters before it.
    ///   - blob: The last parameter.
    /// - Throws: `SQLiteError`.
    public func run(_ sql: String, _ values: Value..., last blob: [UInt8]) throws(SQLiteError) {
        let statement = try take(sql)
        defer { put(back: statement, sql) }
        try statement.run(values, last: blob)
    }

    /// The rows that a query finds, each with its columns in order.
    ///
    /// - Throws: `SQLiteError`.
    public func rows(_ sql: String, _ values: Value...) throws(SQLiteError) -> [[Value]] {
        try all(sql, values, atMost: .max)
    }

    /// The first column of the rows that a query finds.
    ///
    /// - Throws: `SQLiteError`.
    public func column(_ sql: String, _ values: Value...) throws(SQLiteError) -> [Value] {
        try all(sql, values, atMost: .max).compactMap(\.first)
    }

    /// The first column of the first row; `nil` where there is no row.
    ///
    /// - Throws: `SQLiteError`.
    public func first(_ sql: String, _ values: Value...) throws(SQLiteError) -> Value? {
        try all(sql, values, atMost: 1).first?.first
    }

    /// Hands out the rows of a query one by one, so that no more than one is in memory. Other
    /// statements may run meanwhile.
    ///
    /// - Parameter body: Takes the columns of a row.
    /// - Throws: `SQLiteError`, and what `body` throws.
    public func forEach(_ sql: String, _ body: ([Value]) throws -> Void) throws {
        let statement = try take(sql)
        defer { put(back: statement, sql) }
        while try statement.step() { try body(statement.columns) }
    }

    /// The number of the row that was inserted last.
    public var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    private func all(
        _ sql: String, _ values: [Value], atMost maximum: Int
    ) throws(SQLiteError) -> [[Value]] {
        let statement = try take(sql)
        defer { put(back: statement, sql) }
        try statement.begin(values)
        var rows: [[Value]] = []
        // A query may end early; what changes something runs to its end.
        while try statement.step() {
            if rows.count < maximum { rows.append(statement.columns) }
            if maximum > 0, rows.count == maximum { break }
        }
        return rows
    }

    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        if let known = statements.removeValue(forKey: sql) { return known }
        return try Statement(sql, in: handle)
    }

    private func put(back statement: Statement, _ sql: String) {
        statement.reset()
        if statements.count >= Self.statementMaximum { statements.removeAll() }
        statements[sql] = statement
    }

    // MARK: Transactions

    /// Runs `body` as one transaction: all of it is kept, or, when it throws, nothing.
    ///
    /// - Throws: `SQLiteError`, and what `body` throws.
    public func transaction<Result>(
        _ kind: Transaction, _ body: () throws -> Result
    ) throws -> Result {
        try execute(kind.rawValue)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures, such as a full disk, have ended the transaction already.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}
