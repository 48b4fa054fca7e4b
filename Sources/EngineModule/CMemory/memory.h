#pragma once

// The allocator of the C library, which Embedded Swift has no module for.

#include <stddef.h>

void *malloc(size_t byteCount);
void *calloc(size_t count, size_t byteCount);
void *realloc(void *memory, size_t byteCount);
void free(void *memory);
