// Draws finished pictures with notcurses, as `terminal-bench pictures` wrote them:
//
//     notcurses_driver PICTURES [OUTPUT]
//
// Prints on standard error the microseconds of processor time a frame for putting the cells into the standard plane, those for
// rendering that, and the bytes a frame. OUTPUT gets what notcurses writes. Standard input must be a terminal, which notcurses asks
// what it can; its bytes go to OUTPUT or /dev/null rather than there, so that no terminal's time is counted.
// (`ncpile_render_to_buffer` would not write at all, but as of 3.0.17 it does not look for what changed and gives no bytes.)
//
// What a cell says is made ready before the clock runs, and so is which cells a frame changes: the plane keeps the others, so
// only those are put.

#include <fcntl.h>
#include <notcurses/notcurses.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// More than the pictures have, and a power of two.
enum { LOOKS = 1 << 18 };

// Scalar, foreground and background, and the cell that has them.
struct look {
    uint32_t key[3];
    nccell cell;
};

static struct look looks[LOOKS];

static void need(int is_met, const char *what) {
    if (is_met) return;
    fprintf(stderr, "notcurses_driver: %s\n", what);
    exit(1);
}

static double microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double written(struct notcurses *context) {
    ncstats stats;
    notcurses_stats(context, &stats);
    return (double)stats.raster_bytes;
}

static void prepare(struct ncplane *plane, struct look *look) {
    uint64_t channels = 0;
    if (look->key[1]) ncchannels_set_fg_rgb(&channels, look->key[1] & 0xFFFFFF);
    if (look->key[2]) ncchannels_set_bg_rgb(&channels, look->key[2] & 0xFFFFFF);
    uint32_t c = look->key[0];
    char text[5] = {(char)c};
    if (c >= 0x80) {
        need(c >= 0x800 && c < 0x10000, "a character of another length than the pictures have");
        text[0] = (char)(0xE0 | c >> 12);
        text[1] = (char)(0x80 | (c >> 6 & 0x3F));
        text[2] = (char)(0x80 | (c & 0x3F));
    }
    need(nccell_prime(plane, &look->cell, text, 0, channels) > 0, "no cell");
}

// The place of a look, which is prepared if it is new.
static uint32_t place(struct ncplane *plane, const uint32_t *key) {
    uint32_t at = (key[0] * 0x9E3779B1u ^ key[1] * 0x85EBCA6Bu ^ key[2] * 0xC2B2AE35u) >> 14;
    for (uint32_t tries = 0; tries < LOOKS; tries++, at = (at + 1) & (LOOKS - 1)) {
        if (!looks[at].key[0]) {
            memcpy(looks[at].key, key, sizeof looks[at].key);
            prepare(plane, &looks[at]);
        }
        if (!memcmp(looks[at].key, key, sizeof looks[at].key)) return at;
    }
    need(0, "too many looks");
    return 0;
}

int main(int count, char **arguments) {
    need(count >= 2, "PICTURES [OUTPUT]");
    FILE *pictures = fopen(arguments[1], "rb");
    FILE *output = fopen(count > 2 ? arguments[2] : "/dev/null", "wb");
    need(output != NULL, "no output");
    uint32_t header[4];
    need(pictures && fread(header, sizeof header, 1, pictures) == 1, "no pictures");
    uint32_t columns = header[0], rows = header[1], frames = header[2], warmup = header[3], cells = columns * rows;

    notcurses_options options = {
        .loglevel = NCLOGLEVEL_SILENT,
        .flags = NCOPTION_SUPPRESS_BANNERS | NCOPTION_NO_ALTERNATE_SCREEN | NCOPTION_DRAIN_INPUT | NCOPTION_NO_FONT_CHANGES,
    };
    // notcurses looks for the terminal at /dev/tty, which this makes it, where the process leads its session.
    need(isatty(0) && open(ttyname(0), O_RDWR) >= 0, "no terminal");
    struct notcurses *context = notcurses_core_init(&options, output);
    need(context != NULL, "no terminal");
    struct ncplane *plane = notcurses_stdplane(context);
    unsigned height, width;
    ncplane_dim_yx(plane, &height, &width);
    need(height == rows && width == columns, "a terminal of another size");
    need(notcurses_cantruecolor(context), "a terminal without true colour");

    // For each frame the cells that it changes: where, and what they say then.
    struct change { uint32_t at, look; } *changes = malloc(sizeof *changes * cells * frames);
    size_t *ends = malloc(sizeof *ends * frames), total = 0;
    uint32_t *shown = malloc(sizeof *shown * cells), *picture = malloc(sizeof *picture * cells * 3);
    need(changes && ends && shown && picture, "no memory");
    for (uint32_t frame = 0; frame < frames; frame++) {
        need(fread(picture, sizeof *picture * 3, cells, pictures) == cells, "a cut file");
        for (uint32_t at = 0; at < cells; at++) {
            uint32_t look = place(plane, picture + 3 * at);
            if (frame && look == shown[at]) continue;
            shown[at] = look;
            changes[total++] = (struct change){at, look};
        }
        ends[frame] = total;
    }

    double putting = 0, rendering = 0, before = 0;
    size_t next = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame == warmup) before = written(context);
        double start = microseconds();
        for (; next < ends[frame]; next++) {
            uint32_t at = changes[next].at;
            ncplane_putc_yx(plane, (int)(at / columns), (int)(at % columns), &looks[changes[next].look].cell);
        }
        double put = microseconds();
        need(notcurses_render(context) == 0, "not rendered");
        double end = microseconds();
        if (frame < warmup) continue;
        putting += put - start;
        rendering += end - put;
    }
    double counted = frames - warmup, bytes = written(context) - before;
    notcurses_stop(context);
    fprintf(stderr, "%g %g %g\n", putting / counted, rendering / counted, bytes / counted);
    return 0;
}
