"""Machines of their own for the nodes of a cluster: network namespaces that a bridge joins, whose links can be cut.

The program that uses them moves to a namespace of its own first, so that nothing of the machine's network is touched, and all of them
are gone with the processes in them. It takes root, or a user namespace in which one is root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: The bridge's address, and those of the machines: 1, 2 and so on.
NETWORK = "10.77.0"
HUB = f"{NETWORK}.254"
#: Says that this process is in its own namespace already.
MOVED = "SCENESYNC_OWN_NETWORK"


class Unavailable(Exception):
    """Namespaces cannot be made here, and why."""


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"`{' '.join(words)}` failed: {done.stderr.strip()}")


def move_to_own_network() -> None:
    """Starts this program again in a network namespace of its own, unless it is in one.

    Raises:
        Unavailable: says what is missing.
    """
    if os.environ.get(MOVED):
        return
    for program in ("unshare", "nsenter", "ip"):
        if not shutil.which(program):
            raise Unavailable(f"there is no `{program}`; install util-linux and iproute2")
    _run("unshare", "--net", "true")
    os.environ[MOVED] = "1"
    os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])


class Machines:
    """Machines with an address each, joined by a bridge in this process's namespace. It ends with a `with` block."""

    def __init__(self, count: int = 3) -> None:
        if not os.environ.get(MOVED):
            raise Unavailable("this process is in the machine's own network; call move_to_own_network first")
        self.hosts = [f"{NETWORK}.{number + 1}" for number in range(count)]
        self._holders: list[subprocess.Popen[str]] = []
        try:
            _run("ip", "link", "set", "lo", "up")
            _run("ip", "link", "add", "name", "hub", "type", "bridge")
            _run("ip", "addr", "add", f"{HUB}/24", "dev", "hub")
            _run("ip", "link", "set", "hub", "up")
            for number, host in enumerate(self.hosts):
                self._add(number, host)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Machines:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _add(self, number: int, host: str) -> None:
        # The namespace lasts as long as this process, whose input ends with ours.
        holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._holders.append(holder)
        assert holder.stdout
        if not holder.stdout.readline():
            raise Unavailable("`unshare --net` made no namespace")
        _run("ip", "link", "add", f"veth{number}", "type", "veth", "peer", "name", "eth0", "netns", str(holder.pid))
        _run("ip", "link", "set", f"veth{number}", "master", "hub", "up")
        for words in ("addr add HOST/24 dev eth0", "link set eth0 up", "link set lo up"):
            _run(*self.within(number), "ip", *words.replace("HOST", host).split())

    def within(self, number: int) -> list[str]:
        """The words with which a command begins that runs on a machine."""
        return ["nsenter", f"--net=/proc/{self._holders[number].pid}/ns/net", "--"]

    def cut(self, number: int) -> None:
        """Takes a machine's link down: nothing comes or goes, and nobody is told."""
        _run("ip", "link", "set", f"veth{number}", "down")

    def join(self, number: int) -> None:
        """Takes a machine's link up again."""
        _run("ip", "link", "set", f"veth{number}", "up")

    def close(self) -> None:
        """Ends the namespaces; processes that are still in them keep theirs."""
        for holder in self._holders:
            holder.kill()
            holder.wait()
        if self._holders:
            subprocess.run(["ip", "link", "delete", "hub"], capture_output=True)
