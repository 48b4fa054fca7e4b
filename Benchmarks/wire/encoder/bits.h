// Bits as they are written: each byte is filled from the lowest bit on, numbers are Rice codes and varints.

#ifndef BITS_H
#define BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"

static inline uint32_t zigzag(int32_t value) { return (uint32_t)value << 1 ^ (uint32_t)(value >> 31); }

/// How many bits a number has; 0 has none.
static inline unsigned bit_length(uint32_t value) { return value == 0 ? 0 : 32 - (unsigned)__builtin_clz(value); }

// MARK: Bytes

struct bytes {
    uint8_t *start;
    size_t count, capacity;
};

static inline void reserve(struct bytes *bytes, size_t more) {
    if (bytes->count + more > bytes->capacity) bytes->start = grown(bytes->start, &bytes->capacity, bytes->count + more, 1);
}

/// Without a look at the capacity, as the functions below: whoever calls them has reserved what is needed.
static inline void put_byte(struct bytes *bytes, uint8_t byte) { bytes->start[bytes->count++] = byte; }

static inline void put_varint(struct bytes *bytes, uint64_t value) {
    while (value >= 0x80) {
        put_byte(bytes, (uint8_t)(value | 0x80));
        value >>= 7;
    }
    put_byte(bytes, (uint8_t)value);
}

static inline unsigned varint_length(uint32_t value) { return value == 0 ? 1 : (bit_length(value) + 6) / 7; }

enum { VARINT_MAXIMUM = 10 };

// MARK: Words of bits

/// Bits that are written at once, the first one lowest; 0 from `count` on.
struct word {
    uint64_t bits;
    unsigned count;
};

enum { WORD_MAXIMUM = 56 };

/// Puts bits behind others; what is beyond 64 is lost.
static inline struct word joined(struct word front, struct word back) {
    return (struct word){front.bits | back.bits << (front.count & 63), front.count + back.count};
}

/// A number of at most three: so many ones, and a zero unless they are three.
static inline struct word short_word(unsigned value) { return (struct word){(1u << value) - 1, value == 3 ? 3 : value + 1}; }

struct writer {
    uint8_t *next;
    uint64_t pending;
    unsigned count;
};

/// How many bytes beyond the last bit may be written to.
enum { BYTES_AHEAD = 8 };

/// Takes at most `WORD_MAXIMUM` bits. Eight bytes are stored each time: a branch that asks whether there is a whole byte
/// cannot be predicted.
static inline void put_word(struct writer *writer, struct word word) {
    writer->pending |= word.bits << writer->count;
    writer->count += word.count;
    memcpy(writer->next, &writer->pending, sizeof writer->pending);
    writer->next += writer->count >> 3;
    writer->pending >>= writer->count & ~7u;
    writer->count &= 7;
}

/// Where the bits end, the last byte filled with zeros: it is in memory already.
static inline uint8_t *end_of_bits(struct writer *writer) { return writer->next + (writer->count != 0); }

// MARK: Rice codes

enum { ONES_MAXIMUM = 16, ESCAPED_BITS = 32, PARAMETER_MAXIMUM = 15 };

/// What the parameter of numbers is chosen by.
struct sums {
    uint64_t sum;
    uint32_t all; // every number, bit by bit
    uint32_t count;
};

struct rice {
    unsigned parameter;
    bool has_escape;      // whether a number may be written whole
    size_t bytes_maximum; // of all the numbers
};

static inline struct rice rice_of(struct sums sums) {
    // The best is near log2 of 0.69 times the mean.
    uint64_t scaled = sums.count == 0 ? 0 : sums.sum * 11 / ((uint64_t)sums.count * 16);
    unsigned parameter = scaled == 0 ? 0 : 63 - (unsigned)__builtin_clzll(scaled);
    if (parameter > PARAMETER_MAXIMUM) parameter = PARAMETER_MAXIMUM;
    bool has_escape = sums.all >> parameter >= ONES_MAXIMUM;
    uint64_t bits = (sums.sum >> parameter) + (uint64_t)sums.count * (1 + parameter);
    return (struct rice){parameter, has_escape, (has_escape ? 3 * bits : bits) / 8 + 1};
}

/// So many ones, a zero, and the low bits: (2 low + 1) 2^ones − 1. Of a number that is written whole it makes nothing of use.
static inline struct word rice_word(uint32_t value, unsigned parameter) {
    uint32_t ones = value >> parameter;
    uint32_t odd = (value & ((1u << parameter) - 1)) << 1 | 1;
    return (struct word){(odd << (ones & 31)) - 1, ones + parameter + 1};
}

static inline void put_rice(struct writer *writer, uint32_t value, unsigned parameter) {
    if (value >> parameter < ONES_MAXIMUM) {
        put_word(writer, rice_word(value, parameter));
    } else {
        put_word(writer, (struct word){(1u << ONES_MAXIMUM) - 1, ONES_MAXIMUM});
        put_word(writer, (struct word){value, ESCAPED_BITS});
    }
}

#endif
