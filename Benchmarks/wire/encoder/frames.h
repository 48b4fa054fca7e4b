// Frames, how they change, and which of their numbers do.

#ifndef FRAMES_H
#define FRAMES_H

#include <stdint.h>
#include <string.h>

/// Left, top, width, height.
struct frame {
    int32_t sides[4];
};

/// A view whose frame changed.
struct change {
    uint32_t number;
    struct frame old, new;
};

/// How far each number of a frame moves, modulo 2^32.
static inline struct frame delta_of(const struct change *change) {
    struct frame delta;
    for (int side = 0; side < 4; side++)
        delta.sides[side] = (int32_t)((uint32_t)change->new.sides[side] - (uint32_t)change->old.sides[side]);
    return delta;
}

/// One bit for each number that is not 0.
static inline unsigned mask_of(struct frame delta) {
    unsigned mask = 0;
    for (unsigned side = 0; side < 4; side++) mask |= (unsigned)(delta.sides[side] != 0) << side;
    return mask;
}

/// How many bits of four are set.
static inline unsigned sides_in(unsigned mask) { return (unsigned)(0x4332322132212110ull >> (mask * 4)) & 15; }

/// The numbers of a frame that change, one after the other; 0 beyond the last.
struct deltas {
    int32_t values[4];
    uint32_t count;
};

static inline struct deltas nonzero_of(struct frame delta) {
    struct deltas deltas = {0};
    for (int side = 0; side < 4; side++) {
        deltas.values[deltas.count] = delta.sides[side];
        deltas.count += delta.sides[side] != 0;
    }
    return deltas;
}

#endif
