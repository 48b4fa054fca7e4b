// The bytes of a `frame` message. What they mean is in protocol/SPEC.md.

#include "encoder.h"
#include "numbers.h"

enum {
    FRAME_TYPE = 0x43,
    NEW_FLAG = 0x01,
    CITATIONS_FLAG = 0x02,
    ROWS_FLAG = 0x10,
    ABSOLUTE_FLAG = 0x20,
    DISTANCES_FLAG = 0x40,
    SHORT_FLAG = 0x80,
    DIFFERENCES_FLAG = 8
};

// MARK: Entries

/// What rows and citations have in common: ascending numbers, each with few bits of its own and up to four values. They are
/// counted first; then it is known how they are written.
struct entry_sums {
    struct sums gaps, values;
    uint32_t next;
};

static inline void count_entry(struct entry_sums *sums, uint32_t number, const uint32_t values[4], unsigned value_count) {
    uint32_t gap = number - sums->next;
    sums->next = number + 1;
    sums->gaps.sum += gap;
    sums->gaps.all |= gap;
    sums->gaps.count += 1;
    for (int index = 0; index < 4; index++) {
        sums->values.sum += values[index];
        sums->values.all |= values[index];
    }
    sums->values.count += value_count;
}

struct entry_code {
    struct rice gaps, values;
    bool has_escape;
    uint32_t next;
};

static struct entry_code code_of(const struct entry_sums *sums) {
    struct rice gaps = rice_of(sums->gaps), values = rice_of(sums->values);
    return (struct entry_code){gaps, values, gaps.has_escape || values.has_escape, 0};
}

/// Writes an entry that does not fit into one word.
__attribute__((noinline)) static void put_singly(
    struct writer *writer, const struct entry_code *code, uint32_t gap, struct word own, const uint32_t values[4], unsigned mask
) {
    put_rice(writer, gap, code->gaps.parameter);
    put_word(writer, own);
    for (unsigned side = 0; side < 4; side++)
        if (mask >> side & 1) put_rice(writer, values[side], code->values.parameter);
}

/// The bits of one of an entry's values. Without a branch, as which values there are cannot be predicted: one that is not
/// there is 0 and takes (2 · 0 + 1) 2^0 − 1, no bits at all.
static inline struct word side_word(const uint32_t values[4], unsigned mask, unsigned side, unsigned parameter) {
    struct word word = rice_word(values[side], parameter);
    word.count &= 0 - (mask >> side & 1);
    return word;
}

/// Writes an entry.
///
/// - Parameters:
///   - own: Its few bits.
///   - values: Its values; 0 where there is none.
///   - mask: One bit for each value there is.
///   - may_exceed_two: Whether one of the last two values may be there.
__attribute__((always_inline)) static inline void put_entry(
    struct writer *writer, struct entry_code *code, uint32_t number, struct word own, const uint32_t values[4], unsigned mask,
    bool may_exceed_two
) {
    uint32_t gap = number - code->next;
    code->next = number + 1;
    unsigned parameter = code->values.parameter;
    struct word word = joined(rice_word(gap, code->gaps.parameter), own);
    struct word front = joined(side_word(values, mask, 0, parameter), side_word(values, mask, 1, parameter));
    if (may_exceed_two)
        front = joined(front, joined(side_word(values, mask, 2, parameter), side_word(values, mask, 3, parameter)));
    word = joined(word, front);
    if (!code->has_escape && word.count <= WORD_MAXIMUM) {
        put_word(writer, word);
    } else {
        struct writer copy = *writer; // so that the writer itself stays in registers
        put_singly(&copy, code, gap, own, values, mask);
        *writer = copy;
    }
}

/// Makes room for entries and writes their head.
static struct writer begin(struct bytes *message, const struct entry_code *code, size_t count) {
    reserve(message, VARINT_MAXIMUM + 2 + code->gaps.bytes_maximum + code->values.bytes_maximum + count + BYTES_AHEAD);
    put_varint(message, count);
    return (struct writer){0};
}

// MARK: Sections

static void put_rows(struct bytes *message, const struct row *rows, size_t count) {
    struct entry_sums sums = {0};
    unsigned any = 0, common = 15;
    for (size_t index = 0; index < count; index++) {
        count_entry(&sums, rows[index].number, rows[index].values, sides_in(rows[index].mask));
        any |= rows[index].mask;
        common &= rows[index].mask;
    }
    if (any != common) common = 0;
    struct entry_code code = code_of(&sums);
    struct writer writer = begin(message, &code, count);
    put_byte(message, (uint8_t)common);
    put_byte(message, (uint8_t)(code.gaps.parameter | code.values.parameter << 4));
    writer.next = message->start + message->count;
    unsigned own_count = common == 0 ? 4 : 0;
    unsigned own_bits = (1u << own_count) - 1;
    for (size_t index = 0; index < count; index++) {
        const struct row *row = &rows[index];
        put_entry(&writer, &code, row->number, (struct word){row->mask & own_bits, own_count}, row->values, row->mask, true);
    }
    message->count = (size_t)(end_of_bits(&writer) - message->start);
}

static inline void zigzags_of(const struct deltas *deltas, uint32_t values[4]) {
    for (int index = 0; index < 4; index++) values[index] = zigzag(deltas->values[index]);
}

