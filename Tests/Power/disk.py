"""A disk as a power failure may leave it, by what `forget.c` recorded of a program.

Durable is what the program synced: the bytes that were written to a file before an fsync or fdatasync of it began that has ended. Of what
was written since, a disk may have anything, in any order, because the kernel writes back when it likes. Modelled are

- data: none, all, the first writes with the last one torn, or sectors of 512 or 4,096 bytes by chance; of several writes to one sector
  any may be there. A sector is whole. Nothing that was synced is harmed by a later write beside it;
- sizes: that of any sector that is there, or a later one with zeros where data is missing, as ext4 and XFS show it. A truncation may be
  undone, by itself;
- names: creation, link, removal and rename become durable with a sync. In the model `journalled` (ext4, XFS, Btrfs) all changes of
  names have one order: a disk has the first so many of them, and any sync keeps all before it. In the model `strict` (what POSIX
  promises) each folder has its own order, and only a sync of that folder keeps its names. The model `new` is the same for a program
  whose own folder is not there yet: its name is not synced. A rename within a folder is whole or not there;
- files that are mapped into memory: each page of 4,096 bytes old or as it is at the end.

Not modelled: stale bytes of deleted files, permissions and times, sectors that cannot be read, disks that lie about syncs (but for
FORGET_IGNORE_SYNC), and the flush of a renamed file's data that ext4 does by itself (`auto_da_alloc`).
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: `struct record` of forget.c.
RECORD = struct.Struct("<II4Q")
PAGE = 4096
JOURNALLED, STRICT, NEW = "journalled", "strict", "new"
MODELS = [JOURNALLED, STRICT, NEW]
#: What of the data that was not synced is there.
SHARES = ["none", "all", "first", "sectors"]


class NotModelled(Exception):
    """The program did something of which the model does not know what a disk makes of it."""


@dataclass
class Record:
    kind: str
    time: int
    inode: int
    folder: int
    place: int
    data: bytes

    @property
    def name(self) -> str:
        return self.data.decode()


def read_log(path: Path) -> list[Record]:
    """What was recorded, but for a last record that was cut when the program was killed."""
    log = path.read_bytes()
    records = []
    offset = 0
    while offset + RECORD.size <= len(log):
        kind, length, time, inode, folder, place = RECORD.unpack_from(log, offset)
        offset += RECORD.size
        if offset + length > len(log):
            break
        records.append(Record(chr(kind), time, inode, folder, place, log[offset : offset + length]))
        offset += length
    return records


@dataclass
class Node:
    """A file or a folder, under any names."""

    is_folder: bool
    #: A file's durable bytes, and its writes (place, bytes) and sizes (size, None) since, each with its number.
    data: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, int, bytes | None]] = field(default_factory=list)
    #: The path whose bytes are the file's at the end, because memory changed them.
    is_mapped: bool = False
    #: A folder's durable names.
    names: dict[str, Node] = field(default_factory=dict)


@dataclass
class Change:
    """A change of names: `old` goes from `source`, `new` comes to `target`."""

    number: int
    source: Node | None
    old: str
    target: Node | None
    new: str
    node: Node


def apply(data: bytearray, place: int, written: bytes | None) -> None:
    """Writes bytes at a place, or sets the size to it."""
    end = place if written is None else place + len(written)
    if len(data) < end:
        data.extend(bytes(end - len(data)))
    if written is None:
        del data[place:]
    else:
        data[place:end] = written


class Disk:
    """A folder's files: what is durable of them, and what happened since."""

    def __init__(self, root: Path) -> None:
        """Takes what is there for durable."""
        self.path = root
        self._nodes: dict[int, Node] = {}
        self.root = self._scan(root)
        self._changes: list[Change] = []
        self._number = 0
        #: Syncs under way, by their numbers: which node, and the number of the last thing before them.
        self._syncs: dict[int, tuple[Node, int]] = {}
        #: How many records of each kind there were.
        self.counts: dict[str, int] = {}
        #: Before which number of a change some sync began that has ended: of each node, and of any.
        self._synced: dict[int, int] = {}
        self._synced_until = 0

    def _scan(self, path: Path) -> Node:
        status = path.lstat()
        # One node for all names of a file.
        if status.st_ino in self._nodes:
            return self._nodes[status.st_ino]
        node = self._nodes[status.st_ino] = Node(path.is_dir())
        if node.is_folder:
            node.names = {each.name: self._scan(each) for each in path.iterdir()}
        else:
            node.data = bytearray(path.read_bytes())
        return node

    # --- What the program did -------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Another process goes on with what is there, synced or not."""
        self._syncs.clear()

    def take(self, record: Record) -> None:
        """Adds what a record tells."""
        self._number += 1
        self.counts[record.kind] = self.counts.get(record.kind, 0) + 1
        match record.kind:
            case "B":
                pass
            case "F" | "D":
                node = self._nodes[record.inode] = Node(record.kind == "D")
                self._change(None, "", record.folder, record.name, node)
            case "W":
                self._nodes[record.inode].pending.append((self._number, record.place, record.data))
            case "T":
                self._nodes[record.inode].pending.append((self._number, record.place, None))
            case "L":
                self._change(None, "", record.folder, record.name, self._nodes[record.inode])
            case "U":
                self._change(record.folder, record.name, None, "", self._nodes[record.inode])
            case "R":
                old, new = record.name.split("\0")
                self._change(record.folder, old, record.place, new, self._nodes[record.inode])
            case "S":
                self._syncs[record.folder] = (self._nodes[record.inode], self._number)
            case "E":
                self._sync(*self._syncs.pop(record.folder))
            case "M":
                self._nodes[record.inode].is_mapped = True
            case _:
                raise NotModelled(record.name)

    def _change(self, source: int | None, old: str, target: int | None, new: str, node: Node) -> None:
        folders = [None if inode is None else self._nodes[inode] for inode in (source, target)]
        self._changes.append(Change(self._number, folders[0], old, folders[1], new, node))

    def _sync(self, node: Node, until: int) -> None:
        for number, place, data in node.pending:
            if number < until:
                apply(node.data, place, data)
        node.pending = [each for each in node.pending if each[0] > until]
        # Which names a sync keeps depends on the model, which the cut chooses.
        self._synced[id(node)] = max(until, self._synced.get(id(node), 0))
        self._synced_until = max(until, self._synced_until)

    # --- States of the disk ---------------------------------------------------------------------------------------------------

    def _durable(self, model: str) -> list[bool]:
        """Whether each change of names is durable."""
        if model == JOURNALLED:
            return [change.number < self._synced_until for change in self._changes]
        return [
            any(change.number < self._synced.get(id(folder), 0) for folder in (change.source, change.target)) for change in self._changes
        ]

    def _kept(self, model: str, share: str, chance: random.Random) -> list[bool]:
        """Whether the disk has each change of names: the durable ones, and of the others the first of their order."""
        kept = self._durable(model)
        loose = [index for index, is_kept in enumerate(kept) if not is_kept]
        if share == "all":
            return [True] * len(kept)
        if share == "none":
            return kept
        if model == JOURNALLED:
            for index in loose[: chance.randint(0, len(loose))]:
                kept[index] = True
            return kept
        stopped: set[int] = set()
        for index in loose:
            change = self._changes[index]
            folders = {id(folder) for folder in (change.source, change.target) if folder is not None}
            if folders & stopped or chance.random() < 0.3:
                stopped |= folders
            else:
                kept[index] = True
        return kept

    def _tree(self, kept: list[bool]) -> dict[int, dict[str, Node]]:
        """The names of each folder, by its identity."""
        tree: dict[int, dict[str, Node]] = {}

        def names(folder: Node) -> dict[str, Node]:
            return tree.setdefault(id(folder), dict(folder.names))

        for change, is_kept in zip(self._changes, kept):
            if not is_kept:
                continue
            if change.source is not None and names(change.source).get(change.old) is change.node:
                del names(change.source)[change.old]
            if change.target is not None:
                names(change.target)[change.new] = change.node
        return tree

    def _files(self, tree: dict[int, dict[str, Node]], folder: Node, path: Path) -> Iterator[tuple[Path, Node]]:
        for name, node in sorted(tree.get(id(folder), folder.names).items()):
            yield path / name, node
            if node.is_folder:
                yield from self._files(tree, node, path / name)

    def cut(self, target: Path, model: str, names: str, share: str, chance: random.Random) -> None:
        """Writes a state that the disk may be in now to a folder, which is made. `names` and `share` tell how much is there of the names
        and of the data that were not synced."""
        tree = self._tree(self._kept(model, names, chance))
        target.mkdir(mode=0o700)
        written: dict[int, Path] = {}
        for path, node in self._files(tree, self.root, target):
            if node.is_folder:
                path.mkdir(mode=0o700)
            elif id(node) in written:
                path.hardlink_to(written[id(node)])
            else:
                written[id(node)] = path
                path.write_bytes(self._bytes(node, share, chance))
                path.chmod(0o600)

    def _bytes(self, node: Node, share: str, chance: random.Random) -> bytes:
        data = bytearray(node.data)
        if node.is_mapped:
            return self._pages(node, share, chance)
        if share == "all":
            for _, place, written in node.pending:
                apply(data, place, written)
        elif share == "first" and node.pending:
            count = chance.randrange(len(node.pending))
            for _, place, written in node.pending[:count]:
                apply(data, place, written)
            _, place, written = node.pending[count]
            if written is not None:
                apply(data, place, written[: chance.randint(0, len(written) // 512) * 512])
        elif share == "sectors":
            self._sectors(data, node, chance)
        return bytes(data)

    @staticmethod
    def _sectors(data: bytearray, node: Node, chance: random.Random) -> None:
        size, share = chance.choice([512, PAGE]), chance.choice([0.1, 0.5, 0.9])
        longest = len(data)
        for _, place, written in node.pending:
            if written is None:
                longest = max(longest, place)
                if chance.random() < share:
                    apply(data, place, None)
                continue
            longest = max(longest, place + len(written))
            start = place
            while start < place + len(written):
                end = min((start // size + 1) * size, place + len(written))
                if chance.random() < share:
                    apply(data, start, written[start - place : end - place])
                start = end
        if chance.random() < 0.3 and len(data) < longest:
            data.extend(bytes(longest - len(data)))

    def _current(self, node: Node) -> bytes:
        """A file as the program left it, by what was recorded."""
        data = bytearray(node.data)
        for _, place, written in node.pending:
            apply(data, place, written)
        return bytes(data)

    def _pages(self, node: Node, share: str, chance: random.Random) -> bytes:
        """A mapped file: each page as it was written by calls, or as it is in memory at the end."""
        path = next((path for path, each in self.current() if each is node), None)
        before = self._current(node) if share != "none" else bytes(node.data)
        if path is None or share == "none" or not path.exists():
            return before
        after = path.read_bytes()
        pages = []
        for start in range(0, max(len(before), len(after)), PAGE):
            is_new = share == "all" or chance.random() < 0.5
            page = (after if is_new else before)[start : start + PAGE]
            pages.append(page or bytes(PAGE))
        return b"".join(pages)

    def current(self) -> list[tuple[Path, Node]]:
        """Paths and nodes as the program left them."""
        return list(self._files(self._tree([True] * len(self._changes)), self.root, self.path))

    def adopt(self) -> None:
        """Records what a kill kept from being recorded: one creation, which comes before its record."""
        known = {path for path, _ in self.current()}
        for path in sorted(self.path.rglob("*")):
            status = path.lstat()
            is_new = path not in known and path.parent in {self.path, *known}
            if is_new and not (any(path.iterdir()) if path.is_dir() else status.st_size):
                folder = path.parent.lstat().st_ino
                self.take(Record("D" if path.is_dir() else "F", 0, status.st_ino, folder, 0, path.name.encode()))
                return

    def differences(self, last: Record | None = None) -> list[str]:
        """What the real folder has otherwise than what was recorded adds up to: calls that the library does not see. `last` is a write
        that a kill may have cut short."""
        expected = dict(self.current())
        found = set(self.path.rglob("*"))
        faults = [f"{path} is not there" for path in expected if path not in found]
        for path in sorted(found):
            node = expected.get(path)
            if node is None:
                faults.append(f"{path} was not recorded")
            elif not node.is_folder and not node.is_mapped and path.read_bytes() != self._current(node):
                if last is None or self._nodes.get(last.inode) is not node:
                    faults.append(f"{path} has other bytes than were recorded")
        return faults
