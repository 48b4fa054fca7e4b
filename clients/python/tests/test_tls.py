"""Connections over TLS: the server's own, and one whose server asks for the client's certificate."""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenesync import AsyncClient, Client, tls_context
from scenesync.errors import ConnectionEnded
from scenesync_server import EXAMPLES, Server


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    """A certificate authority in a folder, and certificates that it signs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.certificate, self.key = folder, folder / "ca.pem", folder / "ca.key"
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Authority",
                "-addext", "keyUsage=critical,keyCertSign", "-keyout", self.key, "-out", self.certificate)  # fmt: skip

    def issue(self, name: str) -> tuple[Path, Path]:
        """A certificate for `localhost` and 127.0.0.1, and its key."""
        key, request, certificate = (self.folder / f"{name}.{ending}" for ending in ("key", "csr", "pem"))
        extensions = self.folder / "extensions"
        extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", "2",
                "-extfile", extensions, "-out", certificate)  # fmt: skip
        return certificate, key


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def room(authority: Authority) -> Iterator[str]:
    certificate, key = authority.issue("server")
    scene = str(EXAMPLES / "dashboard.json")
    with Server("--in-memory", "--tls-cert", str(certificate), "--tls-key", str(key), "--scene", scene) as server:
        yield server.url + "/demo"


def test_the_authority_that_is_named_is_trusted(room: str, authority: Authority) -> None:
    assert room.startswith("wss://")
    with Client(room, ca_file=authority.certificate) as client:
        assert client.read(len) > 30
    with Client(room, ssl_context=ssl.create_default_context(cafile=authority.certificate)) as client:
        assert client.read(len) > 30


def test_without_it_the_server_is_not_trusted(room: str, tmp_path: Path) -> None:
    with pytest.raises(ConnectionEnded, match="certificate verify failed.*ca_file"), Client(room):
        pass
    with pytest.raises(ConnectionEnded, match="certificate verify failed"), Client(room, ca_file=Authority(tmp_path).certificate):
        pass


def test_the_command_line_takes_the_files(room: str, authority: Authority) -> None:
    def show(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "scenesync.cli", "show", room, *options], capture_output=True, text=True)

    assert "sidebar" in json.loads(show("--ca-file", str(authority.certificate)).stdout)["frames"]
    refused = show()
    assert refused.returncode == 69 and "certificate verify failed" in refused.stderr
    missing = show("--ca-file", "no-such-file")
    assert missing.returncode == 65 and "no-such-file is no readable PEM file" in missing.stderr


def test_the_clients_certificate_is_shown_to_a_server_that_asks(room: str, authority: Authority) -> None:
    """A relay in front of the server ends TLS, and admits only clients with a certificate of the authority."""

    async def run() -> None:
        asked = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority.certificate)
        asked.load_cert_chain(*authority.issue("relay"))
        asked.verify_mode = ssl.CERT_REQUIRED
        own, port = ssl.create_default_context(cafile=authority.certificate), int(room.rsplit(":", 1)[1].split("/")[0])
        names: list[str] = []

        async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.close()

        async def admit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            subject = dict(pair[0] for pair in writer.get_extra_info("peercert")["subject"])
            names.append(subject["commonName"])
            above, below = await asyncio.open_connection("127.0.0.1", port, ssl=own)
            await asyncio.gather(pump(reader, below), pump(above, writer), return_exceptions=True)

        relay = await asyncio.start_server(admit, "127.0.0.1", 0, ssl=asked)
        url = f"wss://127.0.0.1:{relay.sockets[0].getsockname()[1]}/demo"
        certificate, key = authority.issue("ada")
        both = authority.folder / "both.pem"
        both.write_text(certificate.read_text() + key.read_text())
        for files in ({"certificate_file": certificate, "key_file": key}, {"certificate_file": both}):
            async with AsyncClient(url, ca_file=authority.certificate, **files) as client:
                assert "sidebar" in client.mirror
        assert names == ["ada", "ada"]
        with pytest.raises(ConnectionEnded):
            async with AsyncClient(url, ca_file=authority.certificate):
                pass
        assert names == ["ada", "ada"]
        relay.close()

    asyncio.run(asyncio.wait_for(run(), 30))


def test_wrong_files_are_named(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.issue("eve")
    text, locked = tmp_path / "text", tmp_path / "locked.key"
    text.write_text("no PEM\n")
    openssl("rsa", "-aes256", "-passout", "pass:1234", "-in", key, "-out", locked)
    with pytest.raises(ValueError, match="text is no readable PEM file"):
        tls_context(ca_file=text)
    with pytest.raises(ValueError, match="text is no readable certificate"):
        tls_context(certificate_file=text)
    with pytest.raises(ValueError, match="eve.pem is no readable certificate with its key"):
        tls_context(certificate_file=certificate, key_file=authority.key)
    with pytest.raises(ValueError, match="the key is encrypted"):
        tls_context(certificate_file=certificate, key_file=locked)
    with pytest.raises(ValueError, match="give certificate_file too"):
        tls_context(key_file=key)
    with pytest.raises(ValueError, match="not both"):
        AsyncClient("wss://127.0.0.1:1/r", ca_file=certificate, ssl_context=ssl.create_default_context())
    assert tls_context() is None
