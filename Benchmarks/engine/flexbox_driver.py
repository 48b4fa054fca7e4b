"""Lays the nested stacks of `Scenes.tree` out with a flexbox engine (`stretchable`, Rust's Taffy under Python).

Prints lines of a name and seconds of processor time: building the nodes in Python, the first layout, and the layout after
one leaf's width changed. The last two are a single call each, so Python has next to no part in them; reading the frames
out, which costs a call a node, is left out.
"""

import statistics
import time

from stretchable import Node
from stretchable.style import AlignItems, FlexDirection, Style

COUNT = 1000
FAN_OUT = 5
ROUNDS = 50


def tree():
    size = [120.0, 60.0]
    is_row = True
    widest = 1
    while widest < COUNT:
        size[0 if is_row else 1] *= FAN_OUT
        is_row = not is_row
        widest *= FAN_OUT
    root = Node(padding=8, gap=8, flex_direction=FlexDirection.ROW, size=tuple(size))
    queue = [(root, True)]
    made = 1
    next_parent = 0
    while made < COUNT:
        parent, is_row = queue[next_parent]
        next_parent += 1
        for _ in range(min(FAN_OUT, COUNT - made)):
            child = Node(
                padding=8, gap=8, flex_grow=1, align_items=AlignItems.STRETCH,
                flex_direction=FlexDirection.COLUMN if is_row else FlexDirection.ROW,
            )
            parent.append(child)
            made += 1
            queue.append((child, not is_row))
    leaves = [node for node, _ in queue[next_parent:]]
    for index, leaf in enumerate(leaves):
        leaf.style = Style(min_size=(20 + index * 7 % 70, 10 + index * 3 % 20), flex_grow=1)
    return root, leaves


start = time.process_time()
root, leaves = tree()
built = time.process_time()
root.compute_layout(use_rounding=False)
laid_out = time.process_time()
changes = []
leaf = leaves[len(leaves) // 2]
for step in range(ROUNDS):
    leaf.style = Style(min_size=(40 + step % 23, 20), flex_grow=1)
    begin = time.process_time()
    root.compute_layout(use_rounding=False)
    changes.append(time.process_time() - begin)
assert len(leaves) > COUNT / 2 and root.get_box().width > 0
print("flexbox-nodes-1k", built - start)
print("flexbox-layout-1k", laid_out - built)
print("flexbox-edit-1k", statistics.median(changes))
