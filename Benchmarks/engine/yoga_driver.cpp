// Lays the nested stacks of `Scenes.tree` out with Yoga. Prints lines of a name and a figure: seconds of the thread's
// processor time, or bytes.
//
//   yoga_driver NAME COUNT ROUNDS    NAME: build, edit, resize, batch, memory, or frames, which prints those after a batch
//
// A leaf has a content size, which a function tells, and takes its share of what is left, as do the stacks. An edit changes
// one leaf's content size, and a change of the root's width moves every node, as stacks and leaves share it equally then;
// which nodes changed is read with `YGNodeGetHasNewLayout`, from the root down those that did, as
// Yoga's hosts do. Rounding to pixels is off: our engine's layout is not rounded either.

#include <time.h>
#include <unistd.h>
#include <yoga/Yoga.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int fanOut = 5;
constexpr float gap = 8;

struct Content {
    float width, height;
};

struct Tree {
    YGConfigRef config;
    YGNodeRef root;
    std::vector<YGNodeRef> nodes;
    // Those in a row whose width is edited, as in our scene.
    std::vector<YGNodeRef> leaves;
    std::vector<Content> contents;
    float width = 120, height = 60;
};

double seconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

double residentBytes() {
    long pages = 0;
    if (FILE *file = fopen("/proc/self/statm", "r")) {
        if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        fclose(file);
    }
    return double(pages) * double(sysconf(_SC_PAGESIZE));
}

float limited(float size, float limit, YGMeasureMode mode) {
    switch (mode) {
    case YGMeasureModeExactly: return limit;
    case YGMeasureModeAtMost: return size < limit ? size : limit;
    default: return size;
    }
}

YGSize measure(YGNodeConstRef node, float width, YGMeasureMode widthMode, float height, YGMeasureMode heightMode) {
    auto content = static_cast<const Content *>(YGNodeGetContext(node));
    return {limited(content->width, width, widthMode), limited(content->height, height, heightMode)};
}

void style(YGNodeRef node, bool isRow) {
    YGNodeStyleSetFlexDirection(node, isRow ? YGFlexDirectionRow : YGFlexDirectionColumn);
    YGNodeStyleSetAlignItems(node, YGAlignStretch);
    YGNodeStyleSetPadding(node, YGEdgeAll, gap);
    YGNodeStyleSetGap(node, YGGutterAll, gap);
}

void make(Tree &tree, int count, bool fillsEqually) {
    bool isRow = true;
    for (int widest = 1; widest < count; widest *= fanOut, isRow = !isRow) (isRow ? tree.width : tree.height) *= fanOut;
    tree.config = YGConfigNew();
    YGConfigSetPointScaleFactor(tree.config, 0);
    struct Entry {
        YGNodeRef node;
        bool isRow;
    };
    std::vector<Entry> queue;
    tree.root = YGNodeNewWithConfig(tree.config);
    style(tree.root, true);
    YGNodeStyleSetWidth(tree.root, tree.width);
    YGNodeStyleSetHeight(tree.root, tree.height);
    queue.push_back({tree.root, true});
    size_t next = 0;
    for (int made = 1; made < count;) {
        auto parent = queue[next++];
        for (int child = 0; child < fanOut && made < count; child++, made++) {
            auto node = YGNodeNewWithConfig(tree.config);
            style(node, !parent.isRow);
            YGNodeStyleSetFlexGrow(node, 1);
            if (fillsEqually) YGNodeStyleSetFlexBasis(node, 0);
            YGNodeInsertChild(parent.node, node, size_t(child));
            queue.push_back({node, !parent.isRow});
        }
    }
    tree.contents.resize(queue.size());
    for (auto &entry : queue) tree.nodes.push_back(entry.node);
    for (size_t index = next; index < queue.size() && !fillsEqually; index++) {
        auto leaf = queue[index].node;
        tree.contents[index] = {float(20 + index * 7 % 70), float(10 + index * 3 % 20)};
        YGNodeStyleSetPadding(leaf, YGEdgeAll, 0);
        YGNodeSetContext(leaf, &tree.contents[index]);
        YGNodeSetMeasureFunc(leaf, measure);
        if (index % 5 == 0 && !queue[index].isRow) tree.leaves.push_back(leaf);
    }
}

void layOut(Tree &tree) { YGNodeCalculateLayout(tree.root, YGUndefined, YGUndefined, YGDirectionLTR); }

// The nodes that changed, whose frames are read.
int readChanges(YGNodeRef node, float &sum) {
    if (!YGNodeGetHasNewLayout(node)) return 0;
    YGNodeSetHasNewLayout(node, false);
    sum += YGNodeLayoutGetLeft(node) + YGNodeLayoutGetTop(node) + YGNodeLayoutGetWidth(node) + YGNodeLayoutGetHeight(node);
    int count = 1;
    for (size_t index = 0; index < YGNodeGetChildCount(node); index++) count += readChanges(YGNodeGetChild(node, index), sum);
    return count;
}

void setWidth(YGNodeRef leaf, float width) {
    static_cast<Content *>(YGNodeGetContext(leaf))->width = width;
    YGNodeMarkDirty(leaf);
}

}  // namespace

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: yoga_driver build|edit|resize|batch|memory|frames COUNT ROUNDS\n");
        return 64;
    }
    const char *name = words[1];
    int views = atoi(words[2]), rounds = atoi(words[3]);
    float sum = 0;
    // What the process looks up and binds at the first use of each function is not the layout's.
    Tree warm;
    make(warm, 50, false);
    layOut(warm);
    double before = residentBytes();
    double start = seconds();
    Tree tree;
    make(tree, views, !strcmp(name, "resize"));
    layOut(tree);
    int changed = readChanges(tree.root, sum);
    double built = seconds() - start;
    if (changed != views || !(sum > 0)) {
        fprintf(stderr, "yoga_driver: %d of %d nodes have a frame\n", changed, views);
        return 1;
    }
    if (!strcmp(name, "build")) {
        printf("%g\n", built);
        return 0;
    }
    if (!strcmp(name, "memory")) {
        printf("%g\n", (residentBytes() - before) / views);
        return 0;
    }
    uint64_t state = 42;
    changed = 0;
    start = seconds();
    for (int round = 0; round < rounds; round++) {
        if (!strcmp(name, "edit")) {
            setWidth(tree.leaves[tree.leaves.size() / 2], float(40 + round % 23));
        } else if (!strcmp(name, "resize")) {
            YGNodeStyleSetWidth(tree.root, tree.width + float(1 + round % 23));
        } else {
            for (int edit = 0; edit < 100; edit++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                setWidth(tree.leaves[size_t(state >> 33) % tree.leaves.size()], float(30 + (state >> 40 & 63)));
            }
        }
        layOut(tree);
        changed += readChanges(tree.root, sum);
    }
    double spent = seconds() - start;
    if (!strcmp(name, "frames")) {
        for (auto node : tree.nodes)
            printf("%.3f %.3f %.3f %.3f\n", YGNodeLayoutGetLeft(node), YGNodeLayoutGetTop(node), YGNodeLayoutGetWidth(node),
                   YGNodeLayoutGetHeight(node));
    } else {
        printf("%g\n", spent / rounds);
    }
    if (getenv("VERBOSE")) fprintf(stderr, "%d frames a round\n", changed / rounds);
    return changed > rounds ? 0 : 1;
}
