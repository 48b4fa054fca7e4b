internal import CSQLite

/// One prepared statement. Belongs to its `Connection`, which finalises it before it closes the
/// database.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    /// Prepares the first statement of a text.
    ///
    /// - Throws: `SQLiteError` for text that SQLite does not understand, or that holds no
    ///   statement.
    init(_ sql: String, in database: OpaquePointer) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw Connection.error(database, code) }
        guard let prepared else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "no statement in '\(sql)'")
        }
        handle = prepared
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Gives the parameters; `step` then goes from row to row, and `reset` ends it.
    func begin(_ values: [Value]) throws(SQLiteError) {
        for (index, value) in zip(Int32(1)..., values) { try check(bind(value, index)) }
    }

    /// Goes to the next row. False at the end.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Connection.error(database, code)
        }
    }

    /// Ends what runs, and lets go of the parameters.
    func reset() {
        // Repeats the error of the last step, which was thrown already.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Runs to the end without copying the bytes of the last parameter.
    func run(_ values: [Value], last blob: [UInt8]) throws(SQLiteError) {
        try begin(values)
        let outcome: Result<Void, SQLiteError> = blob.withUnsafeBytes { raw in
            Result { () throws(SQLiteError) in
                // An empty array has no address, and no address would be NULL.
                let code =
                    raw.isEmpty
                    ? sqlite3_bind_zeroblob(handle, Int32(values.count + 1), 0)
                    : sceneSyncBindBlobInPlace(
                        handle, Int32(values.count + 1), raw.baseAddress, UInt64(raw.count))
                // Afterwards the bytes are the caller's again.
                defer { reset() }
                try check(code)
                while try step() {}
            }
        }
        try outcome.get()
    }

    private func bind(_ value: Value, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(var text):
            text.withUTF8 { raw in
                raw.withMemoryRebound(to: CChar.self) { bytes in
                    sceneSyncBindTextCopy(
                        handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { raw in
                raw.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sceneSyncBindBlobCopy(handle, index, raw.baseAddress, UInt64(raw.count))
            }
        }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw Connection.error(database, code) }
    }

    // MARK: The present row

    /// All columns of the present row.
    var columns: [Value] { (0..<sqlite3_column_count(handle)).map { column($0) } }

    private func column(_ index: Int32) -> Value {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_text(handle, index),
                count: Int(sqlite3_column_bytes(handle, index)))
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
                ?? .blob([UInt8](bytes))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(handle, index),
                count: Int(sqlite3_column_bytes(handle, index)))
            return .blob([UInt8](bytes))
        default: return .null
        }
    }
}
