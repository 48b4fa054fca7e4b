"""Administrators ask any node of a cluster, and are answered as the owner of the room would."""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from administration import Answer, ask, document, texts  # noqa: E402
from cluster import Cluster, Node  # noqa: E402
from scenesync import ops  # noqa: E402
from scenesync.errors import ConnectionEnded  # noqa: E402
from scenesync.sync import Client  # noqa: E402

#: Closed by an administrator; the room is there no more.
REMOVED, DELETED = 4003, 4004
#: How often something is tried that has to happen while an owner stands still.
ATTEMPTS = 20


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as made:
        yield made


def at_all(cluster: Cluster, method: str, path: str, body: object = None) -> list[Answer]:
    return [ask(node, method, path, body) for node in cluster.nodes]


def others(cluster: Cluster, room: str) -> list[Node]:
    """The nodes that do not own a room."""
    owner = cluster.owner_of(room)
    return [node for node in cluster.nodes if node is not owner]


def answer_of_the_owner(answers: list[Answer]) -> Answer:
    """What all nodes answer alike."""
    assert len(set(answers)) == 1, answers
    return answers[0]


def end_code(client: Client) -> int | None:
    """Waits until a client's connection has ended for good."""
    with pytest.raises(ConnectionEnded) as end:
        client.wait(lambda _: False, timeout=20)
    return end.value.code


def until_owned(node: Node, method: str, path: str, body: object = None) -> Answer:
    """Asks again as long as nobody owns the room, as an administrator is told to."""
    waiting = threading.Event()
    for _ in range(ATTEMPTS):
        answer = ask(node, method, path, body)
        if answer.status != 503:
            return answer
        assert answer.retry_after == "1", answer
        waiting.wait(0.5)
    raise AssertionError(answer)


def test_scenes_are_imported_and_exported_at_every_node(cluster: Cluster):
    for number, node in enumerate(cluster.nodes):
        made = ask(node, "PUT", "hall/scene", document(f"text {number}"))
        assert (made.status, made.json) == (200, {}), made
        exported = answer_of_the_owner(at_all(cluster, "GET", "hall/scene"))
        assert exported.status == 200 and exported.kind == "application/json"
        assert texts(exported.json) == [f"text {number}"]
    assert answer_of_the_owner(at_all(cluster, "GET", "nowhere/scene")).status == 404
    broken = answer_of_the_owner(at_all(cluster, "PUT", "hall/scene", {"scene": 9}))
    assert broken.status == 422
    impossible = {**document(), "constraints": ["v0.width == 10", "v0.width == 20"]}
    refused = answer_of_the_owner(at_all(cluster, "PUT", "hall/scene", impossible))
    assert refused.status == 422 and refused.text.startswith("unsatisfiable: "), refused
    assert texts(ask(cluster.nodes[0], "GET", "hall/scene").json) == ["text 2"]


def test_members_are_listed_and_removed_wherever_they_are(cluster: Cluster):
    assert ask(cluster.nodes[0], "PUT", "garden/scene", document()).status == 200
    clients = [Client(f"{node.address}/garden", role=role) for node in cluster.nodes for role in ("viewer", "editor")]
    try:
        for client in clients:
            client.__enter__()
        listings = [answer.json["members"] for answer in at_all(cluster, "GET", "garden/members")]
        for listing in listings:
            assert sorted(member["role"] for member in listing) == 3 * ["editor"] + 3 * ["viewer"]
            assert listing == sorted(listing, key=lambda member: member["number"])
            for member in listing:
                del member["seconds"]
        assert listings[0] == listings[1] == listings[2]
        numbers = [member["number"] for member in listings[0]]
        assert len(set(numbers)) == 6
        for number in numbers:
            removed = {ask(node, "DELETE", f"garden/members/{number}").status for node in cluster.nodes}
            # The first that was asked removed it, and the others find nobody.
            assert removed == {200, 404}
        assert [end_code(client) for client in clients] == 6 * [REMOVED]
        assert [answer.json for answer in at_all(cluster, "GET", "garden/members")] == 3 * [{"members": []}]
    finally:
        for client in clients:
            client.close()
    for number in (0, numbers[0] + 1_000_000, 2**53, 2**64 - 1):
        assert answer_of_the_owner(at_all(cluster, "DELETE", f"garden/members/{number}")).status == 404
    assert answer_of_the_owner(at_all(cluster, "GET", "nowhere/members")).json == {"members": []}


