// The files of the browser page as data of the program, so that one binary serves its own page wherever it is copied.
// C, because the compiler then takes 100 KiB in milliseconds; as Swift literals the same bytes take half a minute.
#include "webpage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../page/index.html"
};
static const unsigned char page_css[] = {
#embed "../page/page.css"
};
static const unsigned char tools_css[] = {
#embed "../page/tools.css"
};
static const unsigned char icon_svg[] = {
#embed "../page/icon.svg"
};
static const unsigned char scenesync_js[] = {
#embed "../scenesync.js"
};
static const unsigned char main_js[] = {
#embed "../page/main.js"
};
static const unsigned char join_js[] = {
#embed "../page/join.js"
};
static const unsigned char composer_js[] = {
#embed "../page/composer.js"
};
static const unsigned char stage_js[] = {
#embed "../page/stage.js"
};
static const unsigned char room_js[] = {
#embed "../page/room.js"
};
static const unsigned char tree_js[] = {
#embed "../page/tree.js"
};
static const unsigned char dom_js[] = {
#embed "../page/dom.js"
};
static const unsigned char overlay_js[] = {
#embed "../page/overlay.js"
};
static const unsigned char people_js[] = {
#embed "../page/people.js"
};
static const unsigned char palette_js[] = {
#embed "../page/palette.js"
};
static const unsigned char guides_js[] = {
#embed "../page/guides.js"
};
static const unsigned char drag_js[] = {
#embed "../page/drag.js"
};
static const unsigned char inspector_js[] = {
#embed "../page/inspector.js"
};
static const unsigned char rules_js[] = {
#embed "../page/rules.js"
};
static const unsigned char rulefield_js[] = {
#embed "../page/rulefield.js"
};
static const unsigned char learn_js[] = {
#embed "../page/learn.js"
};
static const unsigned char share_js[] = {
#embed "../page/share.js"
};
static const unsigned char export_js[] = {
#embed "../page/export.js"
};

#define FILE_AT(path, bytes) {path, bytes, sizeof bytes}

static const struct ss_page_file files[] = {
    FILE_AT("/", index_html),
    FILE_AT("/favicon.svg", icon_svg),
    FILE_AT("/scenesync.js", scenesync_js),
    // The page's own is cut when it is served; other clients get all of it.
    FILE_AT("/page/scenesync.js", scenesync_js),
    FILE_AT("/page/page.css", page_css),
    FILE_AT("/page/tools.css", tools_css),
    FILE_AT("/page/main.js", main_js),
    FILE_AT("/page/join.js", join_js),
    FILE_AT("/page/composer.js", composer_js),
    FILE_AT("/page/stage.js", stage_js),
    FILE_AT("/page/room.js", room_js),
    FILE_AT("/page/tree.js", tree_js),
    FILE_AT("/page/dom.js", dom_js),
    FILE_AT("/page/overlay.js", overlay_js),
    FILE_AT("/page/people.js", people_js),
    FILE_AT("/page/palette.js", palette_js),
    FILE_AT("/page/guides.js", guides_js),
    FILE_AT("/page/drag.js", drag_js),
    FILE_AT("/page/inspector.js", inspector_js),
    FILE_AT("/page/rules.js", rules_js),
    FILE_AT("/page/rulefield.js", rulefield_js),
    FILE_AT("/page/learn.js", learn_js),
    FILE_AT("/page/share.js", share_js),
    FILE_AT("/page/export.js", export_js),
};

const struct ss_page_file *ss_page_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