static inline struct deltas difference_of(const struct deltas *deltas, const struct deltas *last) {
    struct deltas difference = *deltas;
    for (int index = 0; index < 4; index++)
        difference.values[index] = (int32_t)((uint32_t)deltas->values[index] - (uint32_t)last->values[index]);
    return difference;
}

/// Whether citations say in fewer bits how their deltas differ from the last ones than what they are. What moves on its way
/// does so by nearly as much as in the last tick.
static bool differences_are_shorter(const struct encoder *encoder) {
    // One citation alone has a short form, which takes deltas as they are.
    if ((encoder->cited & (encoder->cited - 1)) == 0) return false;
    uint64_t plain = 0, differences = 0;
    for (uint64_t rest = encoder->cited; rest != 0; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        struct deltas difference = difference_of(&encoder->cited_deltas[slot], &encoder->ring.last_deltas[slot]);
        for (int index = 0; index < 4; index++) {
            plain += zigzag(encoder->cited_deltas[slot].values[index]);
            differences += zigzag(difference.values[index]);
        }
    }
    return differences < plain;
}

static void put_citations(struct bytes *message, struct encoder *encoder, bool cites_differences) {
    struct entry_sums sums = {0};
    for (uint64_t rest = encoder->cited; rest != 0; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        struct deltas *deltas = &encoder->cited_deltas[slot], new = *deltas;
        if (cites_differences) *deltas = difference_of(deltas, &encoder->ring.last_deltas[slot]);
        encoder->ring.last_deltas[slot] = new;
        uint32_t values[4];
        zigzags_of(deltas, values);
        count_entry(&sums, (uint32_t)slot, values, deltas->count);
    }
    struct entry_code code = code_of(&sums);
    struct writer writer = begin(message, &code, sums.gaps.count);
    unsigned differences = cites_differences ? DIFFERENCES_FLAG : 0;
    put_byte(message, (uint8_t)(code.gaps.parameter | differences | code.values.parameter << 4));
    writer.next = message->start + message->count;
    for (uint64_t rest = encoder->cited; rest != 0; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        const struct deltas *deltas = &encoder->cited_deltas[slot];
        uint32_t values[4];
        zigzags_of(deltas, values);
        put_entry(&writer, &code, (uint32_t)slot, short_word(deltas->count - 1u), values, (1u << deltas->count) - 1,
                  deltas->count > 2);
    }
    message->count = (size_t)(end_of_bits(&writer) - message->start);
}

static void put_deltas(struct bytes *message, const struct deltas *deltas) {
    for (int index = 0; index < (int)deltas->count; index++) put_varint(message, zigzag(deltas->values[index]));
}

static void put_tellings(struct bytes *message, const struct encoder *encoder) {
    reserve(message, VARINT_MAXIMUM);
    put_varint(message, encoder->telling_count);
    for (size_t index = 0; index < encoder->telling_count; index++) {
        const struct telling *telling = &encoder->tellings[index];
        put_numbers(message, telling->mask | 0x40, encoder->told + telling->start, telling->count);
        reserve(message, 4 * VARINT_MAXIMUM);
        put_deltas(message, &telling->deltas);
    }
}

void put_message(struct encoder *encoder, struct ticks ticks, struct bytes *message) {
    uint64_t base = ticks.tick - ticks.base, durable = ticks.tick - ticks.durable;
    bool is_near = base == 1 && durable == 1;
    bool has_rows = encoder->row_count > 0, has_absolute = encoder->absolute_count > 0;
    bool cites_differences = differences_are_shorter(encoder);
    reserve(message, 3 + 4 * VARINT_MAXIMUM);
    put_byte(message, FRAME_TYPE);
    put_byte(message, (uint8_t)ticks.tick);
    if (is_near && !cites_differences && !has_rows && !has_absolute && encoder->telling_count == 0 &&
        encoder->cited != 0 && (encoder->cited & (encoder->cited - 1)) == 0) {
        int slot = __builtin_ctzll(encoder->cited);
        const struct deltas *deltas = &encoder->cited_deltas[slot];
        if (deltas->count <= 2) {
            put_byte(message, (uint8_t)(SHORT_FLAG | (deltas->count == 2 ? 0x40 : 0) | slot));
            put_deltas(message, deltas);
            encoder->ring.last_deltas[slot] = *deltas;
            return;
        }
    }
    put_byte(message, (uint8_t)((encoder->cited != 0 ? CITATIONS_FLAG : 0) | (encoder->telling_count > 0 ? NEW_FLAG : 0) |
                                (has_rows ? ROWS_FLAG : 0) | (has_absolute ? ABSOLUTE_FLAG : 0) |
                                (is_near ? 0 : DISTANCES_FLAG)));
    if (!is_near) {
        put_varint(message, base);
        put_varint(message, durable);
    }
    if (encoder->cited != 0) put_citations(message, encoder, cites_differences);
    if (encoder->telling_count > 0) put_tellings(message, encoder);
    if (has_rows) put_rows(message, encoder->rows, encoder->row_count);
    if (has_absolute) put_rows(message, encoder->absolute_rows, encoder->absolute_count);
}
