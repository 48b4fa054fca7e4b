#include "ring.h"

#include "memory.h"

/// Takes the lowest bit out of a set.
static inline unsigned take_lowest(uint64_t *set) {
    unsigned slot = (unsigned)__builtin_ctzll(*set);
    *set &= *set - 1;
    return slot;
}

void clear_ring(struct ring *ring) {
    memset(ring->outlines, 0, sizeof ring->outlines);
    memset(ring->last_deltas, 0, sizeof ring->last_deltas);
    memset(ring->slots_of_mask, 0, sizeof ring->slots_of_mask);
    memset(ring->masks, 0, sizeof ring->masks);
    ring->next = 0;
}

void store(struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count, struct deltas deltas) {
    unsigned slot = ring->next;
    ring->slots_of_mask[ring->masks[slot]] &= ~(1ull << slot);
    ring->slots_of_mask[mask] |= 1ull << slot;
    ring->masks[slot] = (uint8_t)mask;
    ring->numbers[slot] = grown(ring->numbers[slot], &ring->capacities[slot], count, sizeof *numbers);
    memcpy(ring->numbers[slot], numbers, count * sizeof *numbers);
    ring->outlines[slot] = (struct outline){numbers[0], numbers[count - 1], (uint32_t)count};
    ring->last_deltas[slot] = deltas;
    ring->next = (slot + 1) % SLOT_COUNT;
}

int slot_of(const struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count) {
    uint64_t rest = ring->slots_of_mask[mask];
    uint32_t first = numbers[0], last = numbers[count - 1];
    while (rest != 0) {
        unsigned slot = take_lowest(&rest);
        // Mostly the count and the ends tell sets apart.
        const struct outline *outline = &ring->outlines[slot];
        if (outline->count == count && outline->first == first && outline->last == last &&
            memcmp(ring->numbers[slot], numbers, count * sizeof *numbers) == 0)
            return (int)slot;
    }
    return -1;
}

uint64_t candidate_parts(const struct ring *ring, unsigned mask, const uint32_t *numbers, size_t count) {
    uint64_t rest = ring->slots_of_mask[mask], found = 0;
    uint32_t first = numbers[0], last = numbers[count - 1];
    while (rest != 0) {
        unsigned slot = take_lowest(&rest);
        const struct outline *outline = &ring->outlines[slot];
        if (outline->count <= count && outline->first >= first && outline->last <= last) found |= 1ull << slot;
    }
    return found;
}

/// The slot of the largest selection; of equal ones the first.
static unsigned largest(const struct ring *ring, uint64_t slots) {
    unsigned best = take_lowest(&slots);
    while (slots != 0) {
        unsigned slot = take_lowest(&slots);
        if (ring->outlines[slot].count > ring->outlines[best].count) best = slot;
    }
    return best;
}

static bool is_subset(const uint32_t *numbers, uint32_t count, const uint64_t *bits) {
    for (uint32_t index = 0; index < count; index++)
        if ((bits[numbers[index] / 64] >> numbers[index] % 64 & 1) == 0) return false;
    return true;
}

struct parts choose_parts(const struct ring *ring, uint64_t candidates, uint64_t *bits) {
    struct parts parts = {0};
    // Mostly the first number tells that a selection does not lie in the set; then its size need not be compared.
    uint64_t rest = candidates;
    candidates = 0;
    for (; rest != 0; rest &= rest - 1) {
        unsigned slot = (unsigned)__builtin_ctzll(rest);
        uint32_t first = ring->outlines[slot].first;
        candidates |= (bits[first / 64] >> first % 64 & 1) << slot;
    }
    while (candidates != 0) {
        unsigned slot = largest(ring, candidates);
        candidates &= ~(1ull << slot);
        const uint32_t *numbers = ring->numbers[slot];
        uint32_t count = ring->outlines[slot].count;
        if (!is_subset(numbers, count, bits)) continue;
        for (uint32_t index = 0; index < count; index++) bits[numbers[index] / 64] &= ~(1ull << numbers[index] % 64);
        parts.slots |= 1ull << slot;
        parts.count += count;
    }
    return parts;
}
