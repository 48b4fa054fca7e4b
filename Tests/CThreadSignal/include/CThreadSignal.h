#pragma once
#include <sys/syscall.h>
#include <unistd.h>

// tgkill(2), which the C library offers only through a variadic function: a signal for one thread of another process.
static inline int signal_thread(int process, int thread, int number)
{
    return (int)syscall(SYS_tgkill, process, thread, number);
}
