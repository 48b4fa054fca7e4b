#pragma once
#include <sys/prctl.h>

// Variadic, which Swift does not import; and pthread_setname_np is shown to GNU programs only.

// Names the current thread for debuggers and `top -H`; Linux keeps the first 15 bytes.
static inline void nameCurrentThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
