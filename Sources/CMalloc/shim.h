#pragma once
// Not in the module of the C library.
#include <malloc.h>

// Gives free memory back to the system, where the allocator can.
static inline void giveFreeMemoryBack(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
