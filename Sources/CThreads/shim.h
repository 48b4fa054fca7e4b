#pragma once
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Variadic, or shown to GNU programs only; Swift imports neither.

// Names the current thread for debuggers and `top -H`; Linux keeps the first 15 bytes.
static inline void nameCurrentThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// The current thread's number, as the kernel has it.
static inline int currentThreadID(void) { return (int)syscall(SYS_gettid); }

// The clock of a thread's processor time, as pthread_getcpuclockid makes it, but of a number: it fails once the thread has ended.
static inline clockid_t threadCPUClock(int thread) { return (clockid_t)((~(unsigned)thread << 3) | 6); }
