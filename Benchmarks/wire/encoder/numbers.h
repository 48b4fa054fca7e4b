// A set of view numbers in its three forms: runs, gaps and bitmap.

#ifndef NUMBERS_H
#define NUMBERS_H

#include "bits.h"

/// How long each form of a set is.
struct forms {
    uint32_t run_count;
    size_t runs, gaps, bitmap;
};

/// - Parameter numbers: Ascending, at least one.
struct forms forms_of(const uint32_t *numbers, size_t count);

size_t smallest_form(struct forms forms);

/// Appends a set in its smallest form, behind a head whose form is not said yet.
void put_numbers(struct bytes *bytes, uint8_t head, const uint32_t *numbers, size_t count);

#endif
