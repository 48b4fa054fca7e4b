#pragma once
// Not in the module of the C library.
#include <sys/epoll.h>
#include <sys/eventfd.h>
