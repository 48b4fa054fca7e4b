"""A small command line: show a room, follow it, change it, decode bytes."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import select
import shlex
import signal
import stat
import sys
import threading
from typing import Any

from .aio import AsyncClient
from .errors import ConnectionEnded, DecodeError, RefusedError, SceneSyncError
from .messages import decode
from .mirror import Mirror
from .tokens import TokenProvider, token_command, token_file

#: What a terminal would obey, or what would change the order of what it shows.
OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    """Text as it may be printed to a terminal, whoever wrote it: such characters as `\\u009b`. JSON stays the same JSON."""
    return OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def state(mirror: Mirror) -> dict[str, Any]:
    """What `scenesync view --once --format json` prints, without ambiguity: frames in units."""
    return {
        "tick": mirror.tick,
        "hash": f"{mirror.state_hash:016x}",
        "frames": {view.id: list(view.frame) for view in mirror.preorder()},
    }


def end_with_reader() -> None:
    """Ends the process, as SIGPIPE would, once nobody reads its output: a room at rest has nothing to write, and no write would fail."""
    output = sys.stdout.fileno()
    if not (stat.S_ISFIFO(os.fstat(output).st_mode) or stat.S_ISSOCK(os.fstat(output).st_mode)):
        return

    def watch() -> None:
        poll = select.poll()
        # Errors and hang-ups come without being asked for.
        poll.register(output, 0)
        poll.poll()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGPIPE)

    # Python ignores the signal, and the main thread alone may change that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    threading.Thread(target=watch, daemon=True).start()


def token(arguments: argparse.Namespace) -> str | TokenProvider:
    """The token that the options and the environment name, or its provider."""
    if arguments.token_file:
        return token_file(arguments.token_file)
    if arguments.token_command:
        return token_command(shlex.split(arguments.token_command))
    return os.environ.get("SCENESYNC_TOKEN", "")


async def run(arguments: argparse.Namespace) -> int:
    role = "editor" if arguments.command == "apply" else "viewer"
    async with AsyncClient(
        *[arguments.url, *arguments.urls], role=role, format=arguments.format,
        reconnects=arguments.command == "follow",
        token=token(arguments), ca_file=arguments.ca_file, certificate_file=arguments.certificate_file,
        key_file=arguments.key_file,
    ) as client:  # fmt: skip
        if arguments.command == "show":
            print(shown(json.dumps(state(client.mirror))))
        elif arguments.command == "follow":
            end_with_reader()
            async for mirror in client.updates():
                print(shown(json.dumps(state(mirror))), flush=True)
        else:
            source = sys.stdin.read() if arguments.file == "-" else open(arguments.file).read()
            ops = json.loads(source)
            try:
                result = await client.apply(ops if isinstance(ops, list) else [ops], atomic=arguments.atomic)
            except RefusedError as error:
                print(shown(f"refused: {error}"), file=sys.stderr)
                return 1
            print(shown(json.dumps(result.to_json())))
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scenesync-py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("show", "print a room's state once"), ("follow", "print it each time it changes")):
        command = commands.add_parser(name, help=text)
        command.add_argument("url")
    command = commands.add_parser("apply", help="send an op or a list of ops")
    command.add_argument("url")
    command.add_argument("file", help="- reads standard input")
    command.add_argument("--atomic", action="store_true")
    for command in commands.choices.values():
        command.add_argument(
            "--url", dest="urls", action="append", default=[],
            help="another address of the room, tried where the one before does not answer; may be given more than once",
        )  # fmt: skip
        command.add_argument("--format", choices=["bin", "json"], default="bin")
        tokens = command.add_mutually_exclusive_group()
        tokens.add_argument("--token-file", help="a file with the token, read again before it ends; or SCENESYNC_TOKEN in the environment")
        tokens.add_argument("--token-command", help="a command that prints the token, run again before it ends")
        command.add_argument("--ca-file", help="a PEM file of certificates to trust, in place of the system's")
        command.add_argument("--certificate-file", help="a PEM file with this client's certificate, for servers that ask for one")
        command.add_argument("--key-file", help="the PEM file of its private key, if that is in a file of its own")
    decoder = commands.add_parser("decode", help="print a message given as hexadecimal digits")
    decoder.add_argument("hex")
    decoder.add_argument("--client", action="store_true", help="the message is a client's")
    arguments = parser.parse_args(argv)
    try:
        if arguments.command == "decode":
            print(shown(decode(bytes.fromhex(arguments.hex), arguments.client).to_text()))
            return 0
        return asyncio.run(run(arguments))
    except (DecodeError, ValueError) as error:
        print(shown(f"scenesync-py: {error}"), file=sys.stderr)
        return 65
    except ConnectionEnded as error:
        print(shown(f"scenesync-py: {error}"), file=sys.stderr)
        return 69 if error.code is None else 1
    except SceneSyncError as error:
        print(shown(f"scenesync-py: {error}"), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
