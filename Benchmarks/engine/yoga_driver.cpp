// Lays the nested stacks of `Scenes.tree` out with Yoga. Prints lines of a name and a figure: seconds of the thread's
// processor time, or bytes.
//
//   yoga_driver NAME COUNT ROUNDS    NAME: build, edit, resize, batch, memory, or frames, which prints those after a batch
//   yoga_driver SCENE-NAME ROUNDS    SCENE: list or dashboard, as in `AppScene`; NAME: build, edit, resize, batch, memory, or
//                                    frames, which prints those after so many edits, a batch, and a change of the width
//
// A leaf has a content size, which a function tells, and takes its share of what is left, as do the stacks. An edit changes
// one leaf's content size, and a change of the root's width moves every node, as stacks and leaves share it equally then;
// which nodes changed is read with `YGNodeGetHasNewLayout`, from the root down those that did, as
// Yoga's hosts do. Rounding to pixels is off: our engine's layout is not rounded either.

#include "yoga_contents.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int fanOut = 5;
constexpr float gap = 8;

struct Tree {
    YGConfigRef config;
    YGNodeRef root;
    std::vector<YGNodeRef> nodes;
    // Those in a row whose width is edited, as in our scene.
    std::vector<YGNodeRef> leaves;
    // Those of a list or a dashboard that a batch edits, and how high their contents are before.
    std::vector<YGNodeRef> batched;
    std::vector<float> heights;
    std::vector<Content> contents;
    float width = 120, height = 60;
};

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

YGNodeRef add(Tree &tree, YGNodeRef parent, bool isRow, float padding, float gap) {
    auto node = YGNodeNewWithConfig(tree.config);
    YGNodeStyleSetFlexDirection(node, isRow ? YGFlexDirectionRow : YGFlexDirectionColumn);
    YGNodeStyleSetPadding(node, YGEdgeAll, padding);
    YGNodeStyleSetGap(node, YGGutterAll, gap);
    if (parent) YGNodeInsertChild(parent, node, YGNodeGetChildCount(parent));
    tree.nodes.push_back(node);
    return node;
}

YGNodeRef addLeaf(Tree &tree, YGNodeRef parent, float width, float height) {
    auto node = add(tree, parent, true, 0, 0);
    tree.contents.push_back({width, height});
    YGNodeSetContext(node, &tree.contents.back());
    YGNodeSetMeasureFunc(node, measure);
    return node;
}

YGNodeRef addBatched(Tree &tree, YGNodeRef parent, float width, float height) {
    tree.batched.push_back(addLeaf(tree, parent, width, height));
    tree.heights.push_back(height);
    return tree.batched.back();
}

// Takes what the others leave, as all do that are to be equal.
YGNodeRef growing(YGNodeRef node) {
    YGNodeStyleSetFlexGrow(node, 1);
    YGNodeStyleSetFlexBasis(node, 0);
    return node;
}

void makeRoot(Tree &tree, size_t leaves, float width, float height) {
    tree.config = YGConfigNew();
    YGConfigSetPointScaleFactor(tree.config, 0);
    // Nodes point to them.
    tree.contents.reserve(leaves);
    tree.root = add(tree, nullptr, false, 0, 0);
    YGNodeStyleSetWidth(tree.root, tree.width = width);
    YGNodeStyleSetHeight(tree.root, tree.height = height);
}

void makeList(Tree &tree) {
    constexpr int count = 1000;
    makeRoot(tree, 2 * count, 400, 100000);
    for (int index = 0; index < count; index++) {
        auto row = add(tree, tree.root, true, 8, 8);
        YGNodeStyleSetAlignItems(row, YGAlignCenter);
        auto icon = add(tree, row, true, 0, 0);
        YGNodeStyleSetWidth(icon, 32);
        YGNodeStyleSetHeight(icon, 32);
        growing(addBatched(tree, row, float(100 + index * 37 % 80), index % 3 == 0 ? 32 : 16));
        auto label = addBatched(tree, row, float(30 + index * 7 % 50), float(14 + index % 4 * 8));
        if (index == count / 2) tree.leaves.push_back(label);
    }
}

