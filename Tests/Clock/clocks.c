/*
 * Gives a program clocks that another one sets while it runs.
 *
 *     cc -Wall -Wextra -Werror -shared -fPIC -O2 -o clocks.so clocks.c
 *     LD_PRELOAD=clocks.so CLOCKS_FILE=FILE program …
 *
 * FILE is written by `clocks.py` beside this file: by how many nanoseconds the wall clock, the monotonic clock and the clock that counts
 * suspensions too (CLOCK_BOOTTIME) are ahead, by how many millionths all are too fast, and since when (CLOCK_MONOTONIC). It is mapped
 * into memory, so that a change holds from the next call on, in all threads at once. There are two such settings and the number of the
 * one that holds, so that no thread reads half of a change. libfaketime has one distance for all clocks, and Swift programs do not find
 * their arguments under its version 0.9.10.
 *
 * Deadlines that the program hands to the kernel are put back: a wait takes as long as the program meant when it began. A clock that
 * is set while a thread waits does not wake it, as with CLOCK_MONOTONIC; a real wall clock wakes those whose deadline has passed.
 * What asks the kernel without the C library keeps the true time, and so do clocks of processor time.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll
#define DESCRIPTORS 65536

struct settings {
    _Atomic int64_t present;
    struct setting {
        int64_t wall, monotonic, boot, drift, since;
    } two[2];
};

static struct settings none;
static struct settings *settings = &none;
/* The clock of each timer, and one more; 0 where it is none. */
static unsigned char timer_clocks[DESCRIPTORS];

static int64_t to_number(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec to_time(int64_t number)
{
    if (number < 0) number = 0;
    return (struct timespec){number / SECOND, number % SECOND};
}

static int64_t true_time(clockid_t clock)
{
    struct timespec time;
    syscall(SYS_clock_gettime, clock, &time);
    return to_number(&time);
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("CLOCKS_FILE");
    if (!path) return;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    void *memory = descriptor < 0 ? MAP_FAILED : mmap(NULL, sizeof *settings, PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) abort();
    close(descriptor);
    settings = memory;
}

/* By how much a clock is ahead; 0 for those that are left alone. */
static int64_t ahead(clockid_t clock)
{
    const struct setting *setting = &settings->two[settings->present & 1];
    int64_t distance;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: distance = setting->wall; break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE: distance = setting->monotonic; break;
    case CLOCK_BOOTTIME: distance = setting->boot; break;
    default: return 0;
    }
    int64_t drift = setting->drift;
    return drift == 0 ? distance : distance + (true_time(CLOCK_MONOTONIC) - setting->since) * drift / 1000000;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0) {
        int64_t distance = ahead(clock);
        if (distance != 0) *time = to_time(to_number(time) + distance);
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

/* --- Deadlines ---------------------------------------------------------------------------------------------------------------- */

static struct timespec truly(clockid_t clock, const struct timespec *deadline) { return to_time(to_number(deadline) - ahead(clock)); }

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);

/* Which clock a condition has stands in its bits, as the C library defines them (__wrefs, bit 1). */
static clockid_t clock_of(const pthread_cond_t *condition)
{
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict end)
{
    NEXT(pthread_cond_timedwait)
    struct timespec deadline = truly(clock_of(condition), end);
    return next(condition, mutex, &deadline);
}

int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict end)
{
    NEXT(pthread_cond_clockwait)
    struct timespec deadline = truly(clock, end);
    return next(condition, mutex, clock, &deadline);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end)
{
    NEXT(sem_timedwait)
    struct timespec deadline = truly(CLOCK_REALTIME, end);
    return next(semaphore, &deadline);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict end)
{
    NEXT(sem_clockwait)
    struct timespec deadline = truly(clock, end);
    return next(semaphore, clock, &deadline);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *rest)
{
    struct timespec deadline = flags & TIMER_ABSTIME ? truly(clock, request) : *request;
    return syscall(SYS_clock_nanosleep, clock, flags, &deadline, rest) == 0 ? 0 : errno;
}

int timerfd_create(int clock, int flags)
{
    int descriptor = (int)syscall(SYS_timerfd_create, clock, flags);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) timer_clocks[descriptor] = (unsigned char)(clock + 1);
    return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *before)
{
    struct itimerspec changed = *value;
    int is_absolute = flags & TFD_TIMER_ABSTIME && (value->it_value.tv_sec || value->it_value.tv_nsec);
    if (is_absolute && descriptor >= 0 && descriptor < DESCRIPTORS && timer_clocks[descriptor]) {
        changed.it_value = truly(timer_clocks[descriptor] - 1, &value->it_value);
        /* Zero would switch it off. */
        if (changed.it_value.tv_sec == 0 && changed.it_value.tv_nsec == 0) changed.it_value.tv_nsec = 1;
    }
    return (int)syscall(SYS_timerfd_settime, descriptor, flags, &changed, before);
}
