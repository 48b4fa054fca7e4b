// The product's `FrameEncoder` and its `frame` messages in C: the same decisions and the same bytes.

#ifndef ENCODER_H
#define ENCODER_H

#include "bits.h"
#include "frames.h"
#include "groups.h"
#include "ring.h"

/// A view that changes alone; its values as they are written, 0 in place of those that do not change.
struct row {
    uint32_t values[4];
    uint32_t number;
    int32_t place; // of its change
    uint8_t mask;
};

/// Views that are told for the first time, and their part of `told`.
struct telling {
    struct deltas deltas;
    size_t start, count;
    uint8_t mask;
};

struct encoder {
    struct ring ring;
    struct groups sorted;
    uint32_t *row_marks; // by number: the tick in which a view was a row last, and four bits of its mask then
    uint8_t *singles;    // by number: the slot of a selection of this view alone, and one; 0 where there is none
    uint64_t *marks;     // one bit for each number of a group that is not covered yet; all 0 between groups
    size_t row_mark_capacity, single_capacity, mark_capacity;
    uint32_t row_tick;

    // Of one tick.
    uint64_t cited;
    struct deltas cited_deltas[SLOT_COUNT];
    struct telling *tellings;
    uint32_t *told;
    struct row *rows, *absolute_rows;
    size_t telling_capacity, told_capacity, row_capacity, absolute_capacity;
    size_t telling_count, told_count, row_count, absolute_count;
};

/// Makes an encoder, or a used one, as new; its memory is kept.
void reset(struct encoder *encoder);

struct ticks {
    uint64_t tick, base, durable;
};

/// Appends the message of one tick.
///
/// - Parameter changes: Ascending by number, each number once.
void encode(struct encoder *encoder, const struct change *changes, size_t count, struct ticks ticks, struct bytes *message);

/// Appends the message of what was found for one tick; see `encode`.
void put_message(struct encoder *encoder, struct ticks ticks, struct bytes *message);

#endif
