import CStepRecord
import FoundationEssentials
import Glibc

/// The room in which each thread is working, in a memory-mapped file: after a crash of any kind the
/// file tells where it happened.
///
/// Written without system calls: the kernel writes mapped memory to the file even after the process
/// was killed.
final class StepRecord: Sendable {
    /// A thread that was in a step when its process died.
    struct Trace: Equatable {
        var room: String
        var cause: Cause
    }

    /// The cause of a process's death.
    enum Cause: Equatable, CustomStringConvertible {
        /// A signal raised by this thread.
        case signal(Int32)
        /// Killed while the thread had been in one step for too long.
        case late

        var description: String {
            switch self {
            case .signal(let number):
                "signal \(number) (\(String(cString: strsignal(number))))"
            case .late: "being killed during a step that took too long"
            }
        }
    }

    private static let magic: [UInt8] = Array("SCNSTEP1".utf8)
    private static let slotBytes = MemoryLayout<step_slot>.stride

    private let path: String
    /// Mapped, and therefore never moved; each slot is written by its thread only, and marked late
    /// under its activity's lock.
    nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer

    /// Creates a record, replacing an existing one.
    ///
    /// - Parameter threads: The number of threads.
    /// - Throws: `ServerError.store` if the file cannot be created.
    init(path: String, threads: Int) throws(ServerError) {
        self.path = path
        let count = Self.slotBytes * (threads + 1)
        // Always a new file: one that is still mapped elsewhere must not lose its pages.
        _ = unlink(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        // Allocates the blocks: a full disk must not kill the process when it writes.
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

    /// The slot of a thread, counted from 0.
    ///
    /// - Precondition: Less than the number of threads.
    func slot(_ index: Int) -> Slot {
        let offset = Self.slotBytes * (index + 1)
        precondition(index >= 0 && offset + Self.slotBytes <= memory.count, "no such thread")
        return Slot(record: self, offset: offset)
    }

    /// Removes the file, for a regular end of the process.
    func remove() { _ = unlink(path) }

    /// Reads the record of a former process.
    ///
    /// - Returns: The steps at which it died, in the order of its threads; empty if there is no
    ///   valid file.
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

    /// A thread's place in the record.
    struct Slot: Sendable {
        fileprivate let record: StepRecord
        fileprivate let offset: Int

        private var slot: UnsafeMutablePointer<step_slot>? {
            record.memory.baseAddress.map {
                ($0 + offset).assumingMemoryBound(to: step_slot.self)
            }
        }

        /// Assigns the slot to the calling thread, so that its signals are recorded here.
        func attach() { step_attach(slot) }

        /// Registers the beginning of work in a room. On the thread.
        func begin(in room: String) {
            var room = room
            room.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    step_begin(slot, $0.baseAddress, UInt32(clamping: $0.count))
                }
            }
        }

        /// Registers that no room is worked in. On the thread.
        func rest() { step_rest(slot) }

        /// Registers that the present step takes too long. From any thread.
        func noteLateness() { step_is_late(slot) }
    }
}
