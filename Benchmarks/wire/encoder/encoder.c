#include "encoder.h"

#include "memory.h"
#include "numbers.h"

void reset(struct encoder *encoder) {
    clear_ring(&encoder->ring);
    if (encoder->row_marks != NULL) memset(encoder->row_marks, 0, encoder->row_mark_capacity * sizeof *encoder->row_marks);
    if (encoder->singles != NULL) memset(encoder->singles, 0, encoder->single_capacity);
    encoder->row_tick = 1;
}

static void cite(struct encoder *encoder, unsigned slot, struct deltas deltas) {
    encoder->cited |= 1ull << slot;
    encoder->cited_deltas[slot] = deltas;
}

/// Tells a selection for the first time. It goes to the ring when the whole message is made, as with every receiver.
static void tell(struct encoder *encoder, unsigned mask, const uint32_t *numbers, size_t count, struct deltas deltas) {
    encoder->tellings =
        grown(encoder->tellings, &encoder->telling_capacity, encoder->telling_count + 1, sizeof *encoder->tellings);
    encoder->told = grown(encoder->told, &encoder->told_capacity, encoder->told_count + count, sizeof *encoder->told);
    encoder->tellings[encoder->telling_count++] = (struct telling){deltas, encoder->told_count, count, (uint8_t)mask};
    // They may lie there already.
    memmove(encoder->told + encoder->told_count, numbers, count * sizeof *numbers);
    encoder->told_count += count;
}

// MARK: Views alone

/// By how many bits new values are shorter than deltas, of the numbers that change.
static inline int bits_saved(struct frame delta, struct frame new) {
    uint32_t delta_sum = 0, new_sum = 0;
    for (int side = 0; side < 4; side++) {
        delta_sum += zigzag(delta.sides[side]);
        new_sum += delta.sides[side] != 0 ? zigzag(new.sides[side]) : 0;
    }
    // Mostly a view moves by less than it is away from the corner.
    if (delta_sum <= new_sum) return 0;
    int saved = 0;
    for (int side = 0; side < 4; side++)
        if (delta.sides[side] != 0)
            saved += (int)bit_length(zigzag(delta.sides[side])) - (int)bit_length(zigzag(new.sides[side]));
    return saved;
}

/// Cites a view that a remembered selection names alone, or remembers one that was a row in the last tick too.
static bool cites_alone(struct encoder *encoder, uint32_t number, unsigned mask, struct frame delta, bool was_row) {
    int known = encoder->singles[number] - 1;
    // The ring may have gone round since.
    if (known >= 0 && holds_alone(&encoder->ring, (unsigned)known, mask, number)) {
        cite(encoder, (unsigned)known, nonzero_of(delta));
        return true;
    }
    if (!was_row) return false;
    encoder->singles[number] = (uint8_t)((encoder->ring.next + encoder->telling_count) % SLOT_COUNT + 1);
    tell(encoder, mask, &number, 1, nonzero_of(delta));
    return true;
}

/// Moves the rows whose new values are shorter than their deltas to a section of their own.
static void split_rows(struct encoder *encoder, const struct change *changes) {
    encoder->absolute_rows =
        grown(encoder->absolute_rows, &encoder->absolute_capacity, encoder->row_count, sizeof *encoder->absolute_rows);
    size_t kept = 0;
    for (size_t index = 0; index < encoder->row_count; index++) {
        struct row row = encoder->rows[index];
        const struct change *change = &changes[row.place];
        if (bits_saved(delta_of(change), change->new) > 0) {
            for (unsigned side = 0; side < 4; side++)
                row.values[side] = row.mask >> side & 1 ? zigzag(change->new.sides[side]) : 0;
            encoder->absolute_rows[encoder->absolute_count++] = row;
        } else {
            encoder->rows[kept++] = row;
        }
    }
    encoder->row_count = kept;
}

/// How much longer a message with a second section of rows is, in bits, besides two for each of its rows.
enum { SECTION_BITS = 24 };

static void add_alone(struct encoder *encoder, const struct change *changes) {
    encoder->row_tick += 1;
    size_t count = encoder->sorted.alone_count;
    encoder->rows = grown(encoder->rows, &encoder->row_capacity, count, sizeof *encoder->rows);
    uint32_t mark = encoder->row_tick << 4, last_mark = (encoder->row_tick - 1) << 4;
    int saved = 0, absolute_count = 0;
    struct row *row = encoder->rows;
    for (size_t index = 0; index < count; index++) {
        int32_t place = encoder->sorted.alone[index];
        const struct change *change = &changes[place];
        struct frame delta = delta_of(change);
        unsigned mask = mask_of(delta);
        uint32_t number = change->number;
        bool was_row = encoder->row_marks[number] == (last_mark | mask);
        if ((was_row || encoder->singles[number] != 0) && cites_alone(encoder, number, mask, delta, was_row)) continue;
        encoder->row_marks[number] = mark | mask;
        for (int side = 0; side < 4; side++) row->values[side] = zigzag(delta.sides[side]);
        row->number = number;
        row->place = place;
        row->mask = (uint8_t)mask;
        row += 1;
        int difference = bits_saved(delta, change->new);
        if (difference > 0) {
            saved += difference;
            absolute_count += 1;
        }
    }
    encoder->row_count = (size_t)(row - encoder->rows);
    if (saved > SECTION_BITS + 2 * absolute_count) split_rows(encoder, changes);
}

