#ifndef WEBPAGE_H
#define WEBPAGE_H

#include <stddef.h>

/// A file of the browser page, as it is in the checkout.
struct ss_page_file {
    /// The path that browsers ask for.
    const char *path;
    const unsigned char *bytes;
    size_t count;
};

/// A file of the page by its place, static data that is there as long as the process; NULL beyond the last.
const struct ss_page_file *ss_page_file_at(size_t index);

#endif
