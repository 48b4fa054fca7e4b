// Replays a tree that was captured from an app, as Yoga's own benchmark has them (`benchmark/captures`), with Yoga. Prints lines
// of a name and a figure: seconds of the thread's processor time, or bytes.
//
//   capture_driver FILE WORK ROUNDS [LEAF]    WORK: build, edit, resize, batch, memory; LEAF is the node that is edited. Builds and
//                                             memory are of so many trees
//   capture_driver FILE recorded|first-frames|edit-frames|resize-frames|batch-frames ROUNDS [LEAF]
//
// The second form prints all frames in the order of the capture: of the first layout with the recorded measure functions, of
// the first layout with contents, or of that after so many rounds of a work.
//
// Each measured leaf's function was recorded: what it was asked, and what it answered. Yoga's benchmark answers from there, and
// anything that was not asked then with 10 x 10. What is edited and resized here asks other things, so a leaf has a content size
// instead, which is what it answered without an exact width, and its height in the layout; `recorded` shows that the first layout
// has the same frames with either. Rounding to pixels is off, as in the other rows, and the sleep that stands for the time
// that a text took to measure is left out: our contents have their sizes at no time either.
//
// A capture is read before anything is measured: styles become a list of calls, which building makes.

#include <benchmark/TreeDeserialization.h>
#include <malloc.h>

#include "../yoga_contents.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using nlohmann::json;
namespace yoga = facebook::yoga;

