// Encodes the workloads of a file as the product does, in C: what the product's times are held against.
//
//     encoder TICKS messages   prints a line for each tick: its workload's name and its message in hexadecimal
//     encoder TICKS            reads workloads' numbers, one a line, and prints each time how long a round took at best
//
// The file has a line `NAME TICKS` for each workload, and for each tick the count of its changes and the changes: a view's
// number, its old frame and its new one, all decimal.

#define _POSIX_C_SOURCE 200809L // for clock_gettime

#include <inttypes.h>
#include <time.h>

#include "encoder.h"
#include "memory.h"

/// As in WireBenchmark.swift, from which the bytes have to be the same.
enum { FIRST_TICK = 100000, ROUNDS = 100, NAME_MAXIMUM = 31 };

struct tick {
    struct change *changes;
    size_t count;
};

struct workload {
    char name[NAME_MAXIMUM + 1];
    struct tick *ticks;
    size_t count;
};

struct workloads {
    struct workload *list;
    size_t count, capacity;
};

static void *array(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) fail("out of memory");
    return memory;
}

static struct frame read_frame(FILE *file) {
    struct frame frame;
    for (int side = 0; side < 4; side++)
        if (fscanf(file, "%" SCNd32, &frame.sides[side]) != 1) fail("a frame is four numbers");
    return frame;
}

static struct tick read_tick(FILE *file) {
    struct tick tick;
    if (fscanf(file, "%zu", &tick.count) != 1) fail("a tick begins with a count");
    tick.changes = array(tick.count, sizeof *tick.changes);
    for (size_t index = 0; index < tick.count; index++) {
        struct change *change = &tick.changes[index];
        if (fscanf(file, "%" SCNu32, &change->number) != 1) fail("a change begins with a number");
        change->old = read_frame(file);
        change->new = read_frame(file);
    }
    return tick;
}

static struct workloads read_workloads(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail("the file of ticks cannot be read");
    struct workloads workloads = {0};
    struct workload workload;
    while (fscanf(file, "%31s %zu", workload.name, &workload.count) == 2) {
        workload.ticks = array(workload.count, sizeof *workload.ticks);
        for (size_t index = 0; index < workload.count; index++) workload.ticks[index] = read_tick(file);
        workloads.list = grown(workloads.list, &workloads.capacity, workloads.count + 1, sizeof workload);
        workloads.list[workloads.count++] = workload;
    }
    fclose(file);
    return workloads;
}

static void encode_tick(struct encoder *encoder, const struct tick *tick, size_t index, struct bytes *message) {
    uint64_t number = FIRST_TICK + index + 1;
    message->count = 0;
    encode(encoder, tick->changes, tick->count, (struct ticks){number, number - 1, number - 1}, message);
}

static void print_messages(const struct workload *workload, struct encoder *encoder, struct bytes *message) {
    reset(encoder);
    for (size_t tick = 0; tick < workload->count; tick++) {
        encode_tick(encoder, &workload->ticks[tick], tick, message);
        printf("%s ", workload->name);
        for (size_t index = 0; index < message->count; index++) printf("%02x", message->start[index]);
        putchar('\n');
    }
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/// Nanoseconds of a round, the best of several.
static uint64_t best_round(const struct workload *workload, struct encoder *encoder, struct bytes *message) {
    uint64_t best = UINT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        reset(encoder);
        uint64_t begin = nanoseconds();
        for (size_t tick = 0; tick < workload->count; tick++) encode_tick(encoder, &workload->ticks[tick], tick, message);
        uint64_t took = nanoseconds() - begin;
        if (took < best) best = took;
    }
    return best;
}

int main(int count, char **arguments) {
    bool is_printing = count == 3 && strcmp(arguments[2], "messages") == 0;
    if (count != 2 && !is_printing) fail("usage: encoder TICKS [messages]");
    struct workloads workloads = read_workloads(arguments[1]);
    // One for all workloads: only what grows has to be there before.
    struct encoder encoder = {0};
    struct bytes message = {0};
    if (is_printing) {
        for (size_t index = 0; index < workloads.count; index++) print_messages(&workloads.list[index], &encoder, &message);
        return 0;
    }
    size_t index;
    while (scanf("%zu", &index) == 1) {
        if (index >= workloads.count) fail("no such workload");
        printf("%" PRIu64 "\n", best_round(&workloads.list[index], &encoder, &message));
        fflush(stdout);
    }
    return 0;
}
