#include "groups.h"

#include "memory.h"

/// A frame's deltas as two words, which are compared at once.
struct words {
    uint64_t low, high;
};

static inline struct words words_of(struct frame delta) {
    struct words words;
    memcpy(&words, &delta, sizeof words);
    return words;
}

static inline bool are_equal(struct words left, struct words right) {
    return ((left.low ^ right.low) | (left.high ^ right.high)) == 0;
}

static inline size_t hash(struct words words) {
    return (size_t)((words.low * 0x9E3779B97F4A7C15 + words.high * 0xBF58476D1CE4E5B9) >> 32);
}

enum { TABLE_SIZE_MINIMUM = 256 };

static void begin_table(struct groups *groups, size_t count) {
    groups->generation += 1;
    size_t least = count * 2 > TABLE_SIZE_MINIMUM ? count * 2 : TABLE_SIZE_MINIMUM;
    if (groups->table_size >= least && groups->generation >> 32 == 0) return;
    size_t size = TABLE_SIZE_MINIMUM;
    while (size < count * 2) size *= 2;
    free(groups->table);
    groups->table = calloc(size, sizeof *groups->table);
    if (groups->table == NULL) fail("out of memory");
    groups->table_size = size;
    groups->generation = 1;
}

static void make_room(struct groups *groups, size_t count) {
    groups->groups = grown(groups->groups, &groups->group_capacity, count, sizeof *groups->groups);
    groups->numbers = grown(groups->numbers, &groups->number_capacity, count, sizeof *groups->numbers);
    groups->alone = grown(groups->alone, &groups->alone_capacity, count, sizeof *groups->alone);
    groups->runs = grown(groups->runs, &groups->run_capacity, count + 1, sizeof *groups->runs);
}

/// Returns how many runs there are.
static size_t find_groups(struct groups *groups, const struct change *changes, size_t count) {
    uint64_t tag = groups->generation << 32;
    uint64_t *table = groups->table;
    struct group *found = groups->groups;
    struct run_of_changes *runs = groups->runs;
    size_t slot_mask = groups->table_size - 1;
    size_t group_count = 0, run_count = 0;
    struct words previous = {0};
    for (size_t place = 0; place < count; place++) {
        struct frame delta = delta_of(&changes[place]);
        struct words words = words_of(delta);
        // Neighbours mostly move together.
        if (place > 0 && are_equal(words, previous)) continue;
        previous = words;
        struct run_of_changes run = {-1, (int32_t)place};
        if ((words.low | words.high) != 0) {
            size_t slot = hash(words) & slot_mask;
            uint64_t index;
            // Beyond the count are the groups of other generations, whose tags are not ours.
            while ((index = table[slot] - tag) < group_count && !are_equal(words_of(found[index].delta), words))
                slot = (slot + 1) & slot_mask;
            if (index >= group_count) {
                index = group_count++;
                table[slot] = tag | index;
                found[index] = (struct group){delta, 0, -1};
            }
            run.group = (int32_t)index;
        }
        runs[run_count++] = run;
    }
    groups->group_count = group_count;
    return run_count;
}

/// Whether views are many enough to be told together: a pair as a group takes a head, two counts, the first number and a
/// gap; as rows, a number each and the deltas twice.
static bool is_together(const struct group *group) {
    return group->count > 2 || (group->count == 2 && sides_in(mask_of(group->delta)) > 1);
}

void sort_changes(struct groups *groups, const struct change *changes, size_t count) {
    make_room(groups, count);
    begin_table(groups, count);
    size_t run_count = find_groups(groups, changes, count);
    struct group *found = groups->groups;
    int32_t *alone = groups->alone;
    groups->has_together = false;
    if (groups->group_count == count) {
        groups->alone_count = count;
        for (size_t place = 0; place < count; place++) alone[place] = (int32_t)place;
        return;
    }
    struct run_of_changes *runs = groups->runs;
    runs[run_count].first = (int32_t)count;
    for (size_t index = 0; index < run_count; index++)
        if (runs[index].group >= 0) found[runs[index].group].count += runs[index + 1].first - runs[index].first;
    int32_t end = 0;
    for (size_t index = 0; index < groups->group_count; index++) {
        if (!is_together(&found[index])) continue;
        found[index].end = end;
        end += found[index].count;
    }
    groups->has_together = end > 0;
    size_t alone_count = 0;
    for (size_t index = 0; index < run_count; index++) {
        if (runs[index].group < 0) continue;
        struct group *group = &found[runs[index].group];
        int32_t place = runs[index].first, places_end = runs[index + 1].first;
        if (group->end >= 0) {
            uint32_t *numbers = groups->numbers + group->end;
            group->end += places_end - place;
            while (place < places_end) *numbers++ = changes[place++].number;
        } else {
            while (place < places_end) alone[alone_count++] = place++;
        }
    }
    groups->alone_count = alone_count;
}
