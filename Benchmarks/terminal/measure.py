"""Measures the terminal viewer: `measure.py TERMINAL_BENCH ROUNDS [PEER=DRIVER…]`.

Each figure comes from a process of its own, on a pseudo-terminal where it needs one, and is the median of the rounds. Drivers
draw the same pictures with other libraries; what they write, and what we do, is played into pyte and held against the last
picture.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from report import Report  # noqa: E402

COLUMNS, ROWS = 162, 48
SECONDS = 5


def on_terminal(command: list[str], seconds: float) -> tuple[int, str]:
    """Runs a command on a pseudo-terminal of the measured size: the bytes that it wrote there after it said `begin` on standard
    error, and what it said there afterwards."""
    user, program = pseudo_terminal()
    process = subprocess.Popen(
        command, stdin=program, stdout=program, stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    os.close(program)
    assert process.stderr is not None
    errors = process.stderr.fileno()
    count, said = 0, b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        ready, _, _ = select.select([user, errors], [], [], 0.2)
        if user in ready:
            try:
                data = os.read(user, 1 << 16)
            except OSError:
                break
            # notcurses asks what the terminal can and waits until this, which it asks last, is answered.
            if b"\x1b[c" in data:
                os.write(user, b"\x1b[?62;22c")
            if b"begin" in said:
                count += len(data)
        if errors in ready:
            said += os.read(errors, 1 << 16)
        if not ready and process.poll() is not None:
            break
    if process.poll() is None:
        process.terminate()
    said += process.stderr.read()
    process.wait()
    os.close(user)
    return count, said.decode().replace("begin", "", 1).strip()


def waiting_command(program: str, folder: str, moving: int) -> str:
    """Shows the pictures once somebody looks, which `folder`/go says."""
    return f"while [ ! -e {folder}/go ]; do sleep 0.05; done; {program} emit {moving} {SECONDS}; sleep 60"


def pseudo_terminal() -> tuple[int, int]:
    user, program = pty.openpty()
    fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return user, program


def tmux_bytes(program: str, moving: int) -> float:
    """Bytes a frame that an attached tmux client gets while the same pictures are shown in a pane."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "tmux.conf"
        config.write_text(
            "set -g status off\nset -g default-terminal tmux-256color\nset -ga terminal-features ',xterm-256color:RGB'\n"
        )
        base = ["tmux", "-S", f"{folder}/socket", "-f", str(config)]
        # The size is the attached client's.
        command = waiting_command(program, folder, moving)
        subprocess.run([*base, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), command], check=True)
        try:
            user, client_end = pseudo_terminal()
            client = subprocess.Popen(
                [*base, "attach"], stdin=client_end, stdout=client_end, stderr=subprocess.DEVNULL,
                start_new_session=True, env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            )  # fmt: skip
            os.close(client_end)
            drain(user, 1.5)
            Path(folder, "go").touch()
            # The first picture is a whole screen for everybody.
            drain(user, 0.5)
            count, seconds = drain(user, SECONDS - 1.5)
            # Not by a signal that it answers: what it would still write, nobody reads.
            client.kill()
            client.wait()
            os.close(user)
            return count / (seconds * 60)
        finally:
            subprocess.run([*base, "kill-server"], check=False, stderr=subprocess.DEVNULL)


def mosh_bytes(program: str, moving: int) -> float:
    """Bytes of UDP payload that a mosh client gets for each of the same pictures; mosh leaves out those that come too fast.

    Its server runs on the loopback interface, without ssh; what it sends goes through a socket of ours that counts it.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = waiting_command(program, folder, moving)
        started = subprocess.run(
            ["mosh-server", "new", "-i", "127.0.0.1", "-c", "256", "-l", "LANG=C.UTF-8", "--", "sh", "-c", command],
            capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"},
        )  # fmt: skip
        port, key = started.stdout.split("MOSH CONNECT")[1].split()[:2]
        server = int(started.stderr.split("pid = ")[1].split("]")[0])
        relay = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        relay.bind(("127.0.0.1", 0))
        outside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        outside.connect(("127.0.0.1", int(port)))
        user, client_end = pseudo_terminal()
        client = subprocess.Popen(
            ["mosh-client", "127.0.0.1", str(relay.getsockname()[1])], stdin=client_end, stdout=client_end,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "MOSH_KEY": key},
        )  # fmt: skip
        os.close(client_end)
        address: list[tuple[str, int]] = []

        def pass_on(seconds: float) -> tuple[int, float]:
            start = time.monotonic()
            count = 0
            while time.monotonic() - start < seconds:
                for descriptor in select.select([relay, outside, user], [], [], 0.05)[0]:
                    if descriptor is user:
                        os.read(user, 1 << 16)
                    elif descriptor is relay:
                        data, sender = relay.recvfrom(1 << 16)
                        address[:] = [sender]
                        outside.send(data)
                    elif address:
                        data = outside.recv(1 << 16)
                        count += len(data)
                        relay.sendto(data, address[0])
            return count, time.monotonic() - start

        try:
            pass_on(1.5)
            Path(folder, "go").touch()
            pass_on(0.5)
            count, seconds = pass_on(SECONDS - 1.5)
            return count / (seconds * 60)
        finally:
            client.kill()
            client.wait()
            os.kill(server, signal.SIGTERM)
            os.close(user)
            relay.close()
            outside.close()


def drain(descriptor: int, seconds: float) -> tuple[int, float]:
    start = time.monotonic()
    count = 0
    while time.monotonic() - start < seconds:
        ready, _, _ = select.select([descriptor], [], [], 0.05)
        if ready:
            count += len(os.read(descriptor, 1 << 16))
    return count, time.monotonic() - start


def drawn(driver: str, *arguments: str) -> list[float]:
    """What a peer's driver says: microseconds a frame to put the cells and to render them, and bytes a frame."""
    _, said = on_terminal([driver, *arguments], 60)
    values = said.split()
    if len(values) != 3:
        raise SystemExit(f"{driver} said: {said}")
    return [float(value) for value in values]


