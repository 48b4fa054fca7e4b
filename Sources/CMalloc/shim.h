#pragma once
// Not in the module of the C library.
#include <malloc.h>

#include <stddef.h>

// Bytes that the process has allocated and not freed; 0 where the allocator does not tell.
static inline size_t heapBytesInUse(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

// Gives free memory back to the system, where the allocator can.
static inline void giveFreeMemoryBack(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
