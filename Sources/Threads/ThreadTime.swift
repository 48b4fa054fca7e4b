private import CThreads
import Glibc

/// The processor time of threads.
public enum ThreadTime {
    /// Nanoseconds for which the calling thread has run; 0 where the system does not count them.
    ///
    /// - Complexity: O(1), about 200 ns: the kernel is asked.
    public static func nanosecondsOfThisThread() -> UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