void makeDashboard(Tree &tree) {
    constexpr int rows = 6, columns = 4, items = 8;
    makeRoot(tree, rows * columns * 2 + items + 3, 1280, 900);
    auto header = add(tree, tree.root, true, 12, 8);
    YGNodeStyleSetHeight(header, 56);
    YGNodeStyleSetWidth(add(tree, header, true, 0, 0), 32);
    growing(addLeaf(tree, header, 180, 20));
    addLeaf(tree, header, 70, 24);
    auto body = growing(add(tree, tree.root, true, 0, 0));
    auto sidebar = add(tree, body, false, 12, 8);
    YGNodeStyleSetWidth(sidebar, 220);
    for (int index = 0; index < items; index++) addBatched(tree, sidebar, float(80 + index * 9 % 60), float(18 + index % 4 * 4));
    auto content = growing(add(tree, body, false, 16, 16));
    for (int row = 0; row < rows; row++) {
        auto line = growing(add(tree, content, true, 0, 16));
        for (int column = 0; column < columns; column++) {
            int index = row * columns + column;
            auto card = growing(add(tree, line, false, 12, 8));
            auto title = addBatched(tree, card, float(60 + index * 7 % 60), float(14 + index % 3 * 2));
            growing(addLeaf(tree, card, float(40 + index * 11 % 90), 24));
            YGNodeStyleSetHeight(add(tree, card, true, 0, 0), 6);
            if (index == rows * columns / 2) tree.leaves.push_back(title);
        }
    }
    auto footer = add(tree, tree.root, true, 8, 0);
    YGNodeStyleSetHeight(footer, 32);
    addLeaf(tree, footer, 200, 14);
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

void setHeight(YGNodeRef leaf, float height) {
    static_cast<Content *>(YGNodeGetContext(leaf))->height = height;
    YGNodeMarkDirty(leaf);
}

// 100 random leaves of a scene, each with a content up to 15 points higher than it was first.
void editBatch(Tree &tree, uint64_t &state) {
    for (int edit = 0; edit < 100; edit++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t leaf = size_t(state >> 33) % tree.batched.size();
        setHeight(tree.batched[leaf], tree.heights[leaf] + float(state >> 40 & 15));
    }
}

void printFrames(const Tree &tree) {
    for (auto node : tree.nodes)
        printf("%.3f %.3f %.3f %.3f\n", YGNodeLayoutGetLeft(node), YGNodeLayoutGetTop(node), YGNodeLayoutGetWidth(node),
               YGNodeLayoutGetHeight(node));
}

// What `AppScene` measures: seconds a round, or bytes a node.
int runScene(const char *name, int rounds) {
    bool isList = !strncmp(name, "list-", 5);
    const char *work = strchr(name, '-') + 1;
    auto makeScene = isList ? makeList : makeDashboard;
    float sum = 0;
    Tree warm;
    make(warm, 50, false);
    layOut(warm);
    int builds = !strcmp(work, "build") ? rounds : 1;
    // None is freed while the next is measured.
    std::vector<Tree> trees(static_cast<size_t>(builds));
    double before = residentBytes();
    double start = seconds();
    for (auto &tree : trees) {
        makeScene(tree);
        layOut(tree);
        if (size_t(readChanges(tree.root, sum)) != tree.nodes.size()) return 1;
    }
    double built = seconds() - start;
    auto &tree = trees[0];
    if (!strcmp(work, "build")) {
        printf("%g\n", built / builds);
        return 0;
    }
    if (!strcmp(work, "memory")) {
        printf("%g\n", (residentBytes() - before) / double(tree.nodes.size()));
        return 0;
    }
    uint64_t state = 42;
    int changed = 0;
    start = seconds();
    for (int round = 0; round < rounds; round++) {
        if (!strcmp(work, "resize")) {
            YGNodeStyleSetWidth(tree.root, tree.width + float(1 + round % 23));
        } else if (!strcmp(work, "batch")) {
            editBatch(tree, state);
        } else {
            setHeight(tree.leaves[0], float((isList ? 40 : 20) + round % 23));
        }
        layOut(tree);
        changed += readChanges(tree.root, sum);
    }
    double spent = seconds() - start;
    if (!strcmp(work, "frames")) {
        editBatch(tree, state);
        YGNodeStyleSetWidth(tree.root, tree.width + 7);
        layOut(tree);
        printFrames(tree);
    } else {
        printf("%g\n", spent / rounds);
    }
    if (getenv("VERBOSE")) fprintf(stderr, "%d frames a round\n", changed / rounds);
    return changed > rounds && sum > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char **words) {
    if (count == 3 && (!strncmp(words[1], "list-", 5) || !strncmp(words[1], "dashboard-", 10)))
        return runScene(words[1], atoi(words[2]));
    if (count != 4) {
        fprintf(stderr, "usage: yoga_driver build|edit|resize|batch|memory|frames COUNT ROUNDS\n"
                        "       yoga_driver list|dashboard-build|edit|resize|batch|memory|frames ROUNDS\n");
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
        printFrames(tree);
    } else {
        printf("%g\n", spent / rounds);
    }
    if (getenv("VERBOSE")) fprintf(stderr, "%d frames a round\n", changed / rounds);
    return changed > rounds ? 0 : 1;
}
