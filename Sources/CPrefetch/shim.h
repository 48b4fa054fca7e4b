#pragma once

// Has the processor bring the memory of an address closer, without waiting for it. Only a hint: any address will do.
static inline __attribute__((always_inline)) void prefetchLine(const void *address) {
    __builtin_prefetch(address);
}
