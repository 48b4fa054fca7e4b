// Memory that grows and is kept, so that a steady state asks the allocator for nothing.

#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static inline void fail(const char *text) {
    fprintf(stderr, "%s\n", text);
    exit(1);
}

/// Makes an array of `size` bytes an element hold `count`; what is new is 0.
static inline void *grown(void *memory, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity) return memory;
    size_t larger = *capacity * 2 > count ? *capacity * 2 : count;
    char *bytes = realloc(memory, larger * size);
    if (bytes == NULL) fail("out of memory");
    memset(bytes + *capacity * size, 0, (larger - *capacity) * size);
    *capacity = larger;
    return bytes;
}

#endif