namespace {

using Setter = std::function<void(YGNodeRef)>;

struct Description {
    int parent;
    std::vector<Setter> style;
    bool isMeasured = false;
    std::vector<yoga::SerializedMeasureFunc> recorded;
    Content content{};
};

struct Capture {
    std::vector<Description> nodes;
    float width, height;
};

struct Tree {
    YGConfigRef config;
    std::vector<YGNodeRef> nodes;
    // Nodes point to them.
    std::vector<Content> contents;
};

YGSize answerRecorded(YGNodeConstRef node, float width, YGMeasureMode widthMode, float height, YGMeasureMode heightMode) {
    auto same = [](float first, float second) { return first == second || (YGFloatIsUndefined(first) && YGFloatIsUndefined(second)); };
    auto description = static_cast<Description *>(YGNodeGetContext(node));
    for (auto &answer : description->recorded)
        if (same(answer.inputWidth, width) && same(answer.inputHeight, height) && answer.widthMode == widthMode &&
            answer.heightMode == heightMode) {
            description->content.height = answer.outputHeight;
            return {answer.outputWidth, answer.outputHeight};
        }
    fprintf(stderr, "capture_driver: a leaf is asked for what was not recorded: %g (%d) x %g (%d)\n", double(width), widthMode,
            double(height), heightMode);
    return {10, 10};
}

// A call for one style, of those that `setStylesFromJson` in Yoga's benchmark knows.
std::optional<Setter> setter(const std::string &key, json value) {
    auto flag = [&](auto set, auto parse) -> Setter { return [=, parsed = parse(value)](YGNodeRef node) { set(node, parsed); }; };
    auto number = [&](auto set) -> Setter { return [=, parsed = value.get<float>()](YGNodeRef node) { set(node, parsed); }; };
    if (key == "flex-direction") return flag(YGNodeStyleSetFlexDirection, yoga::flexDirectionFromString);
    if (key == "justify-content") return flag(YGNodeStyleSetJustifyContent, yoga::justifyContentFromString);
    if (key == "align-items") return flag(YGNodeStyleSetAlignItems, yoga::alignFromString);
    if (key == "align-content") return flag(YGNodeStyleSetAlignContent, yoga::alignFromString);
    if (key == "align-self") return flag(YGNodeStyleSetAlignSelf, yoga::alignFromString);
    if (key == "flex-wrap") return flag(YGNodeStyleSetFlexWrap, yoga::wrapFromString);
    if (key == "overflow") return flag(YGNodeStyleSetOverflow, yoga::overflowFromString);
    if (key == "display") return flag(YGNodeStyleSetDisplay, yoga::displayFromString);
    if (key == "position-type") return flag(YGNodeStyleSetPositionType, yoga::positionTypeFromString);
    if (key == "flex-grow") return number(YGNodeStyleSetFlexGrow);
    if (key == "flex-shrink") return number(YGNodeStyleSetFlexShrink);
    if (key == "flex") return number(YGNodeStyleSetFlex);

    auto unit = yoga::unitFromJson(value);
    float size = value.is_object() ? value["value"].get<float>() : 0;
    using Set = void (*)(YGNodeRef, float);
    using SetAuto = void (*)(YGNodeRef);
    auto sized = [&](Set points, Set percent, SetAuto automatic) -> std::optional<Setter> {
        if (unit == YGUnitPoint) return [=](YGNodeRef node) { points(node, size); };
        if (unit == YGUnitPercent && percent) return [=](YGNodeRef node) { percent(node, size); };
        if (unit == YGUnitAuto && automatic) return [=](YGNodeRef node) { automatic(node); };
        return std::nullopt;
    };
    if (key == "flex-basis") return sized(YGNodeStyleSetFlexBasis, YGNodeStyleSetFlexBasisPercent, YGNodeStyleSetFlexBasisAuto);
    if (key == "width") return sized(YGNodeStyleSetWidth, YGNodeStyleSetWidthPercent, YGNodeStyleSetWidthAuto);
    if (key == "height") return sized(YGNodeStyleSetHeight, YGNodeStyleSetHeightPercent, YGNodeStyleSetHeightAuto);
    if (key == "min-width") return sized(YGNodeStyleSetMinWidth, YGNodeStyleSetMinWidthPercent, nullptr);
    if (key == "min-height") return sized(YGNodeStyleSetMinHeight, YGNodeStyleSetMinHeightPercent, nullptr);
    if (key == "max-width") return sized(YGNodeStyleSetMaxWidth, YGNodeStyleSetMaxWidthPercent, nullptr);
    if (key == "max-height") return sized(YGNodeStyleSetMaxHeight, YGNodeStyleSetMaxHeightPercent, nullptr);

    using SetEdge = void (*)(YGNodeRef, YGEdge, float);
    auto edged = [&](const char *name, SetEdge points, SetEdge percent) -> std::optional<Setter> {
        auto edge = yoga::edgeFromString(key.substr(strlen(name) + 1));
        auto set = unit == YGUnitPoint ? points : unit == YGUnitPercent ? percent : nullptr;
        if (set) return [=](YGNodeRef node) { set(node, edge, size); };
        if (unit == YGUnitAuto && !strcmp(name, "margin")) return [=](YGNodeRef node) { YGNodeStyleSetMarginAuto(node, edge); };
        return std::nullopt;
    };
    if (key.starts_with("position")) return edged("position", YGNodeStyleSetPosition, YGNodeStyleSetPositionPercent);
    if (key.starts_with("padding")) return edged("padding", YGNodeStyleSetPadding, YGNodeStyleSetPaddingPercent);
    if (key.starts_with("border")) return edged("border", YGNodeStyleSetBorder, nullptr);
    if (key.starts_with("margin")) return edged("margin", YGNodeStyleSetMargin, YGNodeStyleSetMarginPercent);

    auto gap = [&](YGGutter gutter) -> std::optional<Setter> {
        if (unit != YGUnitPoint) return std::nullopt;
        return [=](YGNodeRef node) { YGNodeStyleSetGap(node, gutter, size); };
    };
    if (key == "gap") return gap(YGGutterAll);
    if (key == "column-gap") return gap(YGGutterColumn);
    if (key == "row-gap") return gap(YGGutterRow);
    return std::nullopt;
}

void read(Capture &capture, json &tree, int parent) {
    int index = int(capture.nodes.size());
    capture.nodes.push_back({.parent = parent, .style = {}, .recorded = {}});
    auto &description = capture.nodes.back();
    if (tree.contains("style") && !tree["style"].is_null())
        for (auto &[key, value] : tree["style"].items())
            if (auto call = setter(key, value)) description.style.push_back(*call);
    if (tree.contains("node") && tree["node"].contains("measure-funcs")) {
        description.isMeasured = true;
        for (auto &answer : tree["node"]["measure-funcs"]) description.recorded.push_back(yoga::serializedMeasureFuncFromJson(answer));
        for (auto &answer : description.recorded)
            if (description.content.width == 0 || answer.widthMode != YGMeasureModeExactly) description.content.width = answer.outputWidth;
    }
    if (tree.contains("children"))
        for (auto &child : tree["children"]) read(capture, child, index);
}

void layOut(Tree &tree, const Capture &capture, float wider) {
    YGNodeCalculateLayout(tree.nodes[0], capture.width + wider, capture.height, YGDirectionLTR);
}

// Makes the tree; with the recorded answers, which are looked for in the descriptions, or with contents.
void make(Tree &tree, const Capture &capture, bool isRecorded) {
    tree.config = YGConfigNew();
    YGConfigSetPointScaleFactor(tree.config, 0);
    // All nodes of all captures have it.
    YGConfigSetErrata(tree.config, YGErrataAll);
    size_t count = capture.nodes.size();
    tree.nodes.reserve(count);
    tree.contents.reserve(count);
    for (auto &description : capture.nodes) {
        auto node = YGNodeNewWithConfig(tree.config);
        for (auto &set : description.style) set(node);
        if (description.isMeasured) {
            tree.contents.push_back(description.content);
            YGNodeSetContext(node, isRecorded ? (void *)&description : &tree.contents.back());
            YGNodeSetMeasureFunc(node, isRecorded ? answerRecorded : measure);
        }
        if (description.parent >= 0) {
            auto parent = tree.nodes[size_t(description.parent)];
            YGNodeInsertChild(parent, node, YGNodeGetChildCount(parent));
        }
        tree.nodes.push_back(node);
    }
}

// The nodes that changed, whose frames are read.
int readChanges(YGNodeRef node, float &sum) {
    if (!YGNodeGetHasNewLayout(node)) return 0;
    YGNodeSetHasNewLayout(node, false);
    sum += YGNodeLayoutGetLeft(node) + YGNodeLayoutGetTop(node) + YGNodeLayoutGetWidth(node) + YGNodeLayoutGetHeight(node);
    int count = 1;
    for (size_t index = 0; index < YGNodeGetChildCount(node); index++) count += readChanges(YGNodeGetChild(node, index), sum);
    return count;
}

void printFrames(const Tree &tree) {
    for (auto node : tree.nodes)
        printf("%.6f %.6f %.6f %.6f\n", double(YGNodeLayoutGetLeft(node)), double(YGNodeLayoutGetTop(node)),
               double(YGNodeLayoutGetWidth(node)), double(YGNodeLayoutGetHeight(node)));
}

// All captures have a root whose least and largest width are the same.
void setRootWidth(YGNodeRef root, float width) {
    YGNodeStyleSetMinWidth(root, width);
    YGNodeStyleSetMaxWidth(root, width);
}

void setHeight(YGNodeRef leaf, float height) {
    static_cast<Content *>(YGNodeGetContext(leaf))->height = height;
    YGNodeMarkDirty(leaf);
}

}  // namespace

