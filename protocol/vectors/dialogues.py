"""The dialogues of version 1: conversations written by hand from SPEC.md, with states and hashes by the Python client's mirror.
`generate.py` writes them; README.md describes the steps."""

from __future__ import annotations

import json
from typing import Any

from scenesync.frames import Body, Group, Row, Selection
from scenesync.messages import (
    Add,
    Anim,
    Cancel,
    Content,
    ContentChange,
    ContentMessage,
    Frame,
    Keyframe,
    Line,
    Message,
    Move,
    Remove,
    Select,
    Snapshot,
    Start,
    Tree,
    View,
)
from scenesync.mirror import Mirror, view_hash

ANIM, UNDO, SEEK, KEYFRAMES, RESUME, DEVICES, EVENTS, INSETS = 1 << 1, 1 << 2, 1 << 4, 1 << 6, 1 << 7, 1 << 9, 1 << 10, 1 << 12
ANNOTATIONS, FOLLOW, SUGGESTIONS = 1 << 13, 1 << 14, 1 << 15
LABEL = Content(kind="label")
VIEWS = [
    View(0, "root", None, (0, 0, 640, 384)),
    View(1, "a", 0, (0, 0, 100, 100)),
    View(2, "b", 1, (5, 5, 10, 10)),
    View(3, "c", 0, (100, 0, 100, 100)),
    View(4, "do", 0, (0, 368, 640, 16), LABEL),
]
#: The same scene on a device that is twice as fine and less wide.
ON_PHONE = [
    View(0, "root", None, (0, 0, 780, 1688)),
    View(1, "a", 0, (0, 0, 200, 200)),
    View(2, "b", 1, (10, 10, 20, 20)),
    View(3, "c", 0, (200, 0, 200, 200)),
    View(4, "do", 0, (0, 1656, 780, 32), LABEL),
]
LIMITS = {"messageBytes": 1 << 20, "views": 10000, "constraints": 50000, "ops": 10000, "messagesPerSecond": 0, "depth": 512,
          "textBytes": 65536, "inflatedBytes": 1 << 22, "unacknowledgedFrames": 32}  # fmt: skip


class Talk:
    """A dialogue with a client under test: what the suite sends, it also takes into a mirror of its own."""

    def __init__(self, id: str, name: str, rules: list[str], **fields: Any) -> None:
        self.data: dict[str, Any] = {
            "id": id, "name": name, "rules": rules, "level": "required", "essential": False, "needs": 0, **fields, "steps": [],
        }  # fmt: skip
        self.mirror = Mirror()

    def step(self, **step: Any) -> Talk:
        self.data["steps"].append(step)
        return self

    # --- What the suite does

    def send(self, message: dict[str, Any]) -> Talk:
        return self.step(send=message)

    def play(self, message: Message) -> Talk:
        self.mirror.apply(message)
        return self.send(message.to_json())

    def welcome(self, **fields: Any) -> Talk:
        capabilities = fields.pop("capabilities", self.data["needs"])
        limits = {**LIMITS, **fields.pop("limits", {})}
        return self.send(
            {"type": "welcome", "session": "s", "resumeToken": "secret", "epoch": 1, "version": 1, "capabilities": capabilities,
             "tickRate": 60, "tick": 100, "monotonicMilliseconds": 1000, "unitsPerPoint": 1, "viewport": [640, 384], "scale": 1,
             "cell": [8, 16], "limits": limits, "role": "editor", **fields}
        )  # fmt: skip

    def snapshot(
        self, tick: int | None = None, epoch: int = 1, anew: bool = False, views: list[View] | None = None
    ) -> Talk:
        """The state as it is, as it was at first, or another one."""
        if tick is None:
            tick = self.mirror.tick if len(self.mirror) else 100
        if views is None:
            views = VIEWS if anew or not len(self.mirror) else self.mirror.preorder()
        names = {view.number: view.id for view in views}
        total = sum(
            view_hash(v.id, "" if v.parent is None else names[v.parent], v.content, v.frame) for v in views
        ) % (1 << 64)
        return self.play(Snapshot(epoch=epoch, tick=tick, state_hash=total, views=views))

    def frame(self, body: Body | None = None, distance: int = 1, durable: int = 1) -> Talk:
        return self.play(Frame((self.mirror.tick + distance) % 256, distance, durable, body or Body()))

    def hash(self, right: bool = True) -> Talk:
        value = self.mirror.state_hash if right else self.mirror.state_hash ^ 1
        return self.send({"type": "hash", "tick": self.mirror.tick, "hash": f"{value:016x}"})

    def do(self, command: Any) -> Talk:
        """Tells the client what to do, in the text of the view `do`."""
        text = json.dumps(command, separators=(",", ":"))
        self.play(
            ContentMessage(self.mirror.tick + 1, [ContentChange(4, Content(kind="label", lines=[Line(text, (0, 0, 640))]))], [])
        )
        return self.frame()

    def moved(self, milliseconds: int = 4000) -> Talk:
        """Ends the connection as a network does that fails, and waits until the client is at the second address."""
        return self.step(close=1011).step(reconnect={"from": 0, "to": milliseconds, "at": "second"})

    def cut(self) -> Talk:
        """Ends the connection as a network does that fails, and waits until the client is back."""
        return self.step(close=1011).step(reconnect={"from": 0, "to": 4000})

    def result(self, sequence: int, **extensions: Any) -> Talk:
        return self.send(
            {"type": "result", "clientSequence": sequence, "tick": self.mirror.tick, "outcome": "committed", "frames": [],
             "removedConstraints": [], "refusals": [], **extensions}
        )  # fmt: skip

    # --- What the client does

    def hear(self, type: str, among: list[str] | None = None, within: int | None = None, **fields: Any) -> Talk:
        step: dict[str, Any] = {"expect": {"type": type, **fields}}
        if among is not None:
            step["among"] = among
        if within is not None:
            step["within"] = within
        return self.step(**step)

    def shown(self, id: str, tick: int, frame: str) -> Talk:
        """Has the client say at which frame it shows a view."""
        return self.do({"shown": id, "tick": tick}).hear("presence", among=["ack", "ping"], name=frame)

    def ordered(self, id: str, *children: str) -> Talk:
        """Has the client say the subviews of a view."""
        return self.do({"children": id}).hear("presence", among=["ack", "ping"], selection=list(children))

    def device(self, name: str = "phone", fit: str = "exact", reason: str = "", **fields: Any) -> Talk:
        """The device that the client has from now on."""
        grant = {"unitsPerPoint": 2, "viewport": [390, 844], "scale": 2, "cell": [8, 16], "maximum": 2, "names": ["phone"]}
        return self.send({"type": "device", "name": name, "fit": fit, "reason": reason, **grant, **fields})

    def event(self, sequence: int, view: str = "a", **fields: Any) -> Talk:
        """Somebody did something with a view that the client handles."""
        return self.send({"type": "event", "sequence": sequence, "client": 9, "subject": "", "kind": "tap", "view": view,
                          "tick": self.mirror.tick, "place": [1, 2], "modifiers": 0, "value": None, **fields})  # fmt: skip

    def results(self, *results: tuple[int, str]) -> Talk:
        """What became of the client's events."""
        return self.send({"type": "eventResults", "results": [
            {"eventSequence": sequence, "outcome": outcome, "code": "", "message": ""} for sequence, outcome in results]})  # fmt: skip

    def told(self, *words: str) -> Talk:
        """Has the client say which events and results it took in since it was asked last."""
        return self.do("told").hear("presence", among=["ack", "ping"], selection=list(words))

    def answer(self, sequence: int, is_handled: bool) -> Talk:
        """Has the client answer the oldest event."""
        return self.do({"answer": is_handled}).hear("handled", answers=[{"sequence": sequence, "handled": is_handled}])

    def again(self, **welcome: Any) -> Talk:
        """The client is cut off, comes back, and has the state."""
        return self.cut().back().welcome(**welcome).snapshot()

    def acked(self) -> Talk:
        return self.hear("ack", ["ack", "ping", "presence"], tick=self.mirror.tick)

    def silence(self, *types: str, milliseconds: int = 600) -> Talk:
        return self.step(**{"silence": list(types), "for": milliseconds})

    def same(self) -> Talk:
        """The client has the state: a hash, and frames until an acknowledgement is due; none of it may lead to a resync."""
        self.hash()
        first = self.mirror.tick + 1
        for _ in range(8):
            self.frame()
        return self.hear("ack", ["ack", "ping", "presence"], tick={"$from": first, "$to": self.mirror.tick})

    def joined(self, **welcome: Any) -> Talk:
        return self.hear("hello").welcome(**welcome).snapshot().acked()

    def back(self) -> Talk:
        """The client has come back and says where it was."""
        offered = {"type": "hello", "resume": {"session": "s", "token": "secret", "epoch": 1, "lastTick": self.mirror.tick}}
        return self.step(expect=offered)


OPS = [{"op": "setNeedsLayout"}]
OTHERS = [{"op": "setNeedsDisplay", "id": "a"}]
PLACES = Selection(1, (1, 3))