def check_output(name: str, output: Path, pictures: Path) -> None:
    """Fails unless the bytes make the last picture on a terminal; the colour of a blank's ink does not show."""
    import pyte  # only where there are peers

    screen = pyte.Screen(COLUMNS, ROWS)
    pyte.ByteStream(screen).feed(output.read_bytes())
    size = COLUMNS * ROWS * 12
    with pictures.open("rb") as file:
        file.seek(-size, os.SEEK_END)
        cells = iter(struct.iter_unpack("<III", file.read()))

    def color(packed: int) -> str:
        return f"{packed & 0xFFFFFF:06x}" if packed else "default"

    for row in range(ROWS):
        for column in range(COLUMNS):
            scalar, foreground, background = next(cells)
            cell = screen.buffer[row][column]
            shown = (cell.data, cell.fg if cell.data != " " else "", cell.bg)
            wanted = (chr(scalar), color(foreground) if scalar != 0x20 else "", color(background))
            if shown != wanted:
                raise SystemExit(f"{name} shows {shown} rather than {wanted} in row {row}, column {column}")


def main() -> None:
    program, rounds = str(Path(sys.argv[1]).resolve()), int(sys.argv[2])
    drivers = {name: str(Path(path).resolve()) for name, path in (argument.split("=", 1) for argument in sys.argv[3:])}
    if shutil.which("tmux") is None:
        raise SystemExit("tmux, which is measured beside the viewer, is not installed")

    def numbers(*arguments: str) -> list[float]:
        output = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
        return [float(word) for word in output.split()]

    frame: dict[int, list[list[float]]] = {200: [], 5: []}
    peer_frame: dict[tuple[int, str], list[list[float]]] = {(moving, name): [] for moving in frame for name in drivers}
    with tempfile.TemporaryDirectory() as folder:
        pictures = {moving: Path(folder) / f"pictures-{moving}" for moving in frame}
        output = Path(folder) / "output"
        for moving, path in pictures.items() if drivers else ():
            numbers("pictures", str(moving), str(path))
            numbers("frame", str(moving), str(output))
            check_output("ours", output, path)
            for name, driver in drivers.items():
                drawn(driver, str(path), str(output))
                check_output(name, output, path)
        # In turns, so that a load on the machine strikes all.
        for _ in range(rounds):
            for moving, path in pictures.items():
                frame[moving].append(numbers("frame", str(moving)))
                for name, driver in drivers.items():
                    peer_frame[moving, name].append(drawn(driver, str(path)))
    drag = numbers("drag", "protocol/examples/dashboard.json")
    live: dict[int, list[list[float]]] = {200: [], 5: []}
    live_bytes: dict[int, list[float]] = {200: [], 5: []}
    for _ in range(rounds):
        for moving in live:
            count, errors = on_terminal([program, "live", str(moving), str(SECONDS)], SECONDS + 10)
            values = [float(word) for word in errors.split()]
            if len(values) != 3:
                raise SystemExit(f"the viewer said: {errors}")
            live[moving].append(values)
            live_bytes[moving].append(count / max(1, values[2]))
    _, errors = on_terminal([program, "views", "10000", "1"], 12)
    memory = float(errors.split()[1]) / 1024
    report = Report("terminal", rounds)
    report.add("200 boxes move, mirror to bytes, CPU", statistics.median([v[0] for v in frame[200]]) / 1000)
    report.add("200 boxes move, 60 frames/s", statistics.median(live_bytes[200]))
    report.add("5 boxes move, 60 frames/s", statistics.median(live_bytes[5]))
    report.add("200 boxes move, 60 frames/s, CPU", statistics.median([v[0] for v in live[200]]))
    report.add("5 boxes move, 60 frames/s, CPU", statistics.median([v[0] for v in live[5]]))
    shown = {moving: statistics.median([v[2] for v in live[moving]]) / SECONDS for moving in live}
    print(f"pictures a second that this machine's pseudo-terminal took: {shown[200]:.0f} of 200 boxes, {shown[5]:.0f} of 5")
    report.add("divider drag, against redrawing the screen", drag[0], drag[1], "redraw", drag[0] / drag[1])
    for moving in frame:
        whole, count, _, encoding = (statistics.median(values) for values in zip(*frame[moving], strict=True))
        for name in drivers:
            put, render, peer = (statistics.median(values) for values in zip(*peer_frame[moving, name], strict=True))
            # Their picture is finished already, and to put it stands for painting it.
            report.add(f"{moving} boxes move, bytes a frame, against {name}", count, peer, name, count / peer)
            report.add(
                f"{moving} boxes move, processor time a frame, against {name}", whole, put + render, name, whole / (put + render)
            )
            report.add(f"{moving} boxes move, finished picture to bytes, against {name}", encoding, render, name, encoding / render)
    wire = {moving: statistics.median([v[2] for v in frame[moving]]) for moving in frame}
    peers = {"tmux": tmux_bytes}
    if shutil.which("mosh-server") is None:
        print("mosh is not installed and was NOT measured (apt-get install mosh)")
    else:
        peers["mosh"] = mosh_bytes
    for moving in (200, 5):
        for name, measure in peers.items():
            peer = statistics.median([measure(program, moving) for _ in range(rounds)])
            report.add(f"{moving} boxes move, the protocol against {name}", wire[moving], peer, name, wire[moving] / peer)
    report.add("memory with 10,000 views", memory)
    report.finish()


if __name__ == "__main__":
    main()
