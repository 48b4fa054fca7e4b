import CStepRecord
import FoundationEssentials
import Glibc

/// In which room each thread is at work, in a file that is mapped into memory: when the process has died, whatever of, the file
/// says what it died at.
///
/// Written without system calls: what is in mapped memory reaches the file also when the process has no time for a last one.
final class StepRecord: Sendable {
    /// A thread that had not ended its step when its process died.
    struct Trace: Equatable {
        var room: String
        var cause: Cause
    }

    /// What a process died of.
    enum Cause: Equatable, CustomStringConvertible {
        /// A signal that this very thread brought about.
        case signal(Int32)
        /// It was ended from outside while the thread had been at one step for too long.
        case late

        var description: String {
            switch self {
            case .signal(let number):
                "signal \(number) (\(String(cString: strsignal(number))))"
            case .late: "being ended at a step that had taken too long"
            }
        }
    }

    private static let magic: [UInt8] = Array("SCNSTEP1".utf8)
    private static let slotBytes = MemoryLayout<step_slot>.stride

    private let path: String
    /// Mapped, and so never moved; each slot is written by its thread alone, and marked late under its activity's lock.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer

    /// Makes a new record in the place of one that is there.
    ///
    /// - Parameter threads: How many threads it is for.
    /// - Throws: `ServerError.store` when the file cannot be made.
    init(path: String, threads: Int) throws(ServerError) {
        self.path = path
        let count = Self.slotBytes * (threads + 1)
        // A new file each time: one that is still mapped elsewhere must not lose its pages.
        _ = unlink(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        // With its blocks: a disk that is full must not end the process when it writes.
        guard posix_fallocate(descriptor, 0, off_t(count)) == 0 else { throw Self.failure(path) }
        let address = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let address, address != MAP_FAILED else { throw Self.failure(path) }
        memory = UnsafeMutableRawBufferPointer(start: address, count: count)
        memory.copyBytes(from: Self.magic)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    private static func failure(_ path: String) -> ServerError {
        .store("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }

    /// The place of a thread, counted from 0.
    ///
    /// - Precondition: Less than the number of threads.
    func slot(_ index: Int) -> Slot {
        let offset = Self.slotBytes * (index + 1)
        precondition(index >= 0 && offset + Self.slotBytes <= memory.count, "no such thread")
        return Slot(record: self, offset: offset)
    }

    /// Removes the file: the process ends as it should.
    func remove() { _ = unlink(path) }

    /// Reads what a process has left.
    ///
    /// - Returns: What it died at, in the order of its threads; nothing where there is no file, or none that can be read.
    static func traces(at path: String) -> [Trace] {
        guard let data = FileManager.default.contents(atPath: path), data.starts(with: magic)
        else { return [] }
        let bytes = [UInt8](data)
        return stride(from: slotBytes, through: bytes.count - slotBytes, by: slotBytes).compactMap {
            offset in
            let slot = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: step_slot.self)
            }
            let cause: Cause
            switch slot.state {
            case UInt32(STEP_CRASHED): cause = .signal(slot.signal)
            case UInt32(STEP_LATE): cause = .late
            default: return nil
            }
            let name = withUnsafeBytes(of: slot.room) {
                String(
                    validating: $0.prefix(Int(min(slot.room_length, UInt32($0.count)))),
                    as: UTF8.self)
            }
            return name.map { Trace(room: $0, cause: cause) }
        }
    }

    /// A thread's place.
    struct Slot: Sendable {
        fileprivate let record: StepRecord
        fileprivate let offset: Int

        private var slot: UnsafeMutablePointer<step_slot>? {
            record.memory.baseAddress.map {
                ($0 + offset).assumingMemoryBound(to: step_slot.self)
            }
        }

        /// Gives the place to the calling thread, so that its signals are noted here.
        func attach() { step_attach(slot) }

        /// Notes that work in a room begins. On the thread.
        func begin(in room: String) {
            var room = room
            room.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    step_begin(slot, $0.baseAddress, UInt32(clamping: $0.count))
                }
            }
        }

        /// Notes that nothing is done in any room. On the thread.
        func rest() { step_rest(slot) }

        /// Notes that the present step has taken too long. From any thread.
        func noteLateness() { step_is_late(slot) }
    }
}
