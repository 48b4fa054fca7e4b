// What both drivers of Yoga measure with, and how their leaves tell their contents' sizes.

#pragma once

#include <time.h>
#include <unistd.h>
#include <yoga/Yoga.h>

#include <cstdio>

struct Content {
    float width, height;
};

inline double seconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

inline double residentBytes() {
    long pages = 0;
    if (FILE *file = fopen("/proc/self/statm", "r")) {
        if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        fclose(file);
    }
    return double(pages) * double(sysconf(_SC_PAGESIZE));
}

inline float limited(float size, float limit, YGMeasureMode mode) {
    switch (mode) {
    case YGMeasureModeExactly: return limit;
    case YGMeasureModeAtMost: return size < limit ? size : limit;
    default: return size;
    }
}

inline YGSize measure(YGNodeConstRef node, float width, YGMeasureMode widthMode, float height, YGMeasureMode heightMode) {
    auto content = static_cast<const Content *>(YGNodeGetContext(node));
    return {limited(content->width, width, widthMode), limited(content->height, height, heightMode)};
}
