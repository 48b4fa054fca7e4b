//! The clock and the memory of the process.

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
    fn sysconf(name: i32) -> i64;
    fn malloc_trim(kept: usize) -> i32;
}

// Their values on Linux: there is no crate for them without another dependency.
const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
const _SC_PAGESIZE: i32 = 30;

pub fn seconds() -> f64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the structure is as large as the system's on 64 bits, and the call writes nothing else.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

pub fn resident_bytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0.0);
    // SAFETY: asks for a number.
    pages * unsafe { sysconf(_SC_PAGESIZE) } as f64
}

/// Has the allocator give the system what nothing uses, as it is not new memory when it is used again.
pub fn give_free_memory_back() {
    // SAFETY: touches nothing that is in use.
    unsafe { malloc_trim(0) };
}
