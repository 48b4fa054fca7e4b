// Changed frames sorted: views that change by the same deltas together, in the order of their first views, and views that
// change alone.

#ifndef GROUPS_H
#define GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "frames.h"

/// Views that change by the same deltas.
struct group {
    struct frame delta;
    int32_t count;
    int32_t end; // where its numbers end in `numbers`; -1 where its views are told alone
};

/// Changes next to each other that are of one group; they end where the next run begins.
struct run_of_changes {
    int32_t group; // -1 where nothing changes
    int32_t first;
};

/// Kept from tick to tick; what is beyond the counts is of earlier ticks.
struct groups {
    struct group *groups;
    uint32_t *numbers;
    int32_t *alone; // places of changes
    struct run_of_changes *runs;
    uint64_t *table; // open addressing: the generation in the high half, and the index of a group
    size_t group_capacity, number_capacity, alone_capacity, run_capacity, table_size;
    size_t group_count, alone_count;
    uint64_t generation;
    bool has_together;
};

/// - Parameter changes: Ascending by number.
void sort_changes(struct groups *groups, const struct change *changes, size_t count);

#endif
