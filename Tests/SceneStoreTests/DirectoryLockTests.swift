import Foundation
import Glibc
import SceneTestSupport
import SceneWire
import Synchronization
import Testing
import Threads

@testable import SceneStore

@Suite("Names on disk")
struct DurableNamesTests {
    @Test("the directories of a path that are missing, and where each lies")
    func paths() throws {
        let directory = TemporaryDirectory()
        let inner = directory.path + "/a/b/"
        #expect(DurableNames.missing(in: inner).count == 3)
        _ = try DirectoryLock(directory.path)
        #expect(DurableNames.missing(in: inner).count == 2)
        #expect(DurableNames.missing(in: directory.path).isEmpty)
        #expect(DurableNames.parent(of: inner) == directory.path + "/a")
        #expect(DurableNames.parent(of: "/data") == "/")
        #expect(DurableNames.parent(of: "data") == ".")
        #expect(DurableNames.syncName(of: directory.path) == nil)
        #expect(DurableNames.sync(inner) == ENOENT)
        _ = try DirectoryLock(inner)
        #expect(DurableNames.missing(in: inner).isEmpty)
    }
}

@Suite("The lock of a data directory")
struct DirectoryLockTests {
    @Test("a second writer is refused and told the first; a reader is not")
    func second() throws {
        let directory = TemporaryDirectory()
        let lock = try DirectoryLock(directory.path, command: "scenesync serve")
        #expect(!lock.wasUsedBefore)
        try lock.note(address: "ws://127.0.0.1:7070")
        let store = try SQLiteStore(lock: lock)
        var chain = Chain(room: "a")
        try store.append([chain.next(.snapshot)], time: 1)
        let holder = DirectoryLock.Holder(
            process: Int(getpid()), command: "scenesync serve",
            host: ProcessInfo.processInfo.hostName, address: "ws://127.0.0.1:7070")
        #expect(throws: StoreError.inUse(directory: directory.path, holder)) {
            _ = try SQLiteStore(directory: directory.path)
        }
        #expect(holder.description.contains("at ws://127.0.0.1:7070"))
        #expect(DirectoryLock.holder(of: directory.path)?.process == Int(getpid()))
        let reader = try SQLiteStore(directory: directory.path, isReadOnly: true)
        #expect(try reader.records(of: "a").count == 1)
    }

    @Test("a lock that fails closes no file of another thread")
    func closedOnce() throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true)
        // It can be locked, and not be written at a place.
        #expect(mkfifo(DirectoryLock.path(in: directory.path), 0o600) == 0)
        let isOver = Mutex(false)
        let closed = Mutex(0)
        let other = OwnedThread(name: "opens files")
        other.start {
            while !isOver.withLock(\.self) {
                let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
                sched_yield()
                if close(number) != 0 { closed.withLock { $0 += 1 } }
            }
        }
        for _ in 0..<20_000 {
            #expect(throws: StoreError.self) { try DirectoryLock(directory.path) }
        }
        isOver.withLock { $0 = true }
        other.join()
        #expect(closed.withLock(\.self) == 0)
    }

    @Test("the lock ends with its process, however that ends, and its file does not block")
    func stale() throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true)
        let path = DirectoryLock.path(in: directory.path)
        // Another program's lock of the same kind, with a text that is none of ours.
        try Data([0xFF, 0x00, 0x1B, 0x5B]).write(to: URL(fileURLWithPath: path))
        let output = Pipe()
        let other = try ChildProcess(
            ["/usr/bin/env", "flock", "-F", path, "sh", "-c", "echo locked; exec sleep 1000"],
            output: .pipe(output))
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
        #expect(
            throws: StoreError.inUse(
                directory: directory.path,
                DirectoryLock.Holder(process: nil, command: "", host: "", address: nil))
        ) { _ = try DirectoryLock(directory.path) }
        other.send(SIGKILL)
        other.waitUntilExit()
        let lock = try DirectoryLock(directory.path)
        #expect(lock.wasUsedBefore)
    }

    @Test("a lock is released with its last reference, for the next in the same process")
    func released() throws {
        let directory = TemporaryDirectory()
        do {
            let lock = try DirectoryLock(directory.path)
            #expect(DirectoryLock.holder(of: directory.path) != nil)
            _ = lock
        }
        #expect(DirectoryLock.holder(of: directory.path) == nil)
        #expect(try DirectoryLock(directory.path).wasUsedBefore)
    }

    @Test("a missing or empty journal is told of where there was one")
    func loss() throws {
        let directory = TemporaryDirectory()
        #expect(JournalFile.loss(in: directory.path) == nil)
        do {
            let lock = try DirectoryLock(directory.path)
            #expect(JournalFile.loss(in: directory.path, lock: lock) == nil)
            _ = try SQLiteStore(lock: lock)
        }
        #expect(JournalFile.loss(in: directory.path) == nil)
        let path = directory.path + "/journal.sqlite"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(JournalFile.loss(in: directory.path)?.isEmpty == true)
        try FileManager.default.removeItem(atPath: path)
        let lock = try DirectoryLock(directory.path)
        let loss = try #require(JournalFile.loss(in: directory.path, lock: lock))
        #expect(!loss.isEmpty)
        #expect(loss.description.contains("\(path) is missing"))
    }
}
