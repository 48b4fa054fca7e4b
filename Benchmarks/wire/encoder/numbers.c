#include "numbers.h"

struct run {
    size_t length;
    uint32_t first, stride, last;
};

/// Splits greedily: neighbours form a run of two, equal steps a run from three on.
static inline struct run run_from(const uint32_t *numbers, size_t count) {
    size_t length = 1;
    uint32_t stride = 1;
    if (count > 1) {
        stride = numbers[1] - numbers[0];
        while (length < count && numbers[length] - numbers[length - 1] == stride) length += 1;
        if (stride > 1 && length < 3) {
            length = 1;
            stride = 1;
        }
    }
    return (struct run){length, numbers[0], stride, numbers[length - 1]};
}

static inline uint32_t bitmap_length(const uint32_t *numbers, size_t count) { return (numbers[count - 1] - numbers[0]) / 8 + 1; }

struct forms forms_of(const uint32_t *numbers, size_t count) {
    struct forms forms = {0};
    uint32_t next = 0;
    forms.gaps = varint_length((uint32_t)count);
    for (size_t index = 0; index < count; index++) {
        forms.gaps += varint_length(numbers[index] - next);
        next = numbers[index] + 1;
    }
    next = 0;
    for (size_t index = 0; index < count;) {
        struct run run = run_from(numbers + index, count - index);
        forms.runs += varint_length(run.first - next) + varint_length((uint32_t)(run.length - 1) << 1);
        if (run.stride > 1) forms.runs += varint_length(run.stride - 2);
        forms.run_count += 1;
        next = run.last + 1;
        index += run.length;
    }
    forms.runs += varint_length(forms.run_count);
    uint32_t length = bitmap_length(numbers, count);
    forms.bitmap = varint_length(numbers[0]) + varint_length(length) + length;
    return forms;
}

size_t smallest_form(struct forms forms) {
    size_t smallest = forms.runs < forms.gaps ? forms.runs : forms.gaps;
    return smallest < forms.bitmap ? smallest : forms.bitmap;
}

void put_numbers(struct bytes *bytes, uint8_t head, const uint32_t *numbers, size_t count) {
    struct forms forms = forms_of(numbers, count);
    reserve(bytes, 1 + smallest_form(forms));
    uint32_t next = 0;
    if (forms.runs <= forms.gaps && forms.runs <= forms.bitmap) {
        put_byte(bytes, head);
        put_varint(bytes, forms.run_count);
        for (size_t index = 0; index < count;) {
            struct run run = run_from(numbers + index, count - index);
            put_varint(bytes, run.first - next);
            put_varint(bytes, (uint32_t)(run.length - 1) << 1 | (run.stride > 1));
            if (run.stride > 1) put_varint(bytes, run.stride - 2);
            next = run.last + 1;
            index += run.length;
        }
    } else if (forms.gaps <= forms.bitmap) {
        put_byte(bytes, head | 1 << 4);
        put_varint(bytes, (uint32_t)count);
        for (size_t index = 0; index < count; index++) {
            put_varint(bytes, numbers[index] - next);
            next = numbers[index] + 1;
        }
    } else {
        uint32_t length = bitmap_length(numbers, count);
        put_byte(bytes, head | 2 << 4);
        put_varint(bytes, numbers[0]);
        put_varint(bytes, length);
        uint8_t *map = bytes->start + bytes->count;
        memset(map, 0, length);
        for (size_t index = 0; index < count; index++) {
            uint32_t bit = numbers[index] - numbers[0];
            map[bit / 8] |= (uint8_t)(1u << bit % 8);
        }
        bytes->count += length;
    }
}
