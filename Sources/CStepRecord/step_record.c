#define _GNU_SOURCE
#include "CStepRecord.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Those by which a process ends through a fault of its own.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
enum { FAULTS = sizeof faults / sizeof faults[0], SIGNAL_STACK = 64 << 10 };

static struct sigaction before[FAULTS];
static _Thread_local struct step_slot *current;

static void note(int number, siginfo_t *info, void *context)
{
    (void)context;
    struct step_slot *slot = current;
    if (slot && __atomic_load_n(&slot->state, __ATOMIC_RELAXED) != STEP_REST) {
        slot->signal = number;
        __atomic_store_n(&slot->state, STEP_CRASHED, __ATOMIC_RELEASE);
    }
    for (size_t index = 0; index < FAULTS; index++)
        if (faults[index] == number) sigaction(number, &before[index], NULL);
    // An instruction at fault is tried again and faults again. What was sent, and a breakpoint, which is passed over, are not.
    if (info->si_code <= 0 || number == SIGTRAP || number == SIGABRT) raise(number);
}

void step_watch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t index = 0; index < FAULTS; index++)
        sigaction(faults[index], &action, &before[index]);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_key;

static void make_key(void) { pthread_key_create(&stack_key, free); }

void step_attach(struct step_slot *slot)
{
    slot->thread = (int32_t)syscall(SYS_gettid);
    current = slot;
    stack_t old;
    // A sanitizer has given the thread one already.
    if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE)) return;
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_size = SIGNAL_STACK;
    stack.ss_sp = malloc(SIGNAL_STACK);
    if (!stack.ss_sp) return;
    if (sigaltstack(&stack, NULL) != 0) {
        free(stack.ss_sp);
        return;
    }
    pthread_once(&once, make_key);
    pthread_setspecific(stack_key, stack.ss_sp);
}

void step_begin(struct step_slot *slot, const char *room, uint32_t length)
{
    if (length > STEP_ROOM_MAX) length = STEP_ROOM_MAX;
    // At rest until the name is there: half of one would blame somebody else.
    __atomic_store_n(&slot->state, STEP_REST, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memcpy(slot->room, room, length);
    slot->room_length = length;
    __atomic_store_n(&slot->state, STEP_BUSY, __ATOMIC_RELEASE);
}

void step_rest(struct step_slot *slot)
{
    __atomic_store_n(&slot->state, STEP_REST, __ATOMIC_RELEASE);
}

void step_is_late(struct step_slot *slot)
{
    uint32_t busy = STEP_BUSY;
    __atomic_compare_exchange_n(
        &slot->state, &busy, STEP_LATE, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