// MARK: Groups

/// How many bits a citation takes: a slot some distance from the last, how many deltas, and those.
static size_t citation_bits(const struct deltas *deltas) {
    size_t bits = 6 + 2 * (size_t)deltas->count;
    for (int index = 0; index < (int)deltas->count; index++) bits += bit_length(zigzag(deltas->values[index]));
    return bits;
}

static size_t selection_bits(const uint32_t *numbers, size_t count) { return 8 + 8 * smallest_form(forms_of(numbers, count)); }

/// Cites remembered selections that make up a group and tells what they leave over, or tells the whole group where that is
/// shorter.
static void cover(struct encoder *encoder, unsigned mask, const uint32_t *numbers, size_t count, struct deltas deltas) {
    uint64_t candidates = candidate_parts(&encoder->ring, mask, numbers, count);
    if (candidates == 0) return tell(encoder, mask, numbers, count, deltas);
    encoder->marks = grown(encoder->marks, &encoder->mark_capacity, numbers[count - 1] / 64 + 1, sizeof *encoder->marks);
    uint64_t *marks = encoder->marks;
    for (size_t index = 0; index < count; index++) marks[numbers[index] / 64] |= 1ull << numbers[index] % 64;
    struct parts found = choose_parts(&encoder->ring, candidates, marks);
    uint64_t chosen = found.slots;
    // What is left over goes where it lies if it is told.
    encoder->told = grown(encoder->told, &encoder->told_capacity, encoder->told_count + count, sizeof *encoder->told);
    uint32_t *rest = encoder->told + encoder->told_count;
    size_t rest_count = 0;
    if (found.count < count) {
        for (size_t index = 0; index < count; index++) {
            rest[rest_count] = numbers[index];
            rest_count += marks[numbers[index] / 64] >> numbers[index] % 64 & 1;
        }
        for (size_t index = 0; index < rest_count; index++) marks[rest[index] / 64] = 0;
    }
    if (chosen == 0) return tell(encoder, mask, numbers, count, deltas);
    size_t parts = (size_t)__builtin_popcountll(chosen) * citation_bits(&deltas);
    // A head and three bytes of numbers at least: mostly there is nothing to count.
    if (rest_count > 0 || parts >= 32) {
        if (rest_count > 0) parts += selection_bits(rest, rest_count);
        if (parts >= selection_bits(numbers, count)) return tell(encoder, mask, numbers, count, deltas);
    }
    for (; chosen != 0; chosen &= chosen - 1) cite(encoder, (unsigned)__builtin_ctzll(chosen), deltas);
    if (rest_count > 0) tell(encoder, mask, rest, rest_count, deltas);
}

static void add_group(struct encoder *encoder, const struct group *group) {
    unsigned mask = mask_of(group->delta);
    struct deltas deltas = nonzero_of(group->delta);
    size_t count = (size_t)group->count;
    const uint32_t *numbers = encoder->sorted.numbers + (group->end - group->count);
    int slot = slot_of(&encoder->ring, mask, numbers, count);
    if (slot >= 0) {
        cite(encoder, (unsigned)slot, deltas);
    } else {
        cover(encoder, mask, numbers, count, deltas);
    }
}

void encode(struct encoder *encoder, const struct change *changes, size_t count, struct ticks ticks, struct bytes *message) {
    sort_changes(&encoder->sorted, changes, count);
    encoder->cited = 0;
    encoder->telling_count = 0;
    encoder->told_count = 0;
    encoder->row_count = 0;
    encoder->absolute_count = 0;
    if (count > 0) {
        size_t numbers = (size_t)changes[count - 1].number + 1;
        encoder->row_marks = grown(encoder->row_marks, &encoder->row_mark_capacity, numbers, sizeof *encoder->row_marks);
        encoder->singles = grown(encoder->singles, &encoder->single_capacity, numbers, sizeof *encoder->singles);
    }
    add_alone(encoder, changes);
    if (encoder->sorted.has_together)
        for (size_t index = 0; index < encoder->sorted.group_count; index++)
            if (encoder->sorted.groups[index].end >= 0) add_group(encoder, &encoder->sorted.groups[index]);
    put_message(encoder, ticks, message);
    // A reader takes citations before new selections, so none may cite what this message tells.
    for (size_t index = 0; index < encoder->telling_count; index++) {
        const struct telling *telling = &encoder->tellings[index];
        store(&encoder->ring, telling->mask, encoder->told + telling->start, telling->count, telling->deltas);
    }
}