def test_rooms_are_listed_at_every_node_with_their_members_at_all(cluster: Cluster):
    names = ["listed-a", "listed-b", "listed-c", "listed-d"]
    for name in names:
        assert ask(cluster.nodes[0], "PUT", f"{name}/scene", document()).status == 200
    clients = [Client(f"{node.address}/listed-a", role=role) for node in cluster.nodes for role in ("viewer", "editor")]
    try:
        for client in clients:
            client.__enter__()
        answers = [answer.json for answer in at_all(cluster, "GET", "")]
    finally:
        for client in clients:
            client.close()
    for answer in answers:
        rooms = {room["room"]: room for room in answer["rooms"]}
        assert sorted(rooms) == [room["room"] for room in answer["rooms"]]
        assert [rooms[name]["members"] for name in names] == [6, 0, 0, 0]
        # Each owner has a number of its own.
        numbers = {cluster.owner_of(name).name: rooms[name]["node"] for name in names}
        assert len(set(numbers.values())) == len(numbers)
        assert all(rooms[name]["node"] == numbers[cluster.owner_of(name).name] for name in names)
        assert rooms["listed-a"]["views"] == 2 and len(rooms["listed-a"]["hash"]) == 16
        assert answer["putAside"] == []


def test_rooms_are_released_and_deleted_at_every_node(cluster: Cluster):
    assert answer_of_the_owner(at_all(cluster, "POST", "hall/release")) == Answer(
        404, "text/plain; charset=utf-8", b"that room is not put aside\n"
    )
    for node in cluster.nodes:
        assert ask(node, "PUT", "attic/scene", document("kept")).status == 200
        clients = [Client(f"{place.address}/attic", role=role) for place in cluster.nodes for role in ("viewer", "editor")]
        try:
            for client in clients:
                client.__enter__()
            assert ask(node, "DELETE", "attic").json == {}
            assert [end_code(client) for client in clients] == 6 * [DELETED]
        finally:
            for client in clients:
                client.close()
        assert answer_of_the_owner(at_all(cluster, "GET", "attic/scene")).status == 404


def test_a_path_that_is_none_is_none_at_every_node(cluster: Cluster):
    for method, path in [("GET", "hall"), ("POST", "hall/scene"), ("DELETE", "hall/members/x"), ("GET", "a b/scene")]:
        assert answer_of_the_owner(at_all(cluster, method, path.replace(" ", "%20"))).status == 404


def test_what_is_long_is_carried_both_ways(cluster: Cluster):
    # The longest document that one request may hold, and a scene of several megabytes. Words deflate well: what nodes carry is not
    # deflated, and what the journal keeps is.
    words = "many words and many more " * 1_600
    longest = document(words, views=25)
    assert 900_000 < len(json.dumps(longest)) < 1 << 20
    for node in others(cluster, "long"):
        assert ask(node, "PUT", "long/scene", longest).status == 200
    with Client(f"{others(cluster, 'long')[0].address}/long", role="editor", timeout=60) as editor:
        for batch in range(5):
            editor.apply([ops.add_view(f"more{batch}-{number}", kind="label", text=words) for number in range(20)])
    exported = answer_of_the_owner(at_all(cluster, "GET", "long/scene"))
    assert len(exported.body) > 4_000_000
    assert texts(exported.json) == 125 * [words]


def test_what_an_owner_that_went_away_may_have_done_is_told_as_such_and_not_done_again():
    with Cluster() as cluster:
        owner = cluster.owner_of("hall")
        asked = others(cluster, "hall")[0]
        assert until_owned(asked, "PUT", "hall/scene", document("before")).status == 200
        # It stands still: what is sent to it before that is noticed has an unknown outcome.
        for _ in range(ATTEMPTS):
            owner.send(signal.SIGSTOP)
            answer = ask(asked, "PUT", "hall/scene", document("during"))
            if answer.status == 504:
                break
            # It was noticed before.
            owner.send(signal.SIGCONT)
            assert until_owned(asked, "PUT", "hall/scene", document("before")).status == 200
            owner = cluster.owner_of("hall")
            asked = others(cluster, "hall")[0]
        assert answer.status == 504 and "may have done what was asked; look at the room" in answer.text, answer
        owner.kill()
        with Client(f"{asked.address}/hall"):
            scene = until_owned(asked, "GET", "hall/scene")
        # Nobody carried it out: the owner died before it ran again, and no other node was asked.
        assert texts(scene.json) == ["before"]
        assert until_owned(asked, "PUT", "hall/scene", document("after")).status == 200
        assert texts(ask(asked, "GET", "hall/scene").json) == ["after"]