def clients() -> list[dict[str, Any]]:
    out: list[Talk] = []
    #: The scene in two chunks, whose members a case replaces.
    chunked = Snapshot(epoch=1, tick=101, chunk_index=0, chunk_count=2, state_hash=1, views=VIEWS).to_json()

    def talk(*arguments: Any, **fields: Any) -> Talk:
        out.append(Talk(*arguments, **fields))
        return out[-1]

    (talk("3.2-3", "a client says hello first, and acknowledges the first snapshot", ["CONN-7", "MSG-14"], essential=True)
        .step(expect={"type": "hello", "role": "editor"}, among=[]).welcome().snapshot().acked().same())  # fmt: skip
    (talk("3.2-4", "a second welcome closes with 4000", ["CONN-12"]).joined().welcome().step(closed=[4000]))  # fmt: skip
    (talk("3.2-5", "an error before welcome is taken", ["CONN-13"]).hear("hello")
        .send({"type": "error", "code": 4999, "retryable": True, "retryAfterMilliseconds": 0, "text": "a trial"})
        .welcome().snapshot().acked())  # fmt: skip
    (talk("3.1-1", "a message in the other kind of WebSocket message closes", ["CONN-5"]).joined()
        .step(wrongKind=True).step(closed=[4000]))  # fmt: skip
    (talk("3.3-1", "a client that fell behind goes on with a merged frame and the ring", ["CONN-16", "CONN-17", "DIFF-11"]).joined()
        .play(Tree(140, [Add(9, "e", 0, (1, 2, 3, 4), Content(), 0)])).frame(Body(rows=[Row(1, 3, (7, 8))]), 40, 5)
        .play(Select(7, PLACES, (3,))).frame(Body([Group((2,), slot=7)])).same())  # fmt: skip
    (talk("3.4-1", "what was not granted is not sent", ["CONN-20"], needs=UNDO).joined(capabilities=0)
        .do("undo").silence("undo"))  # fmt: skip
    (talk("3.4-2", "error 4005 and 4006 end nothing", ["CONN-21"]).joined()
        .send({"type": "error", "code": 4005, "retryable": False, "retryAfterMilliseconds": 0, "text": "a trial"})
        .send({"type": "error", "code": 4006, "retryable": False, "retryAfterMilliseconds": 0, "text": "a trial"}).same())  # fmt: skip
    (talk("3.5-1", "ops without a result are sent again, once, with their sequence", ["CONN-24", "CONN-22"], essential=True).joined()
        .do(OPS).hear("ops", clientSequence=1, ops=OPS).cut().back().welcome().snapshot()
        .hear("ops", clientSequence=1, ops=OPS).silence("ops").result(1).silence("ops")
        .do(OTHERS).hear("ops", clientSequence=2, ops=OTHERS).result(2).same())  # fmt: skip
    (talk("3.5-2", "what has a result is not sent again", ["CONN-24"], essential=True).joined()
        .do(OPS).hear("ops", clientSequence=1).result(1).do(OTHERS).hear("ops", clientSequence=2)
        .cut().back().welcome().snapshot().hear("ops", clientSequence=2, ops=OTHERS).silence("ops"))  # fmt: skip
    (talk("3.5-3", "several are sent again in their order", ["CONN-24"]).joined()
        .do(OPS).hear("ops", clientSequence=1).do(OTHERS).hear("ops", clientSequence=2)
        .cut().back().welcome().snapshot().hear("ops", clientSequence=1, ops=OPS).hear("ops", clientSequence=2, ops=OTHERS)
        .silence("ops"))  # fmt: skip
    (talk("3.5-4", "sequences go on where the server knows nothing any more", ["CONN-23", "CONN-24"]).joined()
        .do(OPS).hear("ops", clientSequence=1).result(1).do(OTHERS).hear("ops", clientSequence=2)
        .cut().back().welcome(session="other", resumeToken="new", epoch=2).snapshot(5, 2)
        .hear("ops", clientSequence=2, ops=OTHERS).silence("ops").result(2).do(OPS).hear("ops", clientSequence=3))  # fmt: skip
    (talk("3.5-5", "a mirror is gone on with by a merged frame", ["CONN-30", "CONN-28", "CONN-22"], needs=RESUME).joined()
        .frame(Body(rows=[Row(1, 1, (4,))])).cut()
        .step(expect={"type": "hello", "resume": {"session": "s", "token": "secret", "epoch": 1, "lastTick": 101},
                      "capabilities": {"$with": RESUME}})
        .welcome(tick=150).play(Tree(150, [Add(9, "e", 0, (1, 2, 3, 4), Content(), 0)]))
        .frame(Body(rows=[Row(3, 2, (9,))]), 49, 1).play(Select(3, PLACES, (1,))).same()
        .frame(Body([Group((2,), slot=3)])).same())  # fmt: skip
    (talk("3.5-6", "coming back empties the ring", ["CONN-30", "DIFF-9"], needs=RESUME).joined()
        .frame(Body([Group((4,), selection=PLACES, stores=True)])).cut().back().welcome()
        .send(Frame(102, 1, 1, Body([Group((1,), slot=0)])).to_json()).hear("resync").snapshot(102).acked().same())  # fmt: skip
    (talk("3.5-7", "a cut within a tick leaves nothing to go on with", ["CONN-32", "MSG-1"], needs=RESUME).joined()
        .play(ContentMessage(101, [ContentChange(1, Content(background="#102030"))], [])).cut()
        .step(expect={"type": "hello", "capabilities": {"$without": RESUME}})
        .welcome(capabilities=0).snapshot(101, anew=True).acked().same())  # fmt: skip
    (talk("3.5-8", "animations go on over a cut", ["CONN-30", "ANIM-2"], needs=RESUME | ANIM, essential=True).joined()
        .play(Anim(101, [Start(1, 0, 40, "linear", Body(rows=[Row(3, 1, (40,))]))])).frame()
        .do({"shown": "c", "tick": 111}).hear("presence", among=["ack", "ping"], name="110 0 100 100")
        .cut().back().welcome(tick=106).frame(Body(), 4, 1).hash()
        .do({"shown": "c", "tick": 121}).hear("presence", among=["ack", "ping"], name="120 0 100 100").same())  # fmt: skip
    (talk("3.5-9", "it goes on in the session's new epoch", ["CONN-29", "CONN-30"], needs=RESUME).joined()
        .frame().cut().back().welcome(epoch=2, session="other", resumeToken="new", tick=104).frame(Body(rows=[Row(1, 1, (1,))]), 3).same()
        .cut().step(expect={"type": "hello", "resume": {"session": "other", "token": "new", "epoch": 2, "lastTick": 112}}))  # fmt: skip
    (talk("3.5-10", "a client waits as long as it was told", ["CONN-33"], level="should").joined()
        .send({"type": "error", "code": 4030, "retryable": True, "retryAfterMilliseconds": 1200, "text": "a trial"})
        .step(close=4030).step(reconnect={"from": 1100, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    second = {"alternates": {"urls": ["$second"]}}
    (talk("3.6-1", "after a cut the other address that welcome named is tried at once", ["CONN-34", "CONN-37"], level="should")
        .joined(**second).frame().moved(1000).back().welcome().snapshot().acked().same())  # fmt: skip
    (talk("3.6-2", "ops without a result are sent again at the other address, as the same client", ["CONN-35", "CONN-24"], level="should")
        .joined(**second).do(OPS).hear("ops", clientSequence=1).result(1).do(OTHERS).hear("ops", clientSequence=2)
        .moved().back().welcome().snapshot().hear("ops", clientSequence=2, ops=OTHERS).silence("ops").result(2)
        .do(OPS).hear("ops", clientSequence=3, ops=OPS).result(3).same())  # fmt: skip
    (talk("3.6-3", "a mirror is gone on with at the other address", ["CONN-35", "CONN-30"], level="should", needs=RESUME)
        .joined(**second).frame(Body(rows=[Row(1, 1, (4,))])).moved()
        .step(expect={"type": "hello", "resume": {"session": "s", "token": "secret", "epoch": 1, "lastTick": 101},
                      "capabilities": {"$with": RESUME}})
        .welcome(tick=150).frame(Body(rows=[Row(3, 2, (9,))]), 49, 1).same())  # fmt: skip
    (talk("3.6-4", "an address that refuses is passed over", ["CONN-34"], level="should")
        .joined(alternates={"urls": ["$refused", "$second"]}).moved(2000).back().welcome().snapshot().acked().same())  # fmt: skip
    plain = ["http://127.0.0.1:1/case", "ws://", {"$repeat": "w", "count": 600}, "ws://192.0.2.1:9/case", "$second"]
    (talk("3.6-5", "what is no address, or in the open where the user's is not, is passed over", ["CONN-38"], level="should")
        .joined(alternates={"urls": plain}).moved(2000).back().welcome().snapshot().acked().same())  # fmt: skip
    (talk("3.6-6", "another welcome's addresses come in place of those before", ["CONN-37"], level="should")
        .joined(**second).moved().back().welcome().snapshot().acked()
        .cut().back().welcome().snapshot().acked().cut().back().welcome().snapshot().acked().same())  # fmt: skip
    (talk("3.6-7", "where each address was tried the client waits", ["CONN-34", "CONN-33"], level="should")
        .joined(**second).step(close=1011).step(reconnect={"from": 0, "to": 1000, "at": "second"}).back()
        .step(close=1011).step(reconnect={"from": 150, "to": 2000}).back().welcome().snapshot().acked())  # fmt: skip
    (talk("3.6-8", "a silent server is pinged, and left for the other address", ["CONN-39"], level="should")
        .joined(**second).do(OPS).hear("ops", clientSequence=1).step(mute=True).hear("ping", within=4000)
        .step(reconnect={"from": 500, "to": 8000, "at": "second"}).back().welcome().snapshot()
        .hear("ops", clientSequence=1, ops=OPS).result(1).same())  # fmt: skip
    (talk("3.6-9", "a server at rest that answers pings is kept", ["CONN-39"], level="should")
        .joined(**second).silence("ops", "resync", milliseconds=7000).same())  # fmt: skip
    (talk("3.6-10", "after 4031 the address that ended is tried first", ["CONN-34"], level="should")
        .joined(**second).silence("resync", milliseconds=1100).step(close=4031)
        .step(reconnect={"from": 0, "to": 1000}).back().welcome().snapshot().acked().same())  # fmt: skip
    (talk("11.3-5", "after 4012 a client comes back without offering its mirror", ["CONN-32", "ERR-2"], needs=RESUME).joined()
        .step(close=4012).step(reconnect={"from": 150, "to": 4000})
        .step(expect={"type": "hello", "capabilities": {"$without": RESUME}, "resume": {"session": "s", "token": "secret"}})
        .welcome(capabilities=0).snapshot(110, anew=True).acked().same())  # fmt: skip
    refused = {"type": "result", "clientSequence": 1, "tick": 101, "outcome": "refused", "code": "forbidden", "message": "a trial",
               "opIndex": 0, "conflicting": []}  # fmt: skip
    (talk("6.1-2", "a client that was given a lesser role goes on, whether it sends ops or not", ["CONN-13"], essential=True)
        .joined(role="viewer").do(OPS).step(may={"type": "ops", "clientSequence": 1}, answer=refused, **{"for": 500})
        .frame(Body(rows=[Row(1, 1, (3,))])).same())  # fmt: skip
    (talk("6.8-1", "ops that are refused are not sent again", ["CONN-24", "MSG-9"], essential=True).joined()
        .do(OPS).hear("ops", clientSequence=1).send(refused).cut().back().welcome().snapshot().silence("ops")
        .do(OTHERS).hear("ops", clientSequence=2, ops=OTHERS))  # fmt: skip
    (talk("11.3-12", "after 1001 a client that was told nothing else comes back", ["FWD-5"], level="should").joined().step(close=1001)
        .step(reconnect={"from": 150, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    (talk("11.3-6", "after a code that is not known a client comes back", ["FWD-5"], level="should").joined().step(close=4999)
        .step(reconnect={"from": 150, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    talk("11.3-13", "after 1002 a client stays away", ["ERR-2"]).joined().step(close=1002).step(away=1500)
    for number, code in enumerate((4029, 4030, 4031), 14):
        (talk(f"11.3-{number}", f"after {code} a client comes back", ["ERR-2"]).joined().step(close=code)
            .step(reconnect={"from": 0, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    (talk("11.3-17", "after 4029 a client waits as long as it was told", ["CONN-33"], level="should").joined()
        .send({"type": "error", "code": 4029, "retryable": True, "retryAfterMilliseconds": 1200, "text": "a trial"})
        .step(close=4029).step(reconnect={"from": 1100, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    (talk("11.3-18", "after 1000 a client that was told nothing else comes back", ["FWD-5"], level="should").joined().step(close=1000)
        .step(reconnect={"from": 0, "to": 4000}).back().welcome().snapshot().acked())  # fmt: skip
    talk("11.3-7", "after 1009 a client stays away", ["ERR-2"]).joined().step(close=1009).step(away=1500)
    for number, code in enumerate((4000, 4003, 4009), 2):
        talk(f"11.3-{number}", f"after {code} a client stays away", ["ERR-2"]).joined().step(close=code).step(away=1500)
    for number, code in enumerate((4010, 4011, 1007, 4001), 8):
        (talk(f"11.3-{number}", f"after {code} a client stays away", ["ERR-2"], essential=True)
            .joined().step(close=code).step(away=1500))  # fmt: skip
    (talk("11.3-1", "after 4008 a client comes back", ["ERR-2", "CONN-22"]).joined().frame().step(close=4008)
        .step(reconnect={"from": 150, "to": 4000}).back().welcome().snapshot().acked().same())  # fmt: skip
    (talk("6.7-3", "a mirror that was refused is not used again until the snapshot", ["MSG-6", "MIR-3", "CONN-14", "ERR-1"], essential=True)
        .joined().hash(False).hear("resync", tick=100).frame().frame().frame().frame().frame().frame().frame().frame()
        .hash(False).silence("ack", "resync").snapshot(150, anew=True).acked().same())  # fmt: skip
    (talk("6.3-2", "a tick's messages come before its frame", ["MSG-2", "MIR-1", "MIR-2"]).joined()
        .send(Tree(99, []).to_json()).hear("resync").snapshot(100, anew=True).acked())  # fmt: skip
    (talk("6.15-2", "a keyframe of another tick is answered with resync", ["KEY-1"], needs=1 << 6).joined()
        .send(Keyframe(101, [0, 1, 2, 3, 4]).to_json()).hear("resync").snapshot(100, anew=True).acked())  # fmt: skip
    often = {"limits": {"unacknowledgedFrames": 4}}
    (talk("6.17-4", "where few acknowledgements may be owed each frame is acknowledged at once", ["MSG-14", "LIM-1"]).joined(**often)
        .frame().hear("ack", tick=101, within=700).frame().hear("ack", tick=102, within=700))  # fmt: skip
    (talk("6.17-5", "a frame that does not fit is not acknowledged", ["MIR-3", "MSG-14", "ERR-1"]).joined(**often)
        .frame().hear("ack", tick=101, within=700).send(Frame(102, 1, 1, Body(rows=[Row(9, 1, (1,))])).to_json())
        .hear("resync", among=["ping", "presence"]).send(Frame(103, 1, 1, Body()).to_json()).silence("ack", "resync", milliseconds=1300)
        .snapshot(103, anew=True).acked().same())  # fmt: skip
    (talk("7.2-4", "a frame between the chunks of a snapshot is answered with resync", ["SNAP-4", "ERR-1"]).joined()
        .send({**chunked, "chunkIndex": 0, "views": chunked["views"][:2]}).send(Frame(102, 1, 1, Body()).to_json()).hear("resync")
        .snapshot(102, anew=True).acked().same())  # fmt: skip
    (talk("7.2-5", "one who is lost passes over chunks of a snapshot that began before", ["CONN-14", "ERR-1"]).joined()
        .hash(False).hear("resync").send({**chunked, "chunkIndex": 1, "views": chunked["views"][2:]}).silence("resync", "ack")
        .snapshot(101, anew=True).acked().same())  # fmt: skip
    (talk("7.2-6", "before the first snapshot what else comes is passed over", ["ERR-1"]).hear("hello").welcome()
        .send(Frame(101, 1, 1, Body()).to_json()).silence("resync", "ack").snapshot().acked().same())  # fmt: skip
    (talk("6.18-2", "ops that are sent again have the tick that they had, whatever came since", ["CONN-24"]).joined()
        .do(OPS).hear("ops", clientSequence=1, baseTick=101, ops=OPS).frame().frame()
        .cut().back().welcome().snapshot().hear("ops", clientSequence=1, baseTick=101, ops=OPS))  # fmt: skip
    (talk("6.18-3", "a result of ops that were not sent changes nothing", ["CONN-24", "MSG-7"]).joined()
        .do(OPS).hear("ops", clientSequence=1).result(9).cut().back().welcome().snapshot().hear("ops", clientSequence=1, ops=OPS)
        .result(1).silence("ops"))  # fmt: skip
    (talk("3.5-11", "the epoch follows the first frame, not the welcome", ["CONN-30"], needs=RESUME).joined().frame()
        .cut().back().welcome(epoch=2, tick=104).cut().back().welcome(epoch=2, tick=104).frame(Body(rows=[Row(1, 1, (1,))]), 3)
        .same())  # fmt: skip
    (talk("6.17-3", "a frame is acknowledged within a second though no other follows", ["MSG-15"], level="should").joined()
        .frame().hear("ack", tick=101, within=2500))  # fmt: skip
    (talk("6.18-1", "ops have sequences from 1, and name the mirror's tick", ["MSG-16"], essential=True).joined()
        .do(OPS).hear("ops", clientSequence=1, baseTick=101, ops=OPS).result(1)
        .do(OTHERS).hear("ops", clientSequence=2, baseTick=102, ops=OTHERS).result(2).same())  # fmt: skip
    (talk("6.22-1", "undo and redo count with ops, and are sent again", ["CONN-24", "MSG-16"], needs=UNDO).joined()
        .do(OPS).hear("ops", clientSequence=1).result(1).do("undo").hear("undo", clientSequence=2)
        .cut().back().welcome().snapshot().hear("undo", clientSequence=2).silence("undo").result(2)
        .do("redo").hear("redo", clientSequence=3))  # fmt: skip
    (talk("6.12-2", "an animation shows its way", ["ANIM-1", "ANIM-2", "ANIM-5"], needs=ANIM).joined()
        .play(Anim(101, [Start(1, 10, 20, "linear", Body(rows=[Row(3, 1, (40,))]))])).frame().hash()
        .do({"shown": "c", "tick": 111}).hear("presence", among=["ack", "ping"], name="100 0 100 100")
        .do({"shown": "c", "tick": 121}).hear("presence", among=["ack", "ping"], name="120 0 100 100")
        .do({"shown": "c", "tick": 140}).hear("presence", among=["ack", "ping"], name="140 0 100 100").same())  # fmt: skip
    one = Body(rows=[Row(3, 1, (1,))])
    (talk("6.12-6", "halves of several animations of one view are rounded once", ["ANIM-2"], needs=ANIM).joined()
        .play(Anim(101, [Start(1, 0, 20, "linear", one), Start(2, 0, 20, "linear", one)])).frame()
        .shown("c", 111, "101 0 100 100").same())  # fmt: skip
    half_way = Start(1, 0, 40, "linear", Body(rows=[Row(3, 1, (40,))]))
    (talk("6.12-3", "a snapshot ends animations", ["SNAP-2", "ANIM-4"], needs=ANIM, essential=True).joined()
        .play(Anim(101, [half_way])).frame().shown("c", 121, "120 0 100 100").snapshot().acked()
        .shown("c", 122, "140 0 100 100").same())  # fmt: skip
    (talk("6.12-4", "of two animations with one id the first ends at once", ["ANIM-1"], needs=ANIM, essential=True).joined()
        .play(Anim(101, [half_way])).frame()
        .play(Anim(102, [Start(1, 0, 40, "linear", Body(rows=[Row(1, 2, (80,))]))])).frame()
        .shown("c", 121, "140 0 100 100").shown("a", 122, "0 40 100 100").same())  # fmt: skip
    (talk("6.12-5", "an animation that is cancelled is at its end", ["ANIM-4"], needs=ANIM, essential=True).joined()
        .play(Anim(101, [half_way, Start(2, 0, 40, "linear", Body(rows=[Row(1, 2, (80,))]))])).frame()
        .play(Anim(102, [Cancel(1)])).frame().shown("c", 121, "140 0 100 100").shown("a", 121, "0 40 100 100").same())  # fmt: skip
    gaps = Tree(101, [Remove(2), Add(9, "e", 1, (1, 2, 3, 4), Content(), 0)])
    (talk("6.15-3", "after a keyframe numbers are places", ["KEY-1"], needs=KEYFRAMES, essential=True).joined()
        .play(gaps).frame().play(Keyframe(101, [0, 1, 9, 3, 4]))
        .play(ContentMessage(102, [ContentChange(2, Content(background="#102030"))], []))
        .frame(Body([Group((5,), selection=Selection(2, (2, 3)), stores=True)])).hash()
        .play(Tree(103, [Move(3, 2, 0), Add(9, "f", 1, (0, 0, 1, 1), Content(), 1)])).frame(Body([Group((1,), slot=0)]))
        .same().ordered("a", "e", "f").ordered("e", "c").same())  # fmt: skip
    (talk("6.15-5", "a keyframe empties the ring, also where its numbers stay", ["KEY-1", "DIFF-9"], needs=KEYFRAMES).joined()
        .frame(Body([Group((4,), selection=PLACES, stores=True)])).play(Keyframe(101, [0, 1, 2, 3, 4]))
        .send(Frame(102, 1, 1, Body([Group((1,), slot=0)])).to_json()).hear("resync").snapshot(102).acked().same())  # fmt: skip
    (talk("6.15-6", "after a keyframe the next selection goes to slot 0", ["KEY-1", "DIFF-9"], needs=KEYFRAMES).joined()
        .frame(Body([Group((4,), selection=PLACES, stores=True)])).play(Keyframe(101, [0, 1, 2, 3, 4]))
        .frame(Body([Group((4,), selection=PLACES, stores=True)])).frame(Body([Group((1,), slot=0)])).same())  # fmt: skip
    (talk("6.15-4", "animations go on over a keyframe", ["KEY-1"], needs=KEYFRAMES | ANIM, essential=True).joined()
        .play(gaps).play(Anim(101, [Start(1, 0, 40, "linear", Body(rows=[Row(9, 1, (40,))]))])).frame()
        .play(Keyframe(101, [0, 1, 9, 3, 4])).shown("e", 121, "21 2 3 4").same())  # fmt: skip
    (talk("6.5-3", "siblings stand where they were put", ["MSG-4", "SNAP-1"], essential=True).joined()
        .ordered("root", "a", "c", "do")
        .play(Tree(102, [Add(9, "e", 0, (0, 0, 1, 1), Content(), 0), Add(10, "f", 0, (0, 0, 1, 1), Content(), 2)])).frame()
        .ordered("a", "b").ordered("root", "e", "a", "f", "c", "do")
        .play(Tree(105, [Move(9, 0, 3), Move(4, 0, 0), Move(2, 0, 2)])).frame()
        .ordered("a").ordered("root", "do", "a", "b", "f", "c", "e").same())  # fmt: skip
    (talk("6.22-2", "undo waits for a connection that grants it, and so do the ops behind it", ["CONN-24", "CONN-20", "MSG-16"],
          needs=UNDO).joined()
        .do(OTHERS).hear("ops", clientSequence=1).do("undo").hear("undo", clientSequence=2).do(OPS).hear("ops", clientSequence=3)
        .cut().back().welcome(capabilities=0).snapshot().hear("ops", clientSequence=1, ops=OTHERS).result(1).silence("undo", "ops")
        .do(OTHERS).silence("undo", "ops")
        .cut().back().welcome().snapshot().hear("undo", clientSequence=2).hear("ops", clientSequence=3, ops=OPS)
        .hear("ops", clientSequence=4, ops=OTHERS).silence("undo", "ops"))  # fmt: skip
    (talk("6.22-3", "undo that a connection does not grant is not sent, and holds nothing up", ["CONN-20", "CONN-24"], needs=UNDO)
        .joined().cut().back().welcome(capabilities=0).snapshot().do("undo").silence("undo")
        .do(OPS).hear("ops", ops=OPS).silence("undo"))  # fmt: skip
    phone = {"name": "phone", "columns": 0, "rows": 0, "viewport": {}}
    window = {"name": "", "columns": 80, "rows": 24, "viewport": {"scale": 2, "idiom": "terminal"}}
    (talk("17.5-1", "a device is asked for, and its state follows", ["DVC-12", "CONN-13"], needs=DEVICES, essential=True).joined()
        .do({"device": phone}).hear("device", **phone).device().snapshot(views=ON_PHONE).acked()
        .frame(Body(rows=[Row(1, 1, (4,))])).same()
        .do({"device": window}).hear("device", **window).device("", viewport=[640, 384]).snapshot(views=VIEWS).acked().same())  # fmt: skip
    (talk("17.5-2", "one who is back asks for the device again, and goes on with its mirror", ["DVC-20", "CONN-30"],
          needs=DEVICES | RESUME, essential=True).joined()
        .do({"device": phone}).hear("device", **phone).device().snapshot(views=ON_PHONE).acked()
        .cut().step(expect={"type": "hello", "device": phone, "capabilities": {"$with": DEVICES | RESUME},
                            "resume": {"session": "s", "token": "secret", "epoch": 1, "lastTick": 101}})
        .welcome(unitsPerPoint=2, viewport=[390, 844], scale=2).device().frame(Body(rows=[Row(3, 2, (9,))]), 49, 1).hash().same())  # fmt: skip
    (talk("17.5-3", "beyond the limit the nearest device is taken", ["DVC-15"], needs=DEVICES).joined()
        .do({"device": window}).hear("device", **window)
        .device("", "nearest", "the room serves 2 different devices already").snapshot(views=ON_PHONE).acked()
        .frame(Body(rows=[Row(1, 1, (4,))])).same())  # fmt: skip
    (talk("17.5-4", "a device that cannot be leaves the main one, and the state as it is", ["DVC-14"], needs=DEVICES).joined()
        .do({"device": {**phone, "name": "nobody"}}).hear("device", name="nobody")
        .device("", "main", "no such device", unitsPerPoint=1, viewport=[640, 384], scale=1)
        .frame(Body(rows=[Row(1, 1, (4,))])).same())  # fmt: skip
    (talk("17.5-5", "a device that the server takes back gives way to the main one", ["DVC-17", "CONN-13"], needs=DEVICES).joined()
        .do({"device": phone}).hear("device", **phone).device().snapshot(views=ON_PHONE).acked()
        .hash(False).hear("resync").device("", "main", "it takes too much", unitsPerPoint=1, viewport=[640, 384], scale=1)
        .silence("resync", "device", "ack").snapshot(102, views=VIEWS).acked().same())  # fmt: skip
    (talk("17.5-6", "a device is not asked for where that was not granted", ["CONN-20"], needs=DEVICES)
        .joined(capabilities=0).do({"device": phone}).silence("device").same())  # fmt: skip
    (talk("17.5-7", "ops that do not hold on a device are committed all the same", ["DVC-21", "CONN-24"], needs=DEVICES).joined()
        .do(OPS).hear("ops", clientSequence=1).result(1, devices={"names": ["phone", "390x844"]})
        .cut().back().welcome().snapshot().silence("ops").do(OTHERS).hear("ops", clientSequence=2, ops=OTHERS))  # fmt: skip
    # Before a server that remembers, `incarnation` is the same.
    live = {"incarnation": 7}
    on_a, on_b = {"event": {"kind": "tap", "view": "a"}}, {"event": {"kind": "input", "view": "b", "value": 0.25}}
    (talk("18.3-1", "events are counted, over all connections", ["EVT-11", "EVT-22"], needs=EVENTS, essential=True).joined(**live)
        .do(on_a).hear("event", eventSequence=1, to=0, kind="tap", view="a", value=None).results((1, "handled"))
        .do(on_b).hear("event", eventSequence=2, kind="input", view="b", value=0.25).results((2, "unhandled"))
        .told("result 1 handled", "result 2 unhandled")
        .again(**live).do(on_a).hear("event", eventSequence=3))  # fmt: skip
    (talk("18.3-2", "what has no result is sent again to a server that remembers the client, what has one is not", ["EVT-11", "EVT-9"],
          needs=EVENTS, level="should").joined(**live)
        .do(on_a).hear("event", eventSequence=1).do(on_b).hear("event", eventSequence=2).do(on_a).hear("event", eventSequence=3)
        .results((2, "handled")).again(**live)
        .hear("event", eventSequence=1, view="a").hear("event", eventSequence=3, view="a").silence("event")
        # In another epoch it may still be the same life of the room.
        .results((1, "handled")).cut().back().welcome(epoch=2, **live).snapshot(epoch=2).hear("event", eventSequence=3).silence("event")
        .results((3, "handled")).told("result 2 handled", "result 1 handled", "result 3 handled"))  # fmt: skip
    (talk("18.3-3", "a result counts once, and only for an event that waits for it", ["EVT-9"], needs=EVENTS).joined(**live)
        .do(on_a).hear("event", eventSequence=1).results((1, "handled")).results((1, "unhandled"), (9, "handled"))
        .told("result 1 handled").do(on_b).hear("event", eventSequence=2))  # fmt: skip
    (talk("18.3-4", "of what was sent to another incarnation nobody knows", ["EVT-11"], needs=EVENTS, level="should").joined(**live)
        .do(on_a).hear("event", eventSequence=1).again(incarnation=8).silence("event").told("result 1 unknown")
        .do(on_b).hear("event", eventSequence=2).cut().back().welcome(session="other", incarnation=8).snapshot().silence("event")
        .told("result 2 unknown").do(on_a).hear("event", eventSequence=3))  # fmt: skip
    (talk("18.3-5", "events are sent, answered and handled only where that was granted", ["CONN-20"], needs=EVENTS)
        .joined(capabilities=0).do(on_a).silence("event").do({"handle": ["a"]}).silence("handle", "event").same())  # fmt: skip
    can_tap = {"control": "button", "events": ["tap"], "enabled": True, "focusable": True, "selected": False, "continuous": False,
               "scrollsEach": False, "label": "", "role": "", "hint": "", "value": None, "minimum": 0, "maximum": 1, "step": 0,
               "placeholder": "", "segments": []}  # fmt: skip
    (talk("18.2-1", "what people can do does not enter the state hash", ["EVT-7"], needs=EVENTS).joined(**live)
        .send({"type": "interactions", "whole": True, "changes": [{"id": "a", "interaction": can_tap}]}).frame().same())  # fmt: skip
    (talk("18.4-1", "a handler names its subtrees, and answers each event", ["EVT-16"], needs=EVENTS, essential=True).joined(**live)
        .do({"handle": ["a", "c"]}).hear("handle", roots=["a", "c"])
        .event(1).event(2, "b", kind="input", value="Ada").told("event 1 tap a", "event 2 input b")
        .answer(1, True).answer(2, False).do({"handle": []}).hear("handle", roots=[]))  # fmt: skip
    (talk("18.4-2", "one who is back handles the same, and answers again what was answered", ["EVT-17", "EVT-18"],
          needs=EVENTS).joined(**live)
        .do({"handle": ["a"]}).hear("handle", roots=["a"]).event(1).event(2).event(3).answer(1, True).answer(2, False)
        .again(**live).hear("handle", roots=["a"])
        .event(1).hear("handled", answers=[{"sequence": 1, "handled": True}])
        .event(2).hear("handled", answers=[{"sequence": 2, "handled": False}])
        .event(3).event(4).told("event 1 tap a", "event 2 tap a", "event 3 tap a", "event 4 tap a"))  # fmt: skip
    (talk("18.4-3", "what was not answered before a cut is answered after it, once", ["EVT-17", "EVT-18", "EVT-16"], needs=EVENTS)
        .joined(**live).do({"handle": ["a"]}).hear("handle").event(1).event(2)
        .again(**live).hear("handle", roots=["a"]).event(1).event(2).silence("handled")
        .told("event 1 tap a", "event 2 tap a").answer(1, True).answer(2, False)
        .do({"answer": True}).silence("handled"))  # fmt: skip
    (talk("18.4-4", "another incarnation counts anew, and hears nothing of events of the one before", ["EVT-18"], needs=EVENTS)
        .joined(**live).do({"handle": ["a"]}).hear("handle").event(5).event(6).answer(5, True)
        .again(incarnation=8).hear("handle", roots=["a"]).event(1).event(5, "c")
        .told("event 5 tap a", "event 6 tap a", "event 1 tap a", "event 5 tap c")
        # The oldest without an answer is the other server's.
        .do({"answer": True}).silence("handled").answer(1, False).answer(5, True))  # fmt: skip
    (talk("18.4-5", "an event whose number is not above the last is passed over", ["EVT-18", "EVT-16"], needs=EVENTS).joined(**live)
        .do({"handle": ["a"]}).hear("handle").event(1).event(1).event(3).event(2).silence("handled")
        .told("event 1 tap a", "event 3 tap a").answer(1, True).answer(3, False).event(4).answer(4, True))  # fmt: skip
    (talk("18.4-6", "what is handled is said as soon as that is granted", ["EVT-17", "CONN-24"], needs=EVENTS)
        .joined(capabilities=0).do({"handle": ["a"]}).silence("handle").again(**live).hear("handle", roots=["a"]))  # fmt: skip
    (talk("18.5-1", "messages come without being asked for; those to everyone need no answer", ["EVT-20", "EVT-21"], needs=EVENTS)
        .joined(**live).event(0, "", kind="message", value={"all": True}).event(0, "", kind="message")
        .event(1, "", kind="message", value="you").told("event 0 message ", "event 0 message ", "event 1 message ")
        .do({"answer": True}).silence("handled").do({"answer": False}).silence("handled").answer(1, True))  # fmt: skip
    (talk("8.2-3", "differences are added to what a slot was used with last", ["DIFF-6", "DIFF-10"]).joined()
        .frame(Body([Group((4,), selection=PLACES, stores=True)])).frame(Body([Group((3,), slot=0)], cites_differences=True))
        .frame(Body([Group((-2,), slot=0)], cites_differences=True)).same())  # fmt: skip
    (talk("9-1", "more changed views than there are lead to a resync", ["DIFF-8"]).joined()
        .send(Frame(101, 1, 1, Body([Group((1,), selection=Selection(1, (0, 1, 2, 3, 4, 5)))])).to_json())
        .hear("resync").snapshot(100, anew=True).acked())  # fmt: skip
    return [each.data for each in out]


SCENE = {
    "scene": 1, "viewport": {"width": 400, "height": 300}, "views": [{"id": "a"}],
    "constraints": ["a.leading == root.leading", "a.top == root.top", "a.height == 100", {"id": "w", "rule": "a.width == 100"}],
}  # fmt: skip


#: The scene with two devices: one finer than the main one, one too narrow for what the main one takes.
DEVICES_SCENE = {
    **SCENE, "devices": {"phone": {"width": 390, "height": 844, "scale": 3}, "watch": {"width": 160, "height": 190}},
    "constraints": [*SCENE["constraints"], "a.trailing <= root.trailing"],
}  # fmt: skip
PHONE = {"name": "phone", "columns": 0, "rows": 0, "viewport": {}}


class Visit:
    """A dialogue with a server under test."""

    def __init__(self, id: str, name: str, rules: list[str], **fields: Any) -> None:
        self.data: dict[str, Any] = {"id": id, "name": name, "rules": rules, "level": "required", **fields, "steps": []}

    def step(self, **step: Any) -> Visit:
        self.data["steps"].append(step)
        return self

    def connect(self, on: str = "a", format: str = "scenesync.v1.bin", **fields: Any) -> Visit:
        return self.step(on=on, connect=format, **fields)

    def send(self, type: str, on: str = "a", **fields: Any) -> Visit:
        return self.step(on=on, send={"type": type, **fields})

    def hello(self, on: str = "a", **fields: Any) -> Visit:
        hello = {"capabilities": 0, "token": "", "room": "", "role": "editor", "unitsPerPoint": 0, "roots": [],
                 "frameRateMaximum": 0, **fields}  # fmt: skip
        return self.send("hello", on, **hello)

    def hear(self, type: str, on: str = "a", **fields: Any) -> Visit:
        among = ["presence", "frame", "tree", "content", "anim", "hash", "select", "snapshot", "diagnostics", "result", "error",
                 "interactions"]  # fmt: skip
        return self.step(on=on, expect={"type": type, **fields}, among=[name for name in among if name != type])

    def join(self, on: str = "a", format: str = "scenesync.v1.bin", **hello: Any) -> Visit:
        self.connect(on, format).hello(on, **hello)
        return self.step(on=on, expect={"type": "welcome", "session": {"$save": f"{on}.session"}, "resumeToken": {"$save": f"{on}.token"},
                                        "epoch": {"$save": f"{on}.epoch"}}, among=[]).hear("snapshot", on)  # fmt: skip

    def ops(self, sequence: int, *ops: dict[str, Any], on: str = "a", atomic: bool = False) -> Visit:
        return self.send("ops", on, clientSequence=sequence, baseTick=0, undoGroup=0, atomic=atomic, ops=list(ops))

    def committed(self, sequence: int, on: str = "a", **fields: Any) -> Visit:
        return self.step(on=on, expect={"type": "result", "clientSequence": sequence, "outcome": "committed", **fields}, among=STATE)

    def refused(self, sequence: int, code: str, on: str = "a", **fields: Any) -> Visit:
        return self.step(on=on, expect={"type": "result", "clientSequence": sequence, "outcome": "refused", "code": code, **fields},
                         among=STATE)  # fmt: skip

    def alive(self, on: str = "a") -> Visit:
        return self.send("ping", on, t0=77).hear("pong", on, t0=77)


ASKS = {"device": "phone", "idle": False, "handRaised": True, "spotlight": True}
STATE = ["presence", "frame", "tree", "content", "anim", "hash", "select", "snapshot", "diagnostics", "interactions"]


def tap(sequence: int, view: str = "x", **fields: Any) -> dict[str, Any]:
    return {"eventSequence": sequence, "to": 0, "kind": "tap", "view": view, "tick": 0, "place": [1, 2], "modifiers": 0,
            "value": None, **fields}  # fmt: skip


def outcomes(*results: tuple[int, str] | tuple[int, str, str]) -> list[dict[str, Any]]:
    """Results as a client is told them: number, outcome, and the code of a refusal."""
    return [{"eventSequence": each[0], "outcome": each[1], "code": each[2] if len(each) > 2 else ""} for each in results]


def resumed(**fields: Any) -> dict[str, Any]:
    return {"session": "$a.session", "token": "$a.token", "epoch": "$a.epoch", "lastTick": "$mirrorTick", **fields}


def width(value: float) -> dict[str, Any]:
    return {"op": "setConstraint", "id": "w", "constant": value}


def servers() -> list[dict[str, Any]]:
    out: list[Visit] = []

    def visit(*arguments: Any, **fields: Any) -> Visit:
        out.append(Visit(*arguments, **fields))
        return out[-1]

    for format in ("scenesync.v1.bin", "scenesync.v1.json"):
        kind = format[-4:].strip(".")
        (visit(f"3.2-5{kind}", f"one welcome, then the state, {kind}", ["CONN-12", "SNAP-1", "SNAP-3"])
            .connect(format=format).hello().step(on="a", expect={"type": "welcome", "capabilities": 0, "role": "editor"}, among=[])
            .step(on="a", expect={"type": "snapshot", "chunkIndex": 0}, among=[]).alive()
            .step(on="a", silence=["welcome"], **{"for": 300}))  # fmt: skip
    visit("3.1-8", "a path that is no id closes with 4004", ["CONN-1"]).connect(path="/no%20room").step(on="a", closed=[4004])
    (visit("6.16-1", "a room in hello that is not the URL's closes with 4004", ["MSG-13"]).connect().hello(room="elsewhere")
        .step(on="a", closed=[4004]))  # fmt: skip
    for bit, (type, fields) in enumerate([
        ("undo", {"clientSequence": 1}), ("redo", {"clientSequence": 1}), ("subscribe", {"roots": ["a"], "frameRateMaximum": 0}),
        ("seek", {"live": False, "tick": 0, "speed": 0}), ("trace", {"enabled": True, "watch": []}),
        ("inspect", {"request": 1, "document": False, "views": []}),
        ("device", {"name": "", "columns": 40, "rows": 20, "viewport": {}}), ("handle", {"roots": []}),
        ("follow", {"enabled": True}),
    ]):  # fmt: skip
        (visit(f"3.4-{bit + 3}", f"{type} without its capability is answered with 4005, and the connection goes on",
               ["CONN-19", "CONN-20", "CONN-21"]).join().send(type, **fields).hear("error", code=4005).alive())  # fmt: skip
    (visit("3.5-5", "a session is known again, and what it sent twice is applied once", ["CONN-22", "CONN-25", "MSG-7"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1).ops(2, {"op": "addView", "id": "x"}).committed(2)
        .ops(2, {"op": "addView", "id": "x"}).committed(2, refusals=[])
        .connect("b").hello("b", resume=resumed()).hear("welcome", "b", session="$a.session")
        .ops(2, {"op": "addView", "id": "x"}, on="b").committed(2, "b", refusals=[])
        .ops(1, {"op": "setScene", **SCENE}, on="b").committed(1, "b")
        .ops(3, {"op": "removeView", "id": "x"}, on="b").committed(3, "b", refusals=[]))  # fmt: skip
    (visit("3.5-6", "a token that is wrong makes another session, which knows no sequence", ["CONN-22", "CONN-23", "CONN-25"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1)
        .connect("b").hello("b", resume=resumed(token="wrong")).hear("welcome", "b", session={"$save": "b.session"})
        .ops(1, {"op": "addView", "id": "y"}, on="b").committed(1, "b").ops(2, {"op": "removeView", "id": "y"}, on="b").committed(2, "b"))  # fmt: skip
    (visit("3.5-7", "without capability 7 a snapshot comes to one who is back", ["CONN-28"]).join().alive()
        .connect("b").hello("b", resume=resumed()).hear("welcome", "b").step(on="b", expect={"type": "snapshot"}, among=[]))  # fmt: skip
    (visit("6.18-5", "sequences may leave numbers out, and do not go back", ["MSG-16", "CONN-25"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1).ops(5, width(120)).committed(5).ops(3, width(150)).refused(3, "conflict")
        .ops(6, width(130)).committed(6).step(on="a", state={"a": [0, 0, 130, 100]}))  # fmt: skip
    (visit("6.18-8", "several messages of one client are decided in their order", ["WORK-2", "MSG-17"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, width(120)).ops(3, width(130)).ops(4, width(140)).ops(5, {"op": "addView", "id": "n"}).ops(6, {"op": "removeView", "id": "n"})
        .step(on="a", expect={"type": "result", "clientSequence": 6, "outcome": "committed", "refusals": []}, among=[*STATE, "result"])
        .step(on="a", state={"a": [0, 0, 140, 100]}))  # fmt: skip
    (visit("6.22-3", "setScene cannot be taken back, and drops the steps before it", ["UNDO-3"]).connect().hello(capabilities=UNDO)
        .hear("welcome").hear("snapshot").ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, width(120)).committed(2).ops(3, {"op": "setScene", **SCENE}).committed(3)
        .send("undo", clientSequence=4).refused(4, "conflict").step(on="a", state={"a": [0, 0, 100, 100]}))  # fmt: skip
    (visit("6.24-3", "other roots come with a snapshot", ["SUB-2", "SUB-1"]).connect().hello(capabilities=1 << 3)
        .hear("welcome").hear("snapshot").ops(1, {"op": "setScene", **SCENE}).committed(1)
        .send("subscribe", roots=["a"], frameRateMaximum=0).hear("snapshot")
        .send("subscribe", roots=[], frameRateMaximum=0).hear("snapshot"))  # fmt: skip
    (visit("6.25-3", "a speed and a tick beyond their ends count as the ends", ["SEEK-3"]).connect().hello(capabilities=1 << 4)
        .hear("welcome").hear("snapshot").ops(1, {"op": "setScene", **SCENE}).committed(1)
        .send("seek", live=False, tick=1_000_000_000, speed=5000).hear("snapshot")
        .send("seek", live=True, tick=0, speed=0).hear("snapshot").step(on="a", state={"a": [0, 0, 100, 100]}))  # fmt: skip
    (visit("3.5-8", "an animation that began while a client was away comes as frames", ["CONN-31"]).join("b")
        .connect("a").hello("a", capabilities=ANIM).hear("welcome", "a", session={"$save": "a.session"},
                                                                   resumeToken={"$save": "a.token"}, epoch={"$save": "a.epoch"})
        .hear("snapshot", "a").ops(1, {"op": "setScene", **SCENE}, on="b").committed(1, "b")
        .step(on="a", state={"a": [0, 0, 100, 100]}).step(on="a", close=1000)
        .ops(2, {"op": "animate", "duration": 2, "ops": [width(200), {"op": "layoutIfNeeded"}]}, on="b").committed(2, "b")
        .connect("c").hello("c", capabilities=ANIM, resume=resumed()).hear("welcome", "c")
        .step(on="c", silence=["anim"], **{"for": 400}))  # fmt: skip
    (visit("6.18-6", "ops of a message apply one after the other", ["MSG-17", "OP-1"]).join().ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, width(120), {"op": "addView", "id": "n", "parent": "a"}, width(140)).committed(2, refusals=[])
        .step(on="a", state={"a": [0, 0, 140, 100]}))  # fmt: skip
    (visit("6.8-3", "each op that is wrong is refused alone, and the message is committed", ["MSG-9", "MSG-18", "REF-1"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1).ops(2, {"op": "removeView", "id": "nobody"}, {"op": "nonsense"})
        .committed(2, refusals=[{"code": "unknown-view", "opIndex": 0}, {"code": "bad-op", "opIndex": 1}]))  # fmt: skip
    (visit("6.8-4", "a message of one op that is wrong is refused", ["MSG-9"]).join().ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, {"op": "removeView", "id": "nobody"}).refused(2, "unknown-view", opIndex=0))  # fmt: skip
    (visit("6.8-5", "ops that are no list are refused", ["MSG-9", "OP-1"]).join()
        .send("ops", clientSequence=1, baseTick=0, undoGroup=0, atomic=False, ops={"op": "layoutIfNeeded"}).refused(1, "bad-op").alive())  # fmt: skip
    (visit("13-3", "a text above its limit is refused with limit", ["LANG-2", "DOC-5"]).join().ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, {"op": "addView", "id": "t", "kind": "label", "text": {"$repeat": "x", "count": 70_000}}).refused(2, "limit", tick=0).alive())  # fmt: skip
    (visit("6.18-7", "an atomic message leaves nothing where one op is refused", ["MSG-18", "OP-10", "OP-8"]).join()
        .ops(1, {"op": "setScene", **SCENE}).committed(1)
        .ops(2, width(170), {"op": "addConstraint", "rule": "a.width == 5"}, atomic=True).refused(2, "unsatisfiable", opIndex=1)
        .ops(3, {"op": "addView", "id": "z"}).committed(3).step(on="a", state={"a": [0, 0, 100, 100], "z": [0, 0, 0, 0]}))  # fmt: skip
    (visit("3.3-2", "all who are in step see the same", ["CONN-12", "MSG-1", "MSG-2"]).join().join("b", "scenesync.v1.json", role="viewer")
        .ops(1, {"op": "setScene", **SCENE}).committed(1).ops(2, width(150)).committed(2)
        .step(on="a", state={"a": [0, 0, 150, 100]}).step(on="b", state={"a": [0, 0, 150, 100]})
        .ops(1, width(160), on="b").refused(1, "forbidden", "b"))  # fmt: skip
    (visit("6.11-3", "a member is told its number, and its presence goes to all under that", ["MSG-21", "MSG-22"])
        .connect("a").hello("a").step(on="a", expect={"type": "welcome", "client": {"$save": "number"}}, among=[]).hear("snapshot")
        .join("b").send("presence", client=0, clock=5, gone=False, name="ann", selection=[])
        .step(on="b", expect={"type": "presence", "name": "ann", "client": "$number"}, among=STATE)
        .step(on="a", expect={"type": "presence", "name": "ann", "client": "$number"}, among=STATE))  # fmt: skip
    (visit("6.11-2", "an older word of presence is ignored", ["MSG-11"]).join().join("b")
        .send("presence", client=0, clock=5, gone=False, name="new", selection=[])
        .step(on="b", expect={"type": "presence", "name": "new", "clock": 5}, among=["presence", "frame", "hash", "select"])
        .send("presence", client=0, clock=4, gone=False, name="old", selection=[])
        .step(on="b", silence=["presence"], **{"for": 400}))  # fmt: skip
    (visit("6.11-4", "a spotlight is passed on of an editor alone, a raised hand of all", ["MSG-23"]).join().join("b", role="viewer")
        .send("presence", "b", client=0, clock=1, gone=False, name="watcher", selection=[], awareness=ASKS)
        .step(on="a", expect={"type": "presence", "name": "watcher", "awareness": {**ASKS, "spotlight": False}}, among=STATE)
        .send("presence", client=0, clock=1, gone=False, name="editor", selection=[], awareness=ASKS)
        .step(on="b", expect={"type": "presence", "name": "editor", "awareness": ASKS}, among=STATE))  # fmt: skip
    (visit("6.20-1", "each ping has its pong", ["MSG-20"]).join().send("ping", t0=1).hear("pong", t0=1).send("ping", t0="9007199254740993")
        .hear("pong", t0="9007199254740993"))  # fmt: skip
    def on_devices(*arguments: Any) -> Visit:
        """A room with devices, whose first member may ask for them."""
        # Who did not ask is told all the same what there is.
        return visit(*arguments, needs=DEVICES).join(capabilities=DEVICES).step(
            on="a", expect={"type": "device", "name": "", "fit": "exact", "reason": ""}, among=STATE).ops(1, {"op": "setScene", **DEVICES_SCENE}).committed(1).step(
            on="a", state={"a": [0, 0, 100, 100]})  # fmt: skip

    granted = {"name": "phone", "fit": "exact", "reason": "", "unitsPerPoint": 3, "scale": 3, "viewport": [390, 844],
               "names": ["phone", "watch"]}  # fmt: skip
    (on_devices("17.5-1", "a device is given, with its state in its unit, and nobody else sees anything of it",
                ["DVC-12", "DVC-13", "DVC-17"]).join("b")
        .send("device", **PHONE).step(on="a", expect={"type": "device", **granted}, among=STATE)
        .hear("snapshot").step(on="a", state={"a": [0, 0, 300, 300], "root": [0, 0, 1170, 2532]})
        .step(on="b", silence=["snapshot", "frame", "device"], **{"for": 400})
        .ops(2, width(120)).committed(2).step(on="a", state={"a": [0, 0, 360, 300]}).step(on="b", state={"a": [0, 0, 120, 100]})
        .hear("hash").step(on="b", expect={"type": "hash"}, among=STATE)
        .send("device", **{**PHONE, "name": ""}).step(on="a", expect={"type": "device", "name": "", "fit": "exact"}, among=STATE)
        .step(on="a", state={"a": [0, 0, 120, 100]}))  # fmt: skip
    (on_devices("17.5-2", "who asks in hello gets no frame of another device first", ["DVC-18", "DVC-17"])
        .connect("b").hello("b", capabilities=DEVICES, device=PHONE)
        .step(on="b", expect={"type": "welcome", "capabilities": DEVICES, "unitsPerPoint": 3, "viewport": [390, 844]}, among=[])
        .step(on="b", expect={"type": "device", **granted}, among=[]).step(on="b", expect={"type": "snapshot"}, among=[])
        .step(on="b", state={"a": [0, 0, 300, 300]}).alive("b"))  # fmt: skip
    (on_devices("17.5-3", "what cannot be is answered with the main device", ["DVC-14"])
        .send("device", **{**PHONE, "name": "nobody"}).step(on="a", expect={"type": "device", "fit": "main", "unitsPerPoint": 1}, among=STATE)
        .send("device", **{**PHONE, "viewport": {"idiom": "toaster"}}).step(on="a", expect={"type": "device", "fit": "main"}, among=STATE)
        .send("device", name="", columns=4_000_000_000, rows=1, viewport={})
        .step(on="a", expect={"type": "device", "fit": "main"}, among=STATE).alive())  # fmt: skip
    (on_devices("17.5-4", "of several requests the last counts", ["DVC-13"])
        .send("device", **{**PHONE, "name": "watch"}).send("device", **PHONE).send("device", name="", columns=40, rows=20, viewport={"scale": 2})
        .step(on="a", state={"root": [0, 0, 640, 640], "a": [0, 0, 200, 200]}).alive()
        .step(on="a", silence=["device", "snapshot"], **{"for": 400}))  # fmt: skip
    (on_devices("17.5-5", "what does not hold on a device is committed, and its result names the device", ["DVC-21", "DVC-5"])
        .join("b", capabilities=DEVICES).step(on="b", expect={"type": "device", "fit": "exact"}, among=STATE)
        .send("device", **{**PHONE, "name": "watch"}).step(on="a", expect={"type": "device", "fit": "exact"}, among=STATE)
        .step(on="a", state={"a": [0, 0, 100, 100]})
        .ops(1, {"op": "setConstraint", "id": "w", "constant": 300}, on="b")
        .step(on="b", expect={"type": "result", "clientSequence": 1, "outcome": "committed", "refusals": [], "devices": {"names": ["watch"]}},
              among=STATE)
        .step(on="b", state={"a": [0, 0, 300, 100]})
        .ops(2, {"op": "setConstraint", "id": "w", "constant": 90}, on="b").committed(2, "b").step(on="a", state={"a": [0, 0, 90, 100]}))  # fmt: skip
    (on_devices("17.5-6", "members of one device see the same, in either format", ["DVC-16"])
        .connect("b", "scenesync.v1.json").hello("b", capabilities=DEVICES, device=PHONE).hear("welcome", "b")
        .step(on="b", expect={"type": "device", **granted}, among=[]).hear("snapshot", "b")
        .connect("c").hello("c", capabilities=DEVICES, device={**PHONE, "name": "", "viewport": {"width": 390.2, "height": 844, "scale": 3}})
        .hear("welcome", "c").step(on="c", expect={"type": "device", "name": "", "fit": "exact", "viewport": [390, 844]}, among=[])
        .hear("snapshot", "c").ops(2, width(130)).committed(2)
        .step(on="b", state={"a": [0, 0, 390, 300]}).step(on="c", state={"a": [0, 0, 390, 300]}))  # fmt: skip
    (on_devices("17.5-7", "without extension 2 one who is back has the main device", ["DVC-20"])
        .send("device", **PHONE).step(on="a", state={"a": [0, 0, 300, 300]})
        .connect("b").hello("b", capabilities=DEVICES, resume=resumed()).hear("welcome", "b", session="$a.session", unitsPerPoint=1)
        .hear("snapshot", "b").step(on="b", state={"a": [0, 0, 100, 100]}))  # fmt: skip
    def scrolling(*arguments: Any) -> Visit:
        """A room with a scroll view that fills a screen whose upper edge and lower edge are covered, and one that has no insets."""
        scene = {**SCENE, "viewport": {**SCENE["viewport"], "safeArea": [20, 0, 10, 0]},
                 "views": [{"id": "a"}, {"id": "s", "kind": "scroll"}, {"id": "t", "parent": "s"}, {"id": "u", "kind": "scroll"}],
                 "constraints": [*SCENE["constraints"], "H:|[s]|", "V:|[s]|", "s.leading == t.leading", "s.trailing == t.trailing",
                                 "s.top == t.top", "s.bottom == t.bottom", "t.width == s.width", "t.height == 900",
                                 "u.leading == root.leading", "u.top == root.top + 100", "u.width == 50", "u.height == 50"],
                 "devices": {"small": {"width": 300, "height": 200, "scale": 2, "safeArea": [0, 0, 0, 0]}}}  # fmt: skip
        return visit(*arguments, needs=INSETS).join(capabilities=0).ops(1, {"op": "setScene", **scene}).committed(1)

    def insets(whole: bool, *changes: tuple[str, list[int]]) -> dict[str, Any]:
        return {"type": "insets", "whole": whole, "changes": [{"id": view, "inset": edges} for view, edges in changes]}

    (scrolling("17.6-1", "insets come whole after the state, then as they change, and the state hash knows nothing of them",
               ["AREA-17", "AREA-18", "AREA-19"])
        .join("b", capabilities=INSETS).step(on="b", expect=insets(True, ("s", [20, 0, 10, 0])), among=STATE)
        .ops(2, {"op": "setView", "id": "s", "contentOffset": [0, 5]}).committed(2)
        .ops(3, {"op": "setView", "id": "s", "contentInset": [1, 2, 3, 4]}).committed(3)
        .step(on="b", expect=insets(False, ("s", [21, 2, 13, 4])), among=STATE)
        # That of the first offset may have come before the insets.
        .ops(4, {"op": "setView", "id": "s", "contentOffset": [0, 6]}).committed(4)
        .step(on="b", expect={"type": "hash"}, among=STATE)
        .join("c", "scenesync.v1.json", capabilities=INSETS).step(on="c", expect=insets(True, ("s", [21, 2, 13, 4])), among=STATE)
        .ops(5, {"op": "removeView", "id": "s"}).committed(5)
        .step(on="c", expect=insets(False, ("s", [0, 0, 0, 0])), among=STATE).alive("c"))  # fmt: skip
    (scrolling("17.6-2", "without the capability, and without insets, nothing is told", ["AREA-17"])
        .join("b", capabilities=INSETS).step(on="b", expect=insets(True, ("s", [20, 0, 10, 0])), among=STATE)
        .ops(2, {"op": "setViewport", "safeArea": [0, 0, 0, 0]}).committed(2)
        .step(on="b", expect=insets(False, ("s", [0, 0, 0, 0])), among=STATE)
        .join("c", capabilities=INSETS).step(on="c", silence=["insets"], **{"for": 400}).alive("c")
        .step(on="a", silence=["insets"], **{"for": 10}).alive())  # fmt: skip
    (scrolling("17.6-3", "insets are those of the member's device, and of the present", ["AREA-17", "AREA-18"])
        .join("b", capabilities=INSETS | DEVICES | SEEK).step(on="b", expect=insets(True, ("s", [20, 0, 10, 0])), among=[*STATE, "device"])
        .ops(2, {"op": "setView", "id": "u", "contentInset": [0, 1, 0, 0]}).committed(2)
        .step(on="b", expect=insets(False, ("u", [0, 1, 0, 0])), among=[*STATE, "device"])
        .send("device", "b", name="small", columns=0, rows=0, viewport={}).step(on="b", expect={"type": "device", "fit": "exact"}, among=STATE)
        .hear("snapshot", "b").step(on="b", expect=insets(True, ("u", [0, 2, 0, 0])), among=STATE)
        .send("seek", "b", tick=1_000_000_000, live=False, speed=0).hear("snapshot", "b")
        .ops(3, {"op": "setView", "id": "u", "contentInset": [0, 3, 0, 0]}).committed(3)
        .step(on="b", silence=["insets"], **{"for": 400})
        .send("seek", "b", tick=0, live=True, speed=0).hear("snapshot", "b")
        .step(on="b", expect=insets(True, ("u", [0, 6, 0, 0])), among=STATE).alive("b"))  # fmt: skip
    def annotated(*arguments: Any, **fields: Any) -> Visit:
        """A room in which an editor, a, is told what people say."""
        return (visit(*arguments, needs=ANNOTATIONS, **fields).join(capabilities=ANNOTATIONS | UNDO)
            .step(on="a", expect={"type": "annotations", "whole": True}, among=STATE)
            .ops(1, {"op": "setScene", **SCENE}).committed(1))  # fmt: skip

    def annotation(kind: str, id: str, value: dict[str, Any] | None) -> dict[str, Any]:
        return {"type": "annotations", "whole": False, "changes": [{"kind": kind, "id": id, "value": value}]}

    lock, unlock = {"op": "lock", "view": "a", "note": "mine", "seconds": 0}, {"op": "unlock", "view": "a"}
    told = ["annotations", *STATE]
    (annotated("19.2-1", "what people say comes whole after the state, then as it changes", ["NOTE-6", "NOTE-7"])
        .ops(2, {"op": "addVersion", "name": "19.2-1", "note": "n"})
        .step(on="a", expect=annotation("version", "19.2-1", {"name": "19.2-1", "note": "n"}), among=["result", *STATE])
        .join("b", "scenesync.v1.json", capabilities=ANNOTATIONS).step(on="b", expect={"type": "annotations", "whole": True}, among=STATE)
        .ops(3, {"op": "removeVersion", "name": "19.2-1"}).step(on="b", expect=annotation("version", "19.2-1", None), among=STATE)
        .join("c", capabilities=0).ops(4, {"op": "addVersion", "name": "19.2-1"}).ops(5, {"op": "removeVersion", "name": "19.2-1"})
        .step(on="c", silence=["annotations"], **{"for": 300}).alive("c"))  # fmt: skip
    (annotated("19.1-1", "annotation ops stand in messages of their own", ["NOTE-1"])
        .ops(2, {"op": "setView", "id": "a", "hidden": True}, {"op": "addVersion", "name": "x"}, atomic=True).step(
            on="a", expect={"type": "result", "clientSequence": 2, "outcome": "refused", "code": "bad-op"}, among=told)
        .ops(3, {"op": "addVersion", "name": "x"}, {"op": "setView", "id": "a", "hidden": True}, atomic=True).step(
            on="a", expect={"type": "result", "clientSequence": 3, "outcome": "refused", "code": "bad-op"}, among=told).alive())  # fmt: skip
    (annotated("19.1-2", "they are no step to undo, and change no hash", ["NOTE-2"])
        .ops(2, {"op": "setConstraint", "id": "w", "constant": 70}).committed(2).step(on="a", state={"a": [0, 0, 70, 100]})
        .ops(3, {"op": "addVersion", "name": "19.1-2"}).step(
            on="a", expect={"type": "result", "clientSequence": 3, "outcome": "committed"}, among=told)
        .send("undo", clientSequence=4).step(on="a", expect={"type": "result", "clientSequence": 4, "outcome": "committed"}, among=told)
        .step(on="a", state={"a": [0, 0, 100, 100]}).ops(5, {"op": "removeVersion", "name": "19.1-2"})
        .step(on="a", expect={"type": "result", "clientSequence": 5, "outcome": "committed"}, among=told))  # fmt: skip
    (annotated("19.3-1", "a version comes back whole, and is taken back unless others have changed the scene", ["NOTE-9", "UNDO-5"])
        .ops(2, {"op": "addVersion", "name": "19.3-1"}).step(
            on="a", expect={"type": "result", "clientSequence": 2, "outcome": "committed"}, among=told)
        .ops(3, {"op": "setConstraint", "id": "w", "constant": 70}).committed(3).step(on="a", state={"a": [0, 0, 70, 100]})
        .ops(4, {"op": "restoreVersion", "name": "19.3-1"}).committed(4).step(on="a", state={"a": [0, 0, 100, 100]})
        .send("undo", clientSequence=5).committed(5).step(on="a", state={"a": [0, 0, 70, 100]})
        .send("redo", clientSequence=6).committed(6).step(on="a", state={"a": [0, 0, 100, 100]})
        .join("b").ops(1, {"op": "setConstraint", "id": "w", "constant": 80}, on="b").committed(1, "b")
        .send("undo", clientSequence=7).refused(7, "conflict").step(on="a", state={"a": [0, 0, 80, 100]})
        .ops(8, {"op": "restoreVersion", "name": "19.3-1"}, {"op": "removeVersion", "name": "19.3-1"}).step(
            on="a", expect={"type": "result", "clientSequence": 8, "outcome": "committed", "refusals": [{"opIndex": 0, "code": "bad-op"}]}, among=told)
        .ops(9, {"op": "restoreVersion", "name": "19.3-1"}).refused(9, "unknown-version"))  # fmt: skip
    (annotated("19.1-3", "what one has locked is refused to others, in subtrees too, and ends with unlock", ["NOTE-4", "NOTE-5", "ANN-3"])
        .ops(2, {"op": "addView", "id": "in", "parent": "a"}).committed(2)
        .ops(3, lock).step(on="a", expect={"type": "result", "clientSequence": 3, "outcome": "committed"}, among=told)
        .join("b", capabilities=0).ops(1, {"op": "setView", "id": "in", "hidden": True}, on="b").refused(1, "locked", "b")
        .ops(2, width(50), on="b").refused(2, "locked", "b").ops(3, lock, on="b").refused(3, "locked", "b")
        .ops(4, {"op": "addView", "id": "out"}, on="b").committed(4, "b")
        .ops(5, {"op": "setNeedsLayout", "id": "a"}, on="b").committed(5, "b")
        .ops(4, unlock).step(on="a", expect={"type": "result", "clientSequence": 4, "outcome": "committed"}, among=told)
        .ops(6, width(50), on="b").committed(6, "b"))  # fmt: skip
    (annotated("19.1-4", "comments are a participant's too; other annotations are not, and a viewer has none", ["NOTE-3", "ANN-2"])
        .ops(2, {"op": "addComment", "id": "c19-1-4", "view": "a", "text": "one"}).step(
            on="a", expect={"type": "result", "clientSequence": 2, "outcome": "committed"}, among=told)
        .join("b", role="participant", capabilities=EVENTS)
        .ops(1, {"op": "replyComment", "id": "c19-1-4", "text": "two"}, on="b").committed(1, "b")
        .ops(2, {"op": "editComment", "id": "c19-1-4", "number": 1, "text": "x"}, on="b").refused(2, "forbidden", "b")
        .ops(3, lock, on="b").refused(3, "forbidden", "b")
        .join("c", role="viewer").ops(1, {"op": "replyComment", "id": "c19-1-4", "text": "x"}, on="c").refused(1, "forbidden", "c")
        .ops(4, {"op": "removeComment", "id": "c19-1-4", "number": 2}, on="b").committed(4, "b")
        .ops(3, {"op": "removeComment", "id": "c19-1-4", "number": 1}).step(
            on="a", expect={"type": "result", "clientSequence": 3, "outcome": "committed"}, among=told))  # fmt: skip
    (annotated("19.1-5", "what is wrong with an annotation op is refused by its code", ["ANN-1"])
        .ops(2, {"op": "addComment", "id": "n", "view": "none", "text": "x"}).refused(2, "unknown-view")
        .ops(3, {"op": "addComment", "id": "n", "constraint": "none", "text": "x"}).refused(3, "unknown-constraint")
        .ops(4, {"op": "replyComment", "id": "none", "text": "x"}).refused(4, "unknown-comment")
        .ops(5, {"op": "removeVersion", "name": "none"}).refused(5, "unknown-version")
        .ops(6, {"op": "addComment", "id": "n", "view": "a", "text": "x" * 9000}).refused(6, "limit")
        .ops(7, {"op": "addComment", "id": "c19-1-5", "point": [1, 2], "text": "x"}).step(
            on="a", expect={"type": "result", "clientSequence": 7, "outcome": "committed"}, among=told)
        .ops(8, {"op": "addComment", "id": "c19-1-5", "point": [1, 2], "text": "x"}).step(
            on="a", expect={"type": "result", "clientSequence": 8, "outcome": "refused", "code": "duplicate-id"}, among=told)
        .ops(9, {"op": "removeComment", "id": "c19-1-5", "number": 1}).step(
            on="a", expect={"type": "result", "clientSequence": 9, "outcome": "committed"}, among=told))  # fmt: skip

    def suggested(number: str, *arguments: Any, **fields: Any) -> Visit:
        """A room in which an editor, a, has opened a suggestion, and its branch, in which c is an editor."""
        name = suggestion(number)
        return (visit(number, *arguments, needs=SUGGESTIONS, **fields).join(capabilities=ANNOTATIONS | SUGGESTIONS | UNDO)
            .step(on="a", expect={"type": "annotations", "whole": True}, among=STATE)
            .ops(1, {"op": "setScene", **SCENE}).committed(1).ops(2, {"op": "suggest", "id": name, "name": "n"})
            .step(on="a", expect={"type": "result", "clientSequence": 2, "outcome": "committed"}, among=told)
            .connect("c", path=f"~{name}").hello("c", capabilities=UNDO).step(on="c", expect={"type": "welcome"}, among=[])
            .step(on="c", state={"a": [0, 0, 100, 100]}))  # fmt: skip

    def suggestion(number: str) -> str:
        return "s" + number.replace(".", "-")

    def about(verb: str, number: str, **keys: Any) -> dict[str, Any]:
        return {"op": f"{verb}Suggestion", "id": suggestion(number), **keys}

    def settled(outcome: str, sequence: int, **fields: Any) -> dict[str, Any]:
        return {"on": "a", "expect": {"type": "result", "clientSequence": sequence, "outcome": outcome, **fields}, "among": told}

    (suggested("19.4-1", "a branch begins as its room was, and comes back into it as one step", ["NOTE-10", "NOTE-11"])
        .ops(1, width(70), on="c").committed(1, "c").ops(2, {"op": "addView", "id": "new"}, on="c").committed(2, "c")
        .step(on="a", state={"a": [0, 0, 100, 100]}).ops(3, about("accept", "19.4-1")).step(**settled("committed", 3))
        .step(on="a", state={"a": [0, 0, 70, 100], "new": [0, 0, 0, 0]})
        .send("undo", clientSequence=4).step(**settled("committed", 4)).step(on="a", state={"a": [0, 0, 100, 100]})
        .ops(5, about("remove", "19.4-1")).step(**settled("committed", 5)))  # fmt: skip
    (suggested("19.4-2", "a conflict changes nothing, and parts without one are taken", ["NOTE-12", "NOTE-13"])
        .ops(1, width(70), on="c").committed(1, "c").ops(2, {"op": "addView", "id": "new"}, on="c").committed(2, "c")
        .ops(3, width(60)).step(**settled("committed", 3)).ops(4, about("accept", "19.4-2")).step(**settled("refused", 4, code="conflict"))
        .step(on="a", state={"a": [0, 0, 60, 100]}).ops(5, about("accept", "19.4-2", only=["new"])).step(**settled("committed", 5))
        .step(on="a", state={"a": [0, 0, 60, 100], "new": [0, 0, 0, 0]})
        .ops(6, about("refuse", "19.4-2", reason="no")).step(**settled("committed", 6))
        .ops(7, about("remove", "19.4-2")).step(**settled("committed", 7)))  # fmt: skip
    (suggested("19.4-3", "an update takes in what changed in the room, keeps what does not fit, and is taken back", ["NOTE-14"])
        .ops(1, width(70), on="c").committed(1, "c").ops(3, width(60)).step(**settled("committed", 3))
        .ops(4, {"op": "addView", "id": "new"}).step(**settled("committed", 4))
        .ops(2, {"op": "updateSuggestion"}, on="c").committed(2, "c").step(on="c", state={"a": [0, 0, 70, 100], "new": [0, 0, 0, 0]})
        .send("undo", "c", clientSequence=3).committed(3, "c").step(on="c", state={"a": [0, 0, 70, 100]})
        .ops(5, about("accept", "19.4-3")).step(**settled("refused", 5, code="conflict"))
        .send("redo", "c", clientSequence=4).committed(4, "c")
        .ops(6, about("accept", "19.4-3")).step(**settled("committed", 6)).step(on="a", state={"a": [0, 0, 70, 100]})
        .ops(7, about("remove", "19.4-3")).step(**settled("committed", 7)))  # fmt: skip
    (suggested("19.4-4", "a branch has no branches, and a decided one is closed", ["NOTE-10", "NOTE-15", "NOTE-17", "ANN-4"])
        .ops(1, {"op": "suggest", "id": "x", "name": "n"}, on="c").refused(1, "bad-op", "c")
        .ops(2, about("accept", "19.4-4"), on="c").refused(2, "bad-op", "c")
        .ops(3, {"op": "updateSuggestion"}).step(**settled("refused", 3, code="bad-op"))
        .ops(4, {"op": "suggest", "id": suggestion("19.4-4"), "name": "n"}).step(**settled("refused", 4, code="duplicate-id"))
        .ops(5, about("accept", "19.4-0")).step(**settled("refused", 5, code="unknown-suggestion"))
        .connect("d", path="~none").hello("d").step(on="d", closed=[4004])
        .ops(6, about("refuse", "19.4-4", reason="no")).step(**settled("committed", 6))
        .ops(7, about("accept", "19.4-4")).step(**settled("refused", 7, code="conflict")).join("e", capabilities=0).alive("e")
        .ops(3, width(70), on="c").refused(3, "conflict", "c")
        .ops(8, about("remove", "19.4-4")).step(**settled("committed", 8)).step(on="c", closed=[4004]))  # fmt: skip
    (suggested("19.4-5", "locks hold for what an acceptance changes", ["NOTE-16"])
        .ops(1, width(70), on="c").committed(1, "c").join("b", capabilities=0).ops(1, lock, on="b").committed(1, "b")
        .ops(3, about("accept", "19.4-5")).step(**settled("refused", 3, code="locked"))
        .ops(2, unlock, on="b").committed(2, "b").ops(4, about("accept", "19.4-5")).step(**settled("committed", 4))
        .ops(5, about("remove", "19.4-5")).step(**settled("committed", 5)))  # fmt: skip
    (suggested("19.4-6", "without the capability no suggestion is told", ["NOTE-18"])
        .join("d", capabilities=ANNOTATIONS | SUGGESTIONS)
        .step(on="d", expect={**annotation("suggestion", suggestion("19.4-6"), {"name": "n", "note": "", "state": "open"}), "whole": True}, among=STATE)
        .join("b", capabilities=ANNOTATIONS).step(on="b", expect={"type": "annotations", "whole": True}, among=STATE)
        .ops(3, about("refuse", "19.4-6")).step(**settled("committed", 3)).ops(4, about("remove", "19.4-6")).step(**settled("committed", 4))
        .step(on="b", silence=["annotations"], **{"for": 300}).alive("b"))  # fmt: skip

    def records(start: bool, **fields: Any) -> dict[str, Any]:
        return {"type": "records", "start": start, "chunkIndex": 0, **fields}

    (visit("20.2-1", "who follows is told the scene, then what is accepted, until it asks for no more", ["FOL-1", "FOL-2", "FOL-5"],
           needs=FOLLOW).join(capabilities=FOLLOW).ops(1, {"op": "setScene", **SCENE}).committed(1).send("follow", enabled=True)
        .step(on="a", expect=records(True, author={"$save": "author"}), among=[*STATE, "result"])
        .ops(2, width(120)).step(on="a", expect=records(False, author=""), among=STATE).committed(2)
        .join("b", "scenesync.v1.json", capabilities=FOLLOW).send("follow", "b", enabled=True)
        .step(on="b", expect=records(True), among=STATE).ops(3, width(130)).step(on="b", expect=records(False), among=STATE)
        .step(on="a", expect=records(False), among=STATE).committed(3).send("follow", enabled=False).alive()
        .ops(4, width(140)).step(on="b", expect=records(False), among=STATE).committed(4).alive()
        .step(on="a", silence=["records"], **{"for": 300}))  # fmt: skip
    (visit("20.2-2", "who watches subtrees cannot follow, and who begins to is told no more", ["FOL-6"], needs=FOLLOW | 1 << 3)
        .join(capabilities=FOLLOW | 1 << 3).ops(1, {"op": "setScene", **SCENE}).committed(1)
        .send("subscribe", roots=["a"], frameRateMaximum=0).send("follow", enabled=True).hear("error", code=4005)
        .send("subscribe", roots=[], frameRateMaximum=0).send("follow", enabled=True)
        .step(on="a", expect=records(True), among=STATE).send("subscribe", roots=["a"], frameRateMaximum=0)
        .step(on="a", expect={"type": "error", "code": 4005}, among=[*STATE, "records"]).alive()
        .ops(2, width(120)).committed(2).step(on="a", silence=["records"], **{"for": 300}))  # fmt: skip

    def with_events(*arguments: Any) -> Visit:
        """A room in which an editor, a, handles a list, and a participant, b, may tap the views x and y in it. The list has a
        name of its own: whoever handled one before may still be waited for."""
        scene = {**SCENE, "views": [{"id": "a"}, {"id": "list-" + arguments[0].replace(".", "-")},
                                    {"id": "x", "parent": "list-" + arguments[0].replace(".", "-"), "events": ["tap"]},
                                    {"id": "off", "events": ["tap"], "enabled": False}]}  # fmt: skip
        return (visit(*arguments, needs=EVENTS).join(capabilities=EVENTS).hear("interactions", whole=True)
            .ops(1, {"op": "setScene", **scene}).committed(1).send("handle", roots=[scene["views"][1]["id"]]).alive()
            .join("b", "scenesync.v1.json", role="participant", capabilities=EVENTS))  # fmt: skip

    can_tap = {"control": "none", "events": ["tap"], "enabled": True}
    (with_events("18.2-1", "what people can do comes whole with the first state, and as it changes", ["EVT-5", "EVT-6"])
        .step(on="b", expect={"type": "interactions", "whole": True, "changes": [
            {"id": "x", "interaction": can_tap}, {"id": "off", "interaction": {**can_tap, "enabled": False}}]}, among=STATE)
        .ops(2, {"op": "setView", "id": "off", "enabled": True}).committed(2)
        .step(on="b", expect={"type": "interactions", "whole": False, "changes": [{"id": "off", "interaction": can_tap}]}, among=STATE)
        .ops(3, {"op": "removeView", "id": "off"}).committed(3)
        .step(on="b", expect={"type": "interactions", "changes": [{"id": "off"}]}, among=STATE))  # fmt: skip
    (with_events("18.4-1", "an event goes to whoever handles its subtree, and its result comes back", ["EVT-9", "EVT-13", "EVT-16"])
        .send("event", "b", **tap(1)).step(on="a", expect={"type": "event", "sequence": {"$save": "n"}, "kind": "tap", "view": "x",
                                                           "place": [1, 2], "value": None}, among=STATE)
        .step(on="b", silence=["eventResults"], **{"for": 200})
        .send("handled", answers=[{"sequence": "$n", "handled": True}])
        .step(on="b", expect={"type": "eventResults", "results": outcomes((1, "handled"))}, among=STATE)
        .send("event", "b", **tap(2)).step(on="a", expect={"type": "event", "sequence": {"$save": "n"}}, among=STATE)
        .send("handled", answers=[{"sequence": "$n", "handled": False}])
        .step(on="b", expect={"type": "eventResults", "results": outcomes((2, "unhandled"))}, among=STATE))  # fmt: skip
    (with_events("18.4-2", "of two handlers the nearer one is told, of two alike the first", ["EVT-13"])
        .ops(2, {"op": "addView", "id": "near", "parent": "x", "events": ["tap"]}).committed(2)
        .join("c", capabilities=EVENTS).send("handle", "c", roots=["near"]).alive("c")
        .join("d", capabilities=EVENTS).send("handle", "d", roots=["near"]).alive("d")
        .send("event", "b", **tap(1, "near")).step(on="c", expect={"type": "event", "view": "near"}, among=STATE)
        .step(on="a", silence=["event"], **{"for": 200}).step(on="d", silence=["event"], **{"for": 1}))  # fmt: skip
    (with_events("18.4-3", "what nobody handles is unhandled", ["EVT-15", "EVT-9"]).send("handle", roots=[]).alive()
        .send("event", "b", **tap(1)).step(on="b", expect={"type": "eventResults", "results": outcomes((1, "unhandled"))}, among=STATE))  # fmt: skip
    (with_events("18.3-1", "what is wrong with an event is told, and nobody hears of it", ["EVT-12"])
        .send("event", "b", **tap(1, "nobody"))
        .step(on="b", expect={"type": "eventResults", "results": outcomes((1, "refused", "unknown-view"))}, among=STATE)
        .send("event", "b", **tap(2, "a"))
        .step(on="b", expect={"type": "eventResults", "results": outcomes((2, "refused", "not-editable"))}, among=STATE)
        .send("event", "b", **tap(3, kind="press", value="began"))
        .step(on="b", expect={"type": "eventResults", "results": outcomes((3, "refused", "not-editable"))}, among=STATE)
        .send("event", "b", **tap(4, "off"))
        .step(on="b", expect={"type": "eventResults", "results": outcomes((4, "refused", "not-editable"))}, among=STATE)
        .send("event", "b", **tap(5, to=1)).step(on="b", expect={"type": "eventResults", "results": outcomes((5, "refused", "bad-op"))}, among=STATE)
        .send("event", "b", **tap(0)).step(on="b", expect={"type": "eventResults", "results": outcomes((0, "refused", "bad-value"))}, among=STATE)
        .step(on="a", silence=["event"], **{"for": 200}))  # fmt: skip
    (with_events("18.1-1", "viewers send no events, participants change nothing and handle nothing", ["EVT-2", "EVT-3", "EVT-4"])
        .join("c", role="viewer", capabilities=EVENTS).send("event", "c", **tap(1))
        .step(on="c", expect={"type": "eventResults", "results": outcomes((1, "refused", "forbidden"))}, among=STATE)
        .ops(1, width(120), on="b").refused(1, "forbidden", "b")
        .send("handle", "b", roots=["x"]).hear("error", "b", code=4003).alive("b"))  # fmt: skip
    (with_events("18.3-2", "an event that is sent again is passed on once, and has its result", ["EVT-10", "EVT-9"])
        .send("event", "b", **tap(1)).step(on="a", expect={"type": "event", "sequence": {"$save": "n"}}, among=STATE)
        .connect("c").hello("c", role="participant", capabilities=EVENTS,
                            resume={"session": "$b.session", "token": "$b.token", "epoch": "$b.epoch", "lastTick": 0})
        .hear("welcome", "c", session="$b.session").send("event", "c", **tap(1)).step(on="a", silence=["event"], **{"for": 200})
        .send("handled", answers=[{"sequence": "$n", "handled": True}])
        .step(on="c", expect={"type": "eventResults", "results": outcomes((1, "handled"))}, among=STATE)
        .send("event", "c", **tap(1)).step(on="c", expect={"type": "eventResults", "results": outcomes((1, "handled"))}, among=STATE)
        .step(on="a", silence=["event"], **{"for": 200}))  # fmt: skip
    (with_events("18.4-4", "a handler that is back is sent again what it has not answered, in order", ["EVT-17", "EVT-14"])
        .send("event", "b", **tap(1, modifiers=1)).send("event", "b", **tap(2, modifiers=2)).send("event", "b", **tap(3, modifiers=3))
        .step(on="a", expect={"type": "event", "modifiers": 1, "sequence": {"$save": "one"}}, among=STATE)
        .step(on="a", expect={"type": "event", "modifiers": 2, "sequence": {"$save": "two"}}, among=STATE)
        .step(on="a", expect={"type": "event", "modifiers": 3, "sequence": {"$save": "three"}}, among=STATE)
        .send("handled", answers=[{"sequence": "$two", "handled": True}])
        .step(on="b", expect={"type": "eventResults", "results": outcomes((2, "handled"))}, among=STATE)
        .connect("c").hello("c", capabilities=EVENTS, resume=resumed()).hear("welcome", "c", session="$a.session")
        .send("handle", "c", roots=["list-18-4-4"])
        .step(on="c", expect={"type": "event", "modifiers": 1, "sequence": "$one"}, among=STATE)
        .step(on="c", expect={"type": "event", "modifiers": 3, "sequence": "$three"}, among=STATE))  # fmt: skip
    (with_events("18.4-5", "of a handler that does not come back nobody knows what it did", ["EVT-19"])
        .send("event", "b", **tap(1)).step(on="a", expect={"type": "event"}, among=STATE).step(on="a", close=1000)
        .step(on="b", expect={"type": "eventResults", "results": outcomes((1, "unknown"))}, among=STATE, within=20_000)
        .send("event", "b", **tap(2)).step(on="b", expect={"type": "eventResults", "results": outcomes((2, "unhandled"))}, among=STATE))  # fmt: skip
    (with_events("18.5-1", "a message reaches the member that it names", ["EVT-20"])
        .send("presence", "b", client=0, clock=1, gone=False, name="b", selection=[])
        .step(on="a", expect={"type": "presence", "name": "b", "client": {"$save": "b.client"}}, among=STATE)
        .send("event", **tap(1, "", kind="message", to="$b.client", value={"hello": [1]}))
        .step(on="b", expect={"type": "event", "kind": "message", "value": {"hello": [1]}, "sequence": {"$save": "n"}}, among=STATE)
        .send("handled", "b", answers=[{"sequence": "$n", "handled": True}])
        .step(on="a", expect={"type": "eventResults", "results": outcomes((1, "handled"))}, among=STATE)
        .send("event", **tap(2, "", kind="message", to=999_999))
        .step(on="a", expect={"type": "eventResults", "results": outcomes((2, "unhandled"))}, among=STATE))  # fmt: skip
    (visit("12-5", "types that may be passed over are passed over", ["FWD-3"]).join().step(on="a", raw={"hex": "9001", "kind": "binary"}).alive())
    return [each.data for each in out]
