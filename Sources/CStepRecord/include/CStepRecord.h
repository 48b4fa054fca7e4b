#pragma once
#include <stdint.h>

// What each thread is at, in memory that a file backs and so outlives the process. In C for two reasons: a signal handler may
// call nothing that locks or allocates, which Swift does not promise, and it has to find its thread's place by a thread-local
// variable, which Swift does not have.

#define STEP_ROOM_MAX 240

enum { STEP_REST = 0, STEP_BUSY = 1, STEP_LATE = 2, STEP_CRASHED = 3 };

// One thread's place: 256 bytes, so that no room's name is cut.
struct step_slot {
    // One of the above; the rest is of use while it is not STEP_REST.
    uint32_t state;
    // The signal that the thread died of, with STEP_CRASHED.
    int32_t signal;
    // The thread's number, as /proc has it.
    int32_t thread;
    uint32_t room_length;
    char room[STEP_ROOM_MAX];
};

// The calling thread's place from now on, and a stack for its signals: one that has used up its own has none left.
void step_attach(struct step_slot *slot);

// The beginning and the end of a step. On the slot's thread.
void step_begin(struct step_slot *slot, const char *room, uint32_t length);
void step_rest(struct step_slot *slot);

// The step has taken too long. From any thread; nothing if the step has ended.
void step_is_late(struct step_slot *slot);

// Has signals that end a process by its own fault noted in the place of their thread, and passed on to whoever handled them
// before. Once for a process.
void step_watch_signals(void);
