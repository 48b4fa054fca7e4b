// Tells the thread sanitizer of what it cannot see: where a thread has to wait, Swift's `Mutex` is locked and unlocked by
// the standard library, which is not built for the sanitizer, so that everything behind such a lock would look unguarded.
// Loaded before the tests (LD_PRELOAD); does what the library does, and says so.
//
// The names are those of `_MutexHandle._lockSlow(_:)` and `_MutexHandle._unlockSlow()`. Source: stdlib/public/Synchronization/
// Mutex/LinuxImpl.swift of the Swift project.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef SWIFT void (*lock_slow_t)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_slow_t)(SELF void *);

static lock_slow_t lock_slow_next;
static unlock_slow_t unlock_slow_next;

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock_slow(SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__((constructor)) static void find(void) {
    lock_slow_next = (lock_slow_t)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    unlock_slow_next = (unlock_slow_t)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
}

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    lock_slow_next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    unlock_slow_next(mutex);
}
