"""The TLS settings of a client, for `wss:` addresses."""

from __future__ import annotations

import os
import ssl

PathName = str | os.PathLike[str]


def tls_context(
    ca_file: PathName | None = None, certificate_file: PathName | None = None, key_file: PathName | None = None
) -> ssl.SSLContext | None:
    """The settings for TLS; `None` if nothing was given, which leaves them to the system.

    - `ca_file`: a PEM file of the certificates to trust, in place of the system's.
    - `certificate_file`: a PEM file with the client's own certificate and its chain, for servers that ask for one.
    - `key_file`: the PEM file of its private key; by default it is in `certificate_file`.

    Raises `ValueError` that names the file where one cannot be read or is no PEM file, or where a key has no certificate.
    """
    if key_file is not None and certificate_file is None:
        raise ValueError("a key needs its certificate: give certificate_file too")
    if ca_file is None and certificate_file is None:
        return None
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"{ca_file} is no readable PEM file of certificates: {error}") from error
    if certificate_file is not None:
        try:
            # Without an answer OpenSSL would ask the terminal for the passphrase of an encrypted key.
            context.load_cert_chain(certificate_file, key_file, password=_no_passphrase)
        except (OSError, ssl.SSLError, ValueError) as error:
            raise ValueError(f"{certificate_file} is no readable certificate with its key: {error}") from error
    return context


def _no_passphrase() -> str:
    raise ValueError("the key is encrypted; decrypt it first, or give an SSLContext")


__all__ = ["tls_context"]
