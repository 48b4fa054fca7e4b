"""Breaks the Python client in one place at a time, each against a rule of protocol/SPEC.md, and tries it on the vectors, on the dialogues for
clients, on what no dialogue can have a client do, and on the live suite's cases with a control connection. A mutant that lives shows
that its rule is not tried. SCENESYNC names the program, else the one in .build/debug plays the live suite.

    run.py [NAME…]      tries all mutants, or those named; ends with 1 if one lives

A mutant is a file of the client, a text in it that occurs once, and what stands there in its place.
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/debug/scenesync"
SOURCE = ROOT / "clients/python/src/scenesync"
TESTS = [ROOT / "clients/python/tests" / name for name in ("test_vectors.py", "test_dialogues.py", "test_requests.py", "test_driven.py")]

SESSION, MIRROR, EVENTS, CONNECTING, MESSAGES = "session.py", "mirror.py", "events.py", "connecting.py", "messages.py"

#: Name, rule, file, text, and what stands in its place.
MUTANTS = [
    # --- Acknowledging
    ("acks-early", "MIR-3", SESSION, "        self._was_loading = self.mirror.is_loading\n",
     "        self._was_loading = self.mirror.is_loading\n        if isinstance(message, Frame) and not self.mirror.needs_snapshot:\n"
     "            self._send(Ack(self.mirror.tick + message.base_distance))\n"),
    ("lost-acks", "MIR-3", SESSION, "                return None\n            self._is_lost = not isinstance(message, Snapshot)\n",
     "                if isinstance(message, Frame):\n                    self._acknowledge()\n                return None\n"
     "            self._is_lost = not isinstance(message, Snapshot)\n"),
    ("limits-standard", "LIM-1", SESSION, "max(1, welcome.limits.unacknowledged_frames // 4)", "8"),
    ("never-acks-frames", "MSG-14", SESSION, "if whole or self._frames >= self._frames_per_ack:", "if whole:"),
    ("never-acks-late", "MSG-15", SESSION, "self._acknowledges_at = now + ACKNOWLEDGEMENT_SECONDS", "self._acknowledges_at = None"),
    ("acks-half", "MSG-14", SESSION, "unacknowledged_frames // 4", "unacknowledged_frames // 2 + 1"),
    ("snapshot-without-ack", "MSG-14", SESSION, "        if whole or self._frames >= self._frames_per_ack:",
     "        if whole:\n            return Updated(self.mirror)\n        if self._frames >= self._frames_per_ack:"),
    # --- Errors of the mirror
    ("never-resyncs", "ERR-1", SESSION, "            self._send(Resync(self.mirror.tick, self.mirror.state_hash))\n", "            pass\n"),
    ("resyncs-each-time", "CONN-14", SESSION, "            self._is_lost = True\n", "            self._is_lost = False\n"),
    ("loading-takes-frames", "ERR-1", SESSION, ' or self._was_loading:\n', ":\n"),
    ("resyncs-before-state", "ERR-1", SESSION, 'if error.code != "no-snapshot" or self._was_loading:', "if True:"),
    ("lost-takes-any-chunk", "CONN-14", SESSION, "isinstance(message, Snapshot) and message.chunk_index == 0)", "isinstance(message, Snapshot))"),
    # --- Coming back
    ("loses-ops", "CONN-24", SESSION, "        self._send_requests(0)\n", "        self._send_requests(self._last_sent)\n"),
    ("undo-not-granted-is-sent", "CONN-20", SESSION, "            if self.granted & needed != needed:\n                if sequence", "            if False:\n                if sequence"),
    ("overtakes-undo", "CONN-24", SESSION, "                if sequence <= self._last_sent:\n                    return\n",
     "                if sequence <= self._last_sent:\n                    continue\n"),
    ("undo-holds-ever", "CONN-24", SESSION, "                if sequence <= self._last_sent:\n", "                if True:\n"),
    ("basetick-renewed", "CONN-24", SESSION, "            if sequence > last:\n                self._send(message)\n",
     "            if sequence > last:\n                if isinstance(message, Ops):\n                    message.base_tick = self.mirror.tick\n"
     "                self._send(message)\n"),
    ("result-any", "CONN-24", SESSION, "            self._unanswered.pop(message.client_sequence, None)\n", "            self._unanswered.clear()\n"),
    ("result-none", "CONN-24", SESSION, "            self._unanswered.pop(message.client_sequence, None)\n", "            pass\n"),
    ("sequences-begin-anew", "CONN-23", SESSION, "        self.welcome = welcome\n        self.is_welcomed = True\n",
     "        if self.welcome and self.welcome.session != welcome.session:\n            self._next_sequence = 1\n"
     "        self.welcome = welcome\n        self.is_welcomed = True\n"),
    ("epoch-at-welcome", "CONN-30", MIRROR, "        self._announced_epoch = epoch\n", "        self._announced_epoch = None\n        self.epoch = epoch\n"),
    ("epoch-never", "CONN-30", MIRROR, "            self.epoch, self._announced_epoch = self._announced_epoch, None\n", "            pass\n"),
    ("welcome-keeps-ring", "CONN-30", MIRROR, '        its epoch (SPEC CONN-30)."""\n        self._clear_ring()\n', '        its epoch (SPEC CONN-30)."""\n'),
    ("offers-within-tick", "CONN-32", SESSION, "if self.mirror.needs_snapshot or self.mirror.is_within_tick:", "if self.mirror.needs_snapshot:"),
    ("offers-after-4012", "CONN-32", SESSION, "        if code == HASH_MISMATCH:\n            self._begins_anew = True\n", ""),
    ("no-resume", "CONN-22", SESSION, "        if self.welcome:\n            if self.mirror.needs_snapshot", "        if False:\n            if self.mirror.needs_snapshot"),
    ("resume-welcomes-epoch", "CONN-22", SESSION, "self.welcome.resume_token, self.mirror.epoch,", "self.welcome.resume_token, self.welcome.epoch,"),
    ("second-welcome", "CONN-12", SESSION, '            raise DecodeError("invalid-value", detail="a second welcome")\n', "            pass\n"),
    ("other-kind", "CONN-5", SESSION, '        if isinstance(data, str) != (self.format == "json"):\n', "        if False:\n"),
    ("forgets-told-time", "CONN-33", SESSION, "            if message.retry_after_milliseconds:\n", "            if False:\n"),
    *(
        (f"{code}-stays", "ERR-2", CONNECTING, "return code not in FINAL_CODES", f"return code not in FINAL_CODES and code != {code}")
        for code in (1000, 1001, 4008, 4012, 4029, 4030, 4031, 4999)
    ),
    *(
        (f"{code}-comes-back", "ERR-2", CONNECTING, "return code not in FINAL_CODES", f"return code not in FINAL_CODES or code == {code}")
        for code in (1002, 1007, 1009, 4000, 4001, 4003, 4009, 4010, 4011)
    ),
    # --- Asked for while not live, or by the user alone
    ("offline-drops", "CONN-24", SESSION, "        self._unanswered[sequence] = make(sequence)\n        if self.is_welcomed:\n",
     "        if self.is_welcomed:\n            self._unanswered[sequence] = make(sequence)\n"),
    ("lost-drops-ops", "CONN-24", SESSION, "        self._unanswered[sequence] = make(sequence)\n",
     "        if not self._is_lost:\n            self._unanswered[sequence] = make(sequence)\n"),
    ("asks-before-welcome", "CONN-20", SESSION, "        if self.is_welcomed:\n            self._send_requests(self._last_sent)\n",
     "        self._send_requests(self._last_sent)\n"),
    ("again-not-atomic", "CONN-24", SESSION, "        self._send_requests(0)\n",
     "        for each in self._unanswered.values():\n            if isinstance(each, Ops):\n                each.atomic = False\n"
     "        self._send_requests(0)\n"),
    ("again-without-group", "CONN-24", SESSION, "        self._send_requests(0)\n",
     "        for each in self._unanswered.values():\n            if isinstance(each, Ops):\n                each.undo_group = 0\n"
     "        self._send_requests(0)\n"),
    ("past-offers", "CONN-32", SESSION, "        if isinstance(message, Seek) and not message.live:\n", "        if False:\n"),
    ("seeks-ungranted", "CONN-20", SESSION, "        if self.granted & needed != needed:\n            raise NotGranted(f\"{type(message)",
     "        if False:\n            raise NotGranted(f\"{type(message)"),
    ("presence-any-clock", "MSG-11", SESSION, "        if presence.clock < self._clocks.get(presence.client, 0):\n", "        if False:\n"),
    ("presence-one-clock", "MSG-11", SESSION, "        if presence.clock < self._clocks.get(presence.client, 0):\n",
     "        if presence.clock < max(self._clocks.values(), default=0):\n"),
    ("inspection-first-chunk", "section 6.28", SESSION, "        if len(parts) < chunk.chunk_count:\n            return None\n        self._insp",
     "        self._insp"),
    ("inspection-last-chunk", "section 6.28", SESSION, '"".join(part.text for part in parts)', "chunk.text"),
    ("4031-elsewhere", "CONN-34", CONNECTING, "OWNER_CHANGED = 4031", "OWNER_CHANGED = 0"),
    # --- Snapshots
    ("snapshot-keeps-ring", "SNAP-2", MIRROR, "        self._numbers.clear()\n        self._clear_ring()\n", "        self._numbers.clear()\n"),
    ("snapshot-keeps-animations", "SNAP-2", MIRROR, "        self.animations = []\n        self.root = None\n", "        self.root = None\n"),
    ("snapshot-unchecked", "SNAP-3", MIRROR, "        if self.state_hash != chunk.state_hash:\n", "        if False:\n"),
    ("chunks-of-any-snapshot", "SNAP-4", MIRROR, "if chunk.chunk_index != expected or not same:", "if chunk.chunk_index != expected:"),
    ("chunks-in-any-order", "SNAP-4", MIRROR, "if chunk.chunk_index != expected or not same:", "if not same:"),
    ("chunk-0-goes-on", "SNAP-5", MIRROR, "        if chunk.chunk_index == 0:\n            self._chunks = []\n", ""),
    # --- Frames
    ("any-base", "MSG-3", MIRROR, "        if after is None:\n", "        after = after or self.tick + frame.base_distance\n        if False:\n"),
    ("any-durable", "MSG-3", MESSAGES, " and self.durable_distance <= after", ""),
    ("any-low-byte", "MSG-3", MESSAGES, "after < 1 << 64 and after & 0xFF == self.tick and", "after < 1 << 64 and"),
    ("ticks-beyond-64-bits", "MSG-3", MESSAGES, "fits = after < 1 << 64 and", "fits ="),
    ("frames-twice", "DIFF-5", MIRROR, "        self._body(frame.body)\n        self.tick = after\n",
     "        self._body(frame.body)\n        if frame.base_distance > 1:\n            self._body(frame.body)\n        self.tick = after\n"),
    ("differences-as-deltas", "DIFF-6", MIRROR, "                if body.cites_differences:\n", "                if False:\n"),
    ("last-deltas-stay", "DIFF-10", MIRROR, "                self._last_deltas[slot] = deltas\n            elif", "                pass\n            elif"),
    ("stores-nothing", "DIFF-9", MIRROR, "            elif group.stores:\n", "            elif False:\n"),
    ("stores-all", "DIFF-9", MIRROR, "            elif group.stores:\n", "            else:\n"),
    ("ring-of-63", "DIFF-9", MIRROR, "self._next = (slot + 1) % SLOTS", "self._next = (slot + 1) % (SLOTS - 1)"),
    ("select-keeps-next", "DIFF-11", MIRROR, "                self._store(message.selection, message.deltas, message.slot)\n",
     "                following = self._next\n                self._store(message.selection, message.deltas, message.slot)\n"
     "                self._next = following\n"),
    ("any-deltas", "DIFF-13", MIRROR, "if selection is None or bit_count(selection.mask) != len(deltas):", "if selection is None:"),
    ("sets-uncounted", "DIFF-8", MIRROR, "            budget -= len(selection.numbers)\n", ""),
    ("rows-uncounted", "DIFF-8", MIRROR, "        if len(body.rows) + len(body.absolute_rows) > budget:\n", "        if False:\n"),
    ("rows-of-all", "DIFF-8", MIRROR, "        if len(body.rows) + len(body.absolute_rows) > budget:\n", "        if len(body.rows) > len(self._nodes):\n"),
    ("frames-unwrapped", "DIFF-5", MIRROR, "tuple(wrap32(a + b) for a, b in zip(frame, delta))", "tuple(a + b for a, b in zip(frame, delta))"),
    ("absolute-adds", "section 8.4", MIRROR, "tuple(n if row.mask >> i & 1 else o for", "tuple(o + n if row.mask >> i & 1 else o for"),
    ("absolute-clears", "section 8.4", MIRROR, "tuple(n if row.mask >> i & 1 else o for", "tuple(n for"),
    # --- Trees and contents
    ("stale-trees", "MIR-2", MIRROR, "                if message.tick < self.tick:\n", "                if False:\n"),
    ("views-unbounded", "MIR-4", MIRROR, "                if len(self._nodes) > VIEWS:\n", "                if False:\n"),
    ("views-one-more", "MIR-4", MIRROR, "                if len(self._nodes) > VIEWS:\n", "                if len(self._nodes) > VIEWS + 1:\n"),
    ("adds-last", "MSG-4", MIRROR, "        parent.children.insert(place, number)\n", "        parent.children.append(number)\n"),
    ("any-index", "MSG-4", MIRROR, "        if place > len(parent.children):\n", "        if False:\n"),
    ("moves-before-removing", "MSG-4", MIRROR,
     "        self._nodes[node.view.parent].children.remove(change.number)\n"
     "        self._insert_child(change.number, self._nodes[change.parent], change.index)\n",
     "        self._insert_child(change.number, self._nodes[change.parent], change.index)\n"
     "        self._nodes[node.view.parent].children.remove(change.number)\n"),
    ("removes-alone", "MSG-4", MIRROR, "            stack.extend(gone.children)\n            del", "            del"),
    ("cycles", "MSG-5", MIRROR, "            if ancestor == change.number:\n", "            if False:\n"),
    ("moves-root", "MSG-5", MIRROR, '        node = self._node(change.number)\n        if node.view.parent is None:\n            raise MirrorError("misplaced-root")\n',
     "        node = self._node(change.number)\n        if node.view.parent is None:\n            return\n"),
    ("removes-root", "MSG-5", MIRROR, '        if parent is None:\n            raise MirrorError("misplaced-root")\n', "        if parent is None:\n            return\n"),
    ("two-roots", "SNAP-1", MIRROR, "            if self.root is not None:\n", "            if False:\n"),
    ("no-root", "SNAP-1", MIRROR, '        if self.root is None:\n            raise MirrorError("misplaced-root")\n', ""),
    ("numbers-twice", "SNAP-1", MIRROR, "if view.number in self._nodes or view.number >= NUMBERS:", "if view.number >= NUMBERS:"),
    ("ids-twice", "SNAP-1", MIRROR, "        if view.id in self._numbers:\n", "        if False:\n"),
    ("parent-not-hashed", "HASH-2", MIRROR, "        node.view = replace(node.view, parent=change.parent)\n        self._rehash(node)\n",
     "        node.view = replace(node.view, parent=change.parent)\n"),
    ("content-not-hashed", "HASH-2", MIRROR, "            node.view = replace(node.view, content=change.content)\n            self._rehash(node)\n",
     "            node.view = replace(node.view, content=change.content)\n"),
    ("hashes-of-any-tick", "MSG-6", MIRROR, "if message.tick == self.tick and message.hash", "if message.hash"),
    ("hashes-ignored", "MSG-6", MIRROR, "if message.tick == self.tick and message.hash != self.state_hash:", "if False:"),
    ("contents-of-nobody", "section 6.6", MIRROR, "            self._node(invalidation.number)\n", "            pass\n"),
    ("snapshot-of-one-chunk", "SNAP-4", MIRROR, "        if len(self._chunks) < chunk.chunk_count:\n            return\n", ""),
    ("ring-begins-at-1", "DIFF-9", MIRROR, "        self._last_deltas = [()] * SLOTS\n        self._next = 0\n\n    def _anim",
     "        self._last_deltas = [()] * SLOTS\n        self._next = 1\n\n    def _anim"),
    ("tick-of-before", "SNAP-2", MIRROR, "        self.epoch, self.tick = chunk.epoch, chunk.tick\n", "        self.epoch = chunk.epoch\n"),
    # --- Animations
    ("animations-without-end", "ANIM-4", MIRROR, "if self.tick - a.start < a.duration]", "]"),
    ("animations-end-late", "ANIM-4", MIRROR, "if self.tick - a.start < a.duration]", "if self.tick - a.start <= a.duration]"),
    ("same-id-twice", "ANIM-1", MIRROR,
     "            self.animations = [a for a in self.animations if a.id != change.id]\n            self.animations.append(",
     "            self.animations.append("),
    ("cancels-none", "ANIM-4", MIRROR, "                self.animations = [a for a in self.animations if a.id != change.id]\n                continue\n", "                continue\n"),
    ("delay-ignored", "ANIM-2", MIRROR, "anim.tick + change.delay_ticks", "anim.tick"),
    ("shown-rounded-each", "ANIM-2", MIRROR, "            frame = [value - step * share for value, step in zip(frame, delta)]\n",
     "            frame = [float(math.floor(value - step * share + 0.5)) for value, step in zip(frame, delta)]\n"),
    ("shown-rounded-even", "ANIM-2", MIRROR, "return tuple(math.floor(value + 0.5) for value in frame)", "return tuple(round(value) for value in frame)"),
    ("animations-unbounded", "LIM-1", MIRROR, "            if len(self.animations) >= ANIMATIONS:\n", "            if False:\n"),
    # --- Keyframes
    ("keyframe-keeps-ring", "KEY-1", MIRROR, "        self._clear_ring()\n        for animation in", "        for animation in"),
    ("keyframe-keeps-next", "DIFF-9", MIRROR, "        self._clear_ring()\n        for animation in",
     "        following = self._next\n        self._clear_ring()\n        self._next = following\n        for animation in"),
    ("keyframe-of-any-tick", "KEY-1", MIRROR, "        if keyframe.tick != self.tick:\n", "        if False:\n"),
    ("keyframe-numbers-twice", "KEY-1", MIRROR, '        if len(places) != len(self._nodes):\n            raise MirrorError("malformed-numbering")\n', ""),
    ("keyframe-forgets-animations", "KEY-1", MIRROR,
     "            animation.deltas = {places[n]: d for n, d in animation.deltas.items() if n in places}\n", "            animation.deltas = {}\n"),
    # --- Events
    ("event-results-twice", "EVT-9", EVENTS, "if self._waiting.pop(result.event_sequence, None)]", "if self._waiting.get(result.event_sequence)]"),
    ("events-not-sent-again", "EVT-11", EVENTS, "            self._waiting[sequence] = (event, True)\n            messages.append(event)\n",
     "            if not self._waiting[sequence][1]:\n                messages.append(event)\n            self._waiting[sequence] = (event, True)\n"),
    ("events-to-strangers", "EVT-11", EVENTS, "                del self._waiting[sequence]\n                lost.append", "                lost.append"),
    ("incarnation-ignored", "EVT-18", EVENTS, "known = (welcome.session, welcome.incarnation)", "known = (welcome.session, None)"),
    ("handles-once", "EVT-17", EVENTS, "[] if self._roots is None else [HandleRequest(self._roots)]", "[]"),
    ("takes-events-twice", "EVT-18", EVENTS, "        if number > self._last_number:\n", "        if True:\n"),
    ("answers-not-repeated", "EVT-18", EVENTS, "            return None, HandledEvents([Answer(number, self._answers[number])])\n", "            return None, None\n"),
    # --- Reading
    ("odd-extensions-skipped", "BIN-6", MESSAGES, "        if int(key) & 1:\n", "        if False:\n"),
    ("extensions-of-anything", "JSON-8", MESSAGES, 'if not isinstance(content, str) or not re.fullmatch("([0-9a-fA-F]{2})*", content):', "if False:"),
    ("ids-with-zeros", "JSON-8", MESSAGES, 're.fullmatch("0|[1-9][0-9]{0,9}", key)', 're.fullmatch("[0-9]{1,10}", key)'),
    ("any-modifiers", "FWD-6", MESSAGES, "MODIFIERS = Unsigned(8, lambda bits: bits < 16)", "MODIFIERS = Unsigned(8)"),
    ("participants-without-events", "EVT-1", MESSAGES, 'if message.role == "participant" and not message.capabilities & 1 << 10:', "if False:"),
    ("any-chunk", "LIM-1", MESSAGES, "    if part.chunk_count > CHUNKS:\n", "    if False:\n"),
    ("chunk-beyond-the-last", "SNAP-4", MESSAGES, "return None if part.chunk_index < part.chunk_count else", "return None if True else"),
    ("deflated-rest", "SNAP-6", MESSAGES, "        if head.deflated and columns.remaining:\n", "        if False:\n"),
]  # fmt: skip


def lives(mutant: tuple[str, str, str, str, str]) -> bool:
    """Whether a mutant passes everything."""
    name, _, file, old, new = mutant
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "scenesync"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        text = (copy / file).read_text()
        if text.count(old) != 1:
            raise SystemExit(f"{name}: {file} has {text.count(old)} times {old!r}")
        (copy / file).write_text(text.replace(old, new))
        environment = {"SCENESYNC": str(PROGRAM), **os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *map(str, TESTS)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{name}: {done.stdout}{done.stderr}")
        return done.returncode == 0


def main(names: list[str]) -> int:
    chosen = [mutant for mutant in MUTANTS if not names or mutant[0] in names]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(zip(chosen, pool.map(lives, chosen)))
    for (name, rule, *_), is_alive in found:
        if is_alive:
            print(f"LIVES\t{name}\t{rule}")
    alive = sum(is_alive for _, is_alive in found)
    print(f"{len(found)} mutants, {alive} live")
    return int(alive > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
