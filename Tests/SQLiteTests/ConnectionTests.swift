import Foundation
import Testing

@testable import SQLite

/// A database file that goes with the test.
private final class TemporaryFile {
    let path = NSTemporaryDirectory() + "scenesync-sqlite-" + UUID().uuidString

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}

@Suite("Connections to SQLite")
struct ConnectionTests {
    private func memory() throws -> Connection {
        try Connection(path: ":memory:", access: .writing)
    }

    @Test(
        "each kind of value comes back as it was given",
        arguments: [
            Value.null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-1e300),
            .text(""), .text("a\0b"), .text("é 語 🎛"), .blob([]), .blob([0, 255, 7]),
            .blob([UInt8](repeating: 9, count: 100_000)),
        ])
    func values(_ value: Value) throws {
        let database = try memory()
        #expect(try database.first("SELECT ?", value) == value)
        try database.execute("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (?)", value)
        #expect(try database.rows("SELECT v, 1 FROM t") == [[value, 1]])
        if case .blob(let bytes) = value {
            try database.run("UPDATE t SET v = ?2 WHERE 1 = ?1", 1, last: bytes)
            #expect(try database.column("SELECT v FROM t") == [value])
        }
    }

    @Test("text that is no UTF-8 comes as its bytes")
    func invalidText() throws {
        #expect(
            try memory().first("SELECT CAST(x'ff80fe' AS TEXT)") == .blob([0xFF, 0x80, 0xFE]))
    }

    @Test("rows are handed out in order, while other statements change the database")
    func rowByRow() throws {
        let database = try memory()
        try database.execute(
            "CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3); CREATE TABLE u (v)")
        try database.forEach("SELECT v FROM t ORDER BY v DESC") { row in
            // The same text once more, while it runs: a statement of its own.
            #expect(try database.column("SELECT v FROM t ORDER BY v DESC").count == 3)
            try database.run("INSERT INTO u VALUES (?)", row[0])
        }
        #expect(try database.column("SELECT v FROM u ORDER BY rowid") == [3, 2, 1])
        #expect(database.lastRowID == 3)
        #expect(try database.first("SELECT v FROM t WHERE v > 5") == nil)
    }

    @Test("a body that throws stops the rows, and the statement can be run again")
    func stopped() throws {
        struct Stop: Error {}
        let database = try memory()
        try database.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)")
        #expect(throws: Stop.self) {
            try database.forEach("SELECT v FROM t") { _ in throw Stop() }
        }
        // A statement that still ran would hold the table.
        try database.execute("DROP TABLE t")
    }

    @Test("a statement that changes and returns rows runs to its end")
    func returning() throws {
        let database = try memory()
        try database.execute("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (1), (2), (3) RETURNING v")
        #expect(try database.first("SELECT COUNT(*) FROM t") == 3)
    }

    @Test(
        "what SQLite refuses is its error, with its code and its words",
        arguments: [
            ("SELEC 1", 1, "syntax error"), ("SELECT * FROM nowhere", 1, "no such table"),
            ("", 21, "no statement"), ("-- nothing", 21, "no statement"),
            ("INSERT INTO t VALUES (NULL)", 1299, "NOT NULL constraint failed"),
            ("INSERT INTO t VALUES (7)", 2067, "UNIQUE constraint failed"),
        ] as [(String, Int32, String)])
    func refused(_ sql: String, _ code: Int32, _ words: String) throws {
        let database = try memory()
        try database.execute("CREATE TABLE t (v NOT NULL UNIQUE); INSERT INTO t VALUES (7)")
        let error = #expect(throws: SQLiteError.self) { try database.run(sql) }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("more parameters than a statement has are refused")
    func parameters() throws {
        let error = #expect(throws: SQLiteError.self) { try memory().first("SELECT ?", 1, 2) }
        #expect(error?.code == 25)
        let other = #expect(throws: SQLiteError.self) { try memory().run("SELECT 1", last: [1]) }
        #expect(other?.code == 25)
    }

    @Test("a transaction keeps all or, when its body throws, nothing")
    func transactions() throws {
        struct Stop: Error {}
        let database = try memory()
        try database.execute("CREATE TABLE t (v UNIQUE)")
        try database.transaction(.writing) { try database.run("INSERT INTO t VALUES (1)") }
        #expect(throws: Stop.self) {
            try database.transaction(.writing) {
                try database.run("INSERT INTO t VALUES (2)")
                throw Stop()
            }
        }
        #expect(throws: SQLiteError.self) {
            try database.transaction(.writing) {
                try database.run("INSERT INTO t VALUES (3)")
                // Ends the transaction by itself.
                try database.run("INSERT OR ROLLBACK INTO t VALUES (1)")
            }
        }
        #expect(try database.column("SELECT v FROM t") == [1])
        #expect(try database.transaction(.reading) { 5 } == 5)
    }

    @Test("only one connection writes at a time; the other is refused once its patience is over")
    func locked() throws {
        let file = TemporaryFile()
        let first = try Connection(path: file.path, access: .writing)
        try first.execute("CREATE TABLE t (v)")
        let second = try Connection(path: file.path, access: .writing, patience: 0)
        try first.transaction(.writing) {
            let error = #expect(throws: SQLiteError.self) {
                try second.transaction(.writing) {}
            }
            #expect(error?.code == 5)
        }
        try second.transaction(.writing) { try second.run("INSERT INTO t VALUES (1)") }
        #expect(try first.first("SELECT v FROM t") == 1)
    }

    @Test("what is read in one transaction is of one moment")
    func moment() throws {
        let file = TemporaryFile()
        let writer = try Connection(path: file.path, access: .writing)
        try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)")
        let reader = try Connection(path: file.path, access: .reading)
        try reader.transaction(.reading) {
            #expect(try reader.first("SELECT COUNT(*) FROM t") == 0)
            try writer.run("INSERT INTO t VALUES (1)")
            #expect(try reader.first("SELECT COUNT(*) FROM t") == 0)
        }
        #expect(try reader.first("SELECT COUNT(*) FROM t") == 1)
    }

    @Test("to read takes a database, and changes none")
    func reading() throws {
        let file = TemporaryFile()
        let missing = #expect(throws: SQLiteError.self) {
            _ = try Connection(path: file.path, access: .reading)
        }
        #expect(missing?.code == 14)
        try Connection(path: file.path, access: .writing).execute("CREATE TABLE t (v)")
        let reader = try Connection(path: file.path, access: .reading)
        let refused = #expect(throws: SQLiteError.self) { try reader.execute("DROP TABLE t") }
        #expect(refused?.code == 8)
        #expect(refused?.description.contains("readonly") == true)
    }

    @Test("a file that is no database is told by the first thing that is read")
    func noDatabase() throws {
        let file = TemporaryFile()
        try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: file.path))
        let database = try Connection(path: file.path, access: .writing)
        let error = #expect(throws: SQLiteError.self) { try database.first("PRAGMA user_version") }
        #expect(error?.code == 26)
    }

    @Test("a script ends at its first fault; what stands before it has run")
    func scripts() throws {
        let database = try memory()
        #expect(throws: SQLiteError.self) {
            try database.execute("CREATE TABLE t (v); CREATE TABLE t (v); CREATE TABLE u (v)")
        }
        #expect(try database.column("SELECT name FROM sqlite_master") == ["t"])
    }

    @Test("more texts than are kept prepared are run all the same")
    func manyTexts() throws {
        let database = try memory()
        for number in 0..<200 {
            #expect(try database.first("SELECT \(number)") == .integer(Int64(number)))
        }
    }
}
