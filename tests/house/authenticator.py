"""A device with passkeys, in software: what a browser and its authenticator do, written from the WebAuthn specification
alone, so that it shares no code with the house's checks."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.house.people import Person

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
LOCAL = "http://localhost"


def text(data: bytes) -> str:
    """Encode as base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data_of(words: str) -> bytes:
    """Decode base64url without padding."""
    return base64.urlsafe_b64decode(words + "=" * (-len(words) % 4))


def _cbor(value: Any) -> bytes:
    """Encode in CBOR, as far as a passkey needs it."""

    def head(kind: int, size: int) -> bytes:
        if size < 24:
            return bytes([kind << 5 | size])
        return bytes([kind << 5 | 24, size]) if size < 256 else bytes([kind << 5 | 25]) + size.to_bytes(2, "big")

    match value:
        case int():
            return head(0, value) if value >= 0 else head(1, -1 - value)
        case bytes():
            return head(2, len(value)) + value
        case str():
            return head(3, len(value.encode())) + value.encode()
        case dict():
            return head(5, len(value)) + b"".join(_cbor(key) + _cbor(one) for key, one in value.items())
    raise AssertionError(value)


@dataclass
class Passkey:
    """One passkey: its id, its private key, its owner, and how often it was used."""

    id: bytes
    key: ec.EllipticCurvePrivateKey
    handle: str
    signs: int = 0


@dataclass
class Device:
    """A browser with an authenticator. Its fields can make it wrong: another `origin` or `host`, no check by PIN
    (`flags`), a counter that is always 0 (`step`)."""

    origin: str = LOCAL
    host: str = "localhost"
    flags: int = PRESENT | VERIFIED
    step: int = 1
    keys: list[Passkey] = field(default_factory=list)

    def make(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what navigator.credentials.create() does, without attestation."""
        assert {"alg": -7, "type": "public-key"} in asked["pubKeyCredParams"]
        assert asked["rp"]["id"] == "localhost"
        key = Passkey(os.urandom(20), ec.generate_private_key(ec.SECP256R1()), asked["user"]["id"])
        self.keys.append(key)
        return self.made(key, asked["challenge"])

    def made(self, key: Passkey, challenge: str) -> dict[str, Any]:
        """Return the browser's answer for a new passkey."""
        numbers = key.key.public_key().public_numbers()
        public = _cbor({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        kept = bytes(16) + struct.pack(">H", len(key.id)) + key.id + public
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._data(key, self.flags | ATTESTED) + kept}
        response = {
            "clientDataJSON": self._client("webauthn.create", challenge),
            "attestationObject": text(_cbor(attestation)),
        }
        return self._answer(key, response)

    def use(self, asked: dict[str, Any], key: Passkey | None = None) -> dict[str, Any]:
        """Do what navigator.credentials.get() does, with the last passkey by default."""
        key = key or self.keys[-1]
        if allowed := asked["allowCredentials"]:
            assert text(key.id) in [one["id"] for one in allowed]
        key.signs += self.step
        data, client = self._data(key, self.flags), self._client("webauthn.get", asked["challenge"])
        signed = key.key.sign(data + hashlib.sha256(data_of(client)).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": client, "authenticatorData": text(data), "signature": text(signed),
            "userHandle": key.handle,
        }  # fmt: skip
        return self._answer(key, response)

    def _data(self, key: Passkey, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + struct.pack(">I", key.signs)

    def _client(self, kind: str, challenge: str) -> str:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return text(json.dumps(said).encode())

    def _answer(self, key: Passkey, response: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": text(key.id), "rawId": text(key.id), "type": "public-key", "clientExtensionResults": {},
            "authenticatorAttachment": "platform", "response": response,
        }  # fmt: skip


# What people do with passkeys --------------------------------------------------------------------------
def at_home(person: Person) -> Person:
    """Return the same person as a visitor of http://localhost, where passkeys work."""
    person.headers["host"] = "localhost"
    return person


async def claim(person: Person, device: Device, name: str) -> Any:
    """Claim a name with a new passkey."""
    made = device.make(await person.do("me/passkeys/new", why="claim", name=name))
    return await person.do("me/passkeys/claim", name=name, made=made)


async def use(person: Person, device: Device, why: str, **more: Any) -> dict[str, Any]:
    """Return the last passkey's answer for this purpose."""
    return device.use(await person.do("me/passkeys/ask", why=why, **more))


async def sign_in(person: Person, device: Device, **more: Any) -> Any:
    """Sign in with the last passkey."""
    return await person.do("me/passkeys/sign-in", answer=await use(person, device, "sign-in"), **more)


async def add(person: Person, device: Device, by: Device | None = None, **proof: Any) -> None:
    """Add a passkey, confirmed with a passkey of `by` if one is needed."""
    if by is not None:
        proof = {"answer": await use(person, by, "add")}
    made = device.make(await person.do("me/passkeys/new", why="add", **proof))
    await person.do("me/passkeys/add", made=made)
