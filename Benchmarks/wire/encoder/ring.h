// The 64 selections that both ends remember, so that a later frame can cite one by its slot.

#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

#include "frames.h"

enum { SLOT_COUNT = 64 };

/// What a search asks of a slot, so that it need not look at the numbers.
struct outline {
    uint32_t first, last, count;
};

struct ring {
    struct outline outlines[SLOT_COUNT];
    struct deltas last_deltas[SLOT_COUNT]; // that each slot was used with last
    uint64_t slots_of_mask[16];            // one bit for each slot that has the mask
    uint32_t *numbers[SLOT_COUNT];
    size_t capacities[SLOT_COUNT];
    uint8_t masks[SLOT_COUNT]; // 0 for an empty slot
    unsigned next;
};

/// Forgets everything but keeps the memory.
void clear_ring(struct ring *ring);

/// Puts a selection into the next slot, in place of the oldest.
void store(struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count, struct deltas deltas);

/// The slot that holds a selection; -1 if none does.
int slot_of(const struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count);

/// Remembered selections that make up a set or a part of it.
struct parts {
    uint64_t slots; // one bit for each
    size_t count;   // of their numbers
};

/// Remembered selections that lie in a set, largest first.
///
/// - Parameter bits: One bit for each number of the set; those of what is chosen are cleared.
struct parts choose_parts(const struct ring *ring, uint64_t candidates, uint64_t *bits);

/// One bit for each slot of a selection with that mask whose numbers may all lie in a set.
uint64_t candidate_parts(const struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count);

/// Whether a slot holds a selection of one view alone.
static inline bool holds_alone(const struct ring *ring, unsigned slot, unsigned mask, uint32_t number) {
    const struct outline *outline = &ring->outlines[slot];
    return outline->count == 1 && outline->first == number && ring->masks[slot] == mask;
}

#endif