def test_a_reader_is_told_to_ask_again_where_the_owner_went_away():
    with Cluster() as cluster:
        # On a busy machine a node's beats may be late, so that nobody owns the room for a moment, and then another node does.
        assert until_owned(cluster.nodes[0], "PUT", "hall/scene", document("kept")).status == 200
        owner = cluster.owner_of("hall")
        asked = others(cluster, "hall")[0]
        owner.send(signal.SIGSTOP)
        answer = ask(asked, "GET", "hall/scene")
        assert (answer.status, answer.retry_after) == (503, "1") and "try again in a second" in answer.text, answer
        owner.kill()


def test_imports_that_were_acknowledged_outlive_their_owner():
    with Cluster() as cluster:
        owner = cluster.owner_of("hall")
        asked = others(cluster, "hall")[0]
        acknowledged, unknown, enough = [-1], [-1], threading.Event()

        def import_many() -> None:
            for number in range(1_000_000):
                if enough.is_set() and number > last_at_death[0] + 5:
                    return
                answer = until_owned(asked, "PUT", "hall/scene", document(str(number)))
                (acknowledged if answer.status == 200 else unknown).append(number)
                assert answer.status in (200, 504), answer
                if number == 20:
                    busy.set()

        last_at_death, busy = [1_000_000], threading.Event()
        thread = threading.Thread(target=import_many)
        thread.start()
        try:
            assert busy.wait(60)
            owner.kill()
            # What is told from now on was done by the next one.
            last_at_death[0] = acknowledged[-1]
        finally:
            enough.set()
            thread.join(60)
        assert not thread.is_alive()
        with Client(f"{asked.address}/hall"):
            scene = until_owned(asked, "GET", "hall/scene")
        assert int(texts(scene.json)[0]) >= acknowledged[-1]
        assert acknowledged[-1] > last_at_death[0]


def test_a_room_is_copied_whole_from_any_node_to_any_other(cluster: Cluster):
    # A name that another node serves, so that the copy goes from node to node.
    owner, name = cluster.owner_of("alpha"), cluster.room_elsewhere("alpha", (f"copy{number}" for number in range(200)))
    assert until_owned(owner, "PUT", "alpha/scene", document("to be copied", views=3)).status == 200
    for number, node in enumerate(cluster.nodes):
        target = name if number == 0 else f"other{number}"
        made = until_owned(node, "POST", f"alpha/copy?to={target}")
        if made.status == 504:
            # A node that was busy for so long may have done it: then the room is there.
            made = until_owned(node, "POST", f"alpha/copy?to={target}")
            assert made.status == 201 or (made.status, made.text) == (409, "there is such a room already\n"), made
            continue
        assert made.status == 201 and len(made.json["hash"]) == 16, made
    copied = answer_of_the_owner(at_all(cluster, "GET", f"{name}/scene"))
    assert texts(copied.json) == ["to be copied"] * 3
    taken = answer_of_the_owner(at_all(cluster, "POST", f"alpha/copy?to={name}"))
    assert (taken.status, taken.text) == (409, "there is such a room already\n")
    assert answer_of_the_owner(at_all(cluster, "POST", f"nowhere/copy?to={name}2")).status == 404
    for query in ("", "?to=", "?to=alpha", "?to=a%20b", "?from=x"):
        assert answer_of_the_owner(at_all(cluster, "POST", "alpha/copy" + query)).status == 422, query
    # What a node exports, every node imports, bit for bit.
    exported = answer_of_the_owner(at_all(cluster, "GET", "alpha/snapshot"))
    assert exported.kind == "application/octet-stream"
    hashes = {ask(node, "PUT", f"again{number}/snapshot", exported.body).json["hash"] for number, node in enumerate(cluster.nodes)}
    assert len(hashes) == 1
    assert answer_of_the_owner(at_all(cluster, "PUT", "beta/snapshot", b"no room")).status == 422


def test_a_room_of_a_cluster_is_not_renamed(cluster: Cluster):
    refused = answer_of_the_owner(at_all(cluster, "POST", "alpha/rename?to=gamma"))
    assert refused.status == 409 and "cannot be renamed; copy it" in refused.text
    assert answer_of_the_owner(at_all(cluster, "GET", "gamma/snapshot")).status == 404
