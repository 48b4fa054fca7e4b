"""Makes cases.json: tokens, key sets and PEM files that have to be refused, and those of the same keys that have to be taken.

    make_cases.py    writes cases.json anew, with new keys; needs Python's `cryptography`

What is wrong with each is one thing alone, so that nothing but the check for it refuses the case: a token with wrong claims is signed
well. Nothing of the server takes part.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, padding, rsa, utils, x25519

SECRET = b"an example of a secret, 37 bytes long"
CLAIMS: dict[str, Any] = {"sub": "ada", "exp": 4102444800, "rooms": ["lobby"], "role": "editor"}

elliptic = ec.generate_private_key(ec.SECP256R1())
edwards = ed25519.Ed25519PrivateKey.generate()
modular = rsa.generate_private_key(65537, 2048)


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int, length: int | None = None) -> str:
    return b64(value.to_bytes(length or (value.bit_length() + 7) // 8, "big"))


def sign(algorithm: str, message: bytes) -> bytes:
    if algorithm == "HS256":
        return hmac.new(SECRET, message, hashlib.sha256).digest()
    if algorithm == "ES256":
        r, s = utils.decode_dss_signature(elliptic.sign(message, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    if algorithm == "RS256":
        return modular.sign(message, padding.PKCS1v15(), hashes.SHA256())
    return edwards.sign(message)


def token(claims: Any = None, header: Any = None, algorithm: str = "HS256") -> str:
    """A token that is signed well, whatever it says. Texts stand as they are."""
    header = {"alg": algorithm, "typ": "JWT"} if header is None else header
    parts = [part if isinstance(part, bytes) else json.dumps(part).encode() for part in (header, CLAIMS if claims is None else claims)]
    signed = ".".join(b64(part) for part in parts)
    return signed + "." + b64(sign(algorithm, signed.encode()))


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in CLAIMS.items() if name != key}


def tokens() -> dict[str, str]:
    good = {name: token(algorithm=name) for name in ("HS256", "ES256", "RS256", "EdDSA")}
    head, body, signature = good["HS256"].split(".")
    e_head, e_body, e_signature = good["ES256"].split(".")
    raw = base64.urlsafe_b64decode(e_signature + "==")
    cases = {
        "no dots": head + body + signature,
        "two parts": f"{head}.{body}",
        "four parts": good["HS256"] + ".",
        "five parts, as an encrypted one": ".".join([head, body, signature, body, signature]),
        "dots alone": "..",
        "no header": f".{body}.{signature}",
        "no claims": f"{head}..{signature}",
        "no signature": f"{head}.{body}.",
        "a blank in front": " " + good["HS256"],
        "a line end behind": good["HS256"] + "\n",
        "padding behind the signature": good["HS256"] + "=",
        "the alphabet of mail": good["HS256"].replace("-", "+").replace("_", "/") if set("-_") & set(good["HS256"]) else head + ".+/." + signature,
        "bits behind the signature's end": good["HS256"][:-1] + chr(ord(good["HS256"][-1]) + 1),
        "a length that no bytes have": good["HS256"] + "AA",
        "the signature cut": good["HS256"][:-4],
        "the signature of other claims": f"{head}.{body}." + token(without("sub")).split(".")[2],
        "the claims changed": f"{head}.{b64(json.dumps({**CLAIMS, 'role': 'admin'}).encode())}.{signature}",
        "a signature of zeros": f"{head}.{body}.{b64(bytes(32))}",
        "an empty header": token(header={}),
        "a header that is no object": token(header=["HS256"]),
        "a header that is no JSON": token(header=b"{alg: HS256}"),
        "a header with a key twice": token(header=b'{"alg":"HS256","alg":"HS256"}'),
        "a header with something behind": token(header=b'{"alg":"HS256"} {}'),
        "a header that is no UTF-8": token(header=b'{"alg":"HS256","x":"\xff"}'),
        "a header of a thousand levels": token(header=b'{"alg":"HS256","x":' + b"[" * 1000 + b"]" * 1000 + b"}"),
        "alg none": b64(b'{"alg":"none"}') + f".{body}.",
        "alg none, signed": token(header={"alg": "none"}),
        "alg in another case": token(header={"alg": "hs256"}),
        "alg a number": token(header={"alg": 256}),
        "alg null": token(header={"alg": None}),
        "alg HS512 with a signature of HS256": token(header={"alg": "HS512"}),
        "alg PS256": token(header={"alg": "PS256"}),
        "alg ES256 signed with the secret": token(header={"alg": "ES256"}),
        "alg HS256 signed with ES256": token(header={"alg": "HS256"}, algorithm="ES256"),
        "alg RS256 signed with EdDSA": token(header={"alg": "RS256"}, algorithm="EdDSA"),
        "kid a number": token(header={"alg": "HS256", "kid": 1}),
        "crit": token(header={"alg": "HS256", "crit": ["exp"]}),
        "crit empty": token(header={"alg": "HS256", "crit": []}),
        "crit null": token(header={"alg": "HS256", "crit": None}),
        "b64 false, as crit has it": token(header={"alg": "HS256", "b64": False, "crit": ["b64"]}),
        "the public key as the secret": "",
        "ES256 as DER": f"{e_head}.{e_body}.{b64(elliptic.sign(f'{e_head}.{e_body}'.encode(), ec.ECDSA(hashes.SHA256())))}",
        "ES256 of zeros": f"{e_head}.{e_body}.{b64(bytes(64))}",
        "ES256 with r zero": f"{e_head}.{e_body}.{b64(bytes(32) + raw[32:])}",
        "ES256 with s beyond the order": f"{e_head}.{e_body}.{b64(raw[:32] + bytes([255] * 32))}",
        "ES256 with r and s swapped": f"{e_head}.{e_body}.{b64(raw[32:] + raw[:32])}",
        "ES256 a byte longer": f"{e_head}.{e_body}.{b64(raw + bytes(1))}",
        "ES256 a byte shorter": f"{e_head}.{e_body}.{b64(raw[:-1])}",
        "EdDSA of zeros": ".".join(good["EdDSA"].split(".")[:2]) + "." + b64(bytes(64)),
        "RS256 of zeros": ".".join(good["RS256"].split(".")[:2]) + "." + b64(bytes(256)),
        "RS256 with PSS": "",
        "RS256 with SHA-1": "",
        "RS256 of another key": "",
        "no exp": token(without("exp")),
        "exp a text": token({**CLAIMS, "exp": "4102444800"}),
        "exp null": token({**CLAIMS, "exp": None}),
        "exp beyond numbers": token(json.dumps(CLAIMS).replace("4102444800", "1e999").encode()),
        "no rooms": token(without("rooms")),
        "rooms a text": token({**CLAIMS, "rooms": "lobby"}),
        "rooms with a number": token({**CLAIMS, "rooms": ["lobby", 1]}),
        "no role": token(without("role")),
        "role unknown": token({**CLAIMS, "role": "Editor"}),
        "sub a number": token({**CLAIMS, "sub": 1}),
        "iss a list": token({**CLAIMS, "iss": ["a"]}),
        "aud a number": token({**CLAIMS, "aud": 1}),
        "aud with a number": token({**CLAIMS, "aud": ["a", 1]}),
        "nbf a text": token({**CLAIMS, "nbf": "0"}),
        "iat true": token({**CLAIMS, "iat": True}),
        "seek a number": token({**CLAIMS, "seek": 0}),
        "claims that are a list": token([CLAIMS]),
        "claims with a key twice": token(json.dumps(CLAIMS).replace('"role"', '"role":"viewer","role"').encode()),
        "claims that are no JSON": token(b"ada"),
        "claims that are empty": token(b""),
        "claims of a thousand levels": token(json.dumps(CLAIMS).encode()[:-1] + b',"x":' + b"[" * 1000 + b"]" * 1000 + b"}"),
        "longer than any token": token({**CLAIMS, "sub": "a" * 9000}),
    }
    pem = elliptic.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    cases["the public key as the secret"] = f"{head}.{body}." + b64(hmac.new(pem, f"{head}.{body}".encode(), hashlib.sha256).digest())
    r_head, r_body, _ = good["RS256"].split(".")
    signed = f"{r_head}.{r_body}".encode()
    salted = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    cases["RS256 with PSS"] = f"{r_head}.{r_body}." + b64(modular.sign(signed, salted, hashes.SHA256()))
    cases["RS256 with SHA-1"] = f"{r_head}.{r_body}." + b64(modular.sign(signed, padding.PKCS1v15(), hashes.SHA1()))
    other = rsa.generate_private_key(65537, 2048)
    cases["RS256 of another key"] = f"{r_head}.{r_body}." + b64(other.sign(signed, padding.PKCS1v15(), hashes.SHA256()))
    return cases


def jwks() -> list[dict[str, Any]]:
    point, modulus = elliptic.public_key().public_numbers(), modular.public_key().public_numbers()
    raw = edwards.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return [
        {"kty": "EC", "crv": "P-256", "kid": "e", "x": number(point.x, 32), "y": number(point.y, 32)},
        {"kty": "OKP", "crv": "Ed25519", "kid": "o", "x": b64(raw)},
        {"kty": "RSA", "kid": "r", "n": number(modulus.n), "e": number(modulus.e)},
    ]


def key_sets() -> dict[str, tuple[str, str]]:
    """Key sets that hold no key, or one that is none, each with a part of what is said of it."""
    point, edward, modulus = jwks()
    none, shape, numbers = "no key of", "not a JSON Web Key Set", "numbers"
    short = rsa.generate_private_key(65537, 1024).public_key().public_numbers()

    def one(key: dict[str, Any], **changes: Any) -> str:
        return json.dumps({"keys": [{name: value for name, value in {**key, **changes}.items() if value is not ...}]})

    return {
        "nothing": ("", "not valid JSON"),
        "no JSON": ("{keys: []}", "not valid JSON"),
        "JSON cut": ('{"keys": [', "not valid JSON"),
        "a list": ("[]", shape),
        "no keys": ("{}", shape),
        "keys an object": ('{"keys": {}}', shape),
        "an empty list": ('{"keys": []}', none),
        "a key that is a text": ('{"keys": ["one"]}', "not an object"),
        "a key without members": ('{"keys": [{}]}', none),
        "an unknown kind": (one(point, kty="LATTICE"), none),
        "a secret": ('{"keys": [{"kty": "oct", "kid": "s", "k": "' + b64(SECRET) + '"}]}', none),
        "for encryption": (one(point, use="enc"), none),
        "for another algorithm": (one(modulus, alg="PS256"), none),
        "curve P-384": (one(point, crv="P-384"), none),
        "no curve": (one(point, crv=...), none),
        "curve X25519": (one(edward, crv="X25519"), none),
        "no kid": (one(point, kid=...), "no kid"),
        "an empty kid": (one(edward, kid=""), "no kid"),
        "kid a number": (one(modulus, kid=1), "no kid"),
        "no x": (one(point, x=...), numbers),
        "x a number": (one(point, x=5), numbers),
        "x with padding": (one(point, x=point["x"] + "="), numbers),
        "x a byte short": (one(point, x=number(1, 31)), numbers),
        "x a byte long": (one(point, x=b64(bytes(1) + base64.urlsafe_b64decode(point["x"] + "=="))), numbers),
        "a point off the curve": (one(point, y=number(1, 32)), numbers),
        "the point at zero": (one(point, x=number(0, 32), y=number(0, 32)), numbers),
        "a coordinate beyond the field": (one(point, x=b64(bytes([255] * 32))), numbers),
        "Ed25519 of 31 bytes": (one(edward, x=b64(bytes(31))), numbers),
        "Ed25519 of nothing": (one(edward, x=""), numbers),
        "RSA without a modulus": (one(modulus, n=...), numbers),
        "RSA with an empty modulus": (one(modulus, n=""), numbers),
        "RSA with an even modulus": (one(modulus, n=number(1 << 2047)), numbers),
        "RSA with an exponent of one": (one(modulus, e="AQ"), numbers),
        "RSA with an even exponent": (one(modulus, e="AQAA"), numbers),
        "RSA with an exponent of nothing": (one(modulus, e=""), numbers),
        "RSA of 1024 bits": (one(modulus, n=number(short.n)), "1024 bits"),
        "RSA of 24000 bits": (one(modulus, n=b64(bytes([255] * 3000))), numbers),
        "one good, one that is none": (json.dumps({"keys": [point, {**edward, "x": "AA"}]}), numbers),
    }


def pem(key: Any, password: bytes | None = None) -> str:
    if hasattr(key, "private_bytes"):
        how = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how).decode()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def pem_files() -> dict[str, tuple[str, str]]:
    good = pem(elliptic.public_key())
    lines = good.splitlines()
    return {
        "nothing": ("", "no key in PEM"),
        "text": ("no key\n", "no key in PEM"),
        "the header alone": (lines[0] + "\n", "no key in PEM"),
        "no end": ("\n".join(lines[:-1]) + "\n", "no key in PEM"),
        "cut": ("\n".join([lines[0], lines[1][:20], lines[-1]]) + "\n", "no key in PEM"),
        "no base64": ("\n".join([lines[0], "!" * 64, lines[-1]]) + "\n", "no key in PEM"),
        "a private key": (pem(elliptic), "-pubout"),
        "curve P-384": (pem(ec.generate_private_key(ec.SECP384R1()).public_key()), "secp384r1"),
        "curve secp256k1": (pem(ec.generate_private_key(ec.SECP256K1()).public_key()), "secp256k1"),
        "X25519": (pem(x25519.X25519PrivateKey.generate().public_key()), "X25519"),
        "Ed448": (pem(ed448.Ed448PrivateKey.generate().public_key()), "ED448"),
        "DSA": (pem(dsa.generate_private_key(2048).public_key()), "DSA"),
        "RSA of 1024 bits": (pem(rsa.generate_private_key(65537, 1024).public_key()), "1024 bits"),
    }


def private_files() -> dict[str, tuple[str, str]]:
    return {
        "a public key": (pem(elliptic.public_key()), "no key in PEM"),
        "a passphrase": (pem(elliptic, b"word"), "passphrase"),
        "curve P-384": (pem(ec.generate_private_key(ec.SECP384R1())), "secp384r1"),
        "X25519": (pem(x25519.X25519PrivateKey.generate()), "X25519"),
        "RSA of 1024 bits": (pem(rsa.generate_private_key(65537, 1024)), "1024 bits"),
    }


def main() -> None:
    good = {name: token(algorithm=name) for name in ("HS256", "ES256", "RS256", "EdDSA")}
    named = {
        name: token(header={"alg": name, "kid": kid}, algorithm=name) for name, kid in (("ES256", "e"), ("RS256", "r"), ("EdDSA", "o"))
    }
    misnamed = token(header={"alg": "ES256", "kid": "another"}, algorithm="ES256")
    cases = {
        "secret": SECRET.decode(),
        "publicKeys": [pem(key.public_key()) for key in (elliptic, modular, edwards)],
        "privateKeys": [pem(key) for key in (elliptic, modular, edwards)],
        "keySet": json.dumps({"keys": jwks()}),
        "good": good,
        "named": named,
        "misnamed": misnamed,
        "tokens": tokens(),
        "keySets": key_sets(),
        "publicFiles": pem_files(),
        "privateFiles": private_files(),
    }
    path = Path(__file__).with_name("cases.json")
    path.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