int main(int count, char **words) {
    if (count < 4) {
        fprintf(stderr, "usage: capture_driver FILE build|edit|resize|batch|memory|recorded|WORK-frames ROUNDS [LEAF]\n");
        return 64;
    }
    std::string work = words[2];
    int rounds = atoi(words[3]);
    size_t edited = count > 4 ? size_t(atoi(words[4])) : 0;
    Capture capture;
    {
        auto file = json::parse(std::ifstream(words[1]));
        capture.width = file["layout-inputs"]["available-width"];
        capture.height = file["layout-inputs"]["available-height"];
        read(capture, file["tree"], -1);
    }
    std::vector<size_t> leaves;
    for (size_t index = 0; index < capture.nodes.size(); index++)
        if (capture.nodes[index].isMeasured) leaves.push_back(index);
    float sum = 0;
    // Finds the contents' heights, and what the process looks up and binds at the first use of each function is not the layout's.
    Tree warm;
    make(warm, capture, true);
    layOut(warm, capture, 0);
    if (work == "recorded") {
        printFrames(warm);
        return 0;
    }
    int builds = work == "build" || work == "memory" ? rounds : 1;
    // None is freed while the next is measured.
    std::vector<Tree> trees(static_cast<size_t>(builds));
    // What reading the file took and gave back is not there to be used again.
    malloc_trim(0);
    double before = residentBytes();
    double start = seconds();
    for (auto &tree : trees) {
        make(tree, capture, false);
        layOut(tree, capture, 0);
        int changed = readChanges(tree.nodes[0], sum);
        if (size_t(changed) != tree.nodes.size()) {
            fprintf(stderr, "capture_driver: %d of %zu nodes have a frame\n", changed, tree.nodes.size());
            return 1;
        }
    }
    double built = seconds() - start;
    auto &tree = trees[0];
    if (work == "first-frames") {
        printFrames(tree);
        return 0;
    }
    if (work == "build") {
        printf("%g\n", built / builds);
        return 0;
    }
    if (work == "memory") {
        printf("%g\n", (residentBytes() - before) / double(tree.nodes.size()) / builds);
        return 0;
    }
    uint64_t state = 42;
    int changed = 0;
    start = seconds();
    for (int round = 0; round < rounds; round++) {
        float wider = 0;
        if (work.starts_with("resize")) {
            wider = float(1 + round % 23);
            setRootWidth(tree.nodes[0], capture.width + wider);
        } else if (work.starts_with("edit")) {
            setHeight(tree.nodes[edited], capture.nodes[edited].content.height + float(1 + round % 23));
        } else {
            for (int edit = 0; edit < 100; edit++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                size_t leaf = leaves[size_t(state >> 33) % leaves.size()];
                setHeight(tree.nodes[leaf], capture.nodes[leaf].content.height + float(state >> 40 & 15));
            }
        }
        layOut(tree, capture, wider);
        changed += readChanges(tree.nodes[0], sum);
    }
    double spent = seconds() - start;
    if (work.ends_with("-frames")) {
        printFrames(tree);
    } else {
        printf("%g\n", spent / rounds);
    }
    if (getenv("VERBOSE")) fprintf(stderr, "%d frames a round\n", changed / rounds);
    return changed > rounds ? 0 : 1;
}
