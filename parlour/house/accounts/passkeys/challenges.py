"""Passkeys: where they work, their challenges, and the verification of their answers.

A challenge is not stored before it is answered. It contains its expiry, and the house signs it for one guest and one
purpose, so that every process can verify it. An answered challenge is stored until it would have expired
(`accounts.passkeys.rows`), so that each works once.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from parlour.core.errors import ParlourError
from parlour.house.accounts.guests import Guests
from parlour.house.accounts.passkeys.rows import PasskeyRow
from parlour.house.errors import BadPasskey, NoPasskeys

if TYPE_CHECKING:
    from webauthn.helpers.structs import AuthenticatorData

GOOD_FOR = 300  # seconds for which a challenge is valid
ALGORITHMS = (-7, -8, -257)  # ES256, EdDSA, RS256: what devices have
FORMATS = ("none", "packed")  # we ask for no certificates; some devices send them anyway
LONGEST_KEY = 1024  # bytes of a public key, as it is kept
Purpose = Literal["make to claim", "make to add", "sign-in", "add", "remove", "password", "mail", "token", "delete"]

UNKNOWN = (
    "We don't know this passkey. It may have been removed, or belong to another house. Try another passkey, or sign "
    "in another way."
)
NOT_ASKED = "We didn't ask for this passkey, or not for this purpose. Please try again."
LATE = f"That took longer than {GOOD_FOR // 60} minutes. Please try again."
USED = "This passkey response was already used. Please try again."
ELSEWHERE = "This passkey was used at an address that isn't this house's."
UNSURE = "Your device didn't check who you are by PIN, fingerprint or face. Use a passkey that does."
UNREADABLE = "We can't read the passkey that your browser sent. Please try again."
COPIED = "We've refused this passkey because there may be a copy of it. Sign in another way and remove it."

_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9-]{0,62}")
_PORTS = {"https": 443, "http": 80}
_NONCE, _UNTIL = 16, 8  # bytes; a signature follows


class Site(NamedTuple):
    """The house as a browser knows it: the host of its passkeys (the RP ID), and the origin of its pages."""

    host: str
    origin: str


def site_of(url: str) -> Site | None:
    """Return the site of passkeys for visitors of this address; None where browsers offer none: without https (except
    at localhost), and at numeric hosts."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or _NAME.fullmatch(host) is None or len(host) > 253:
        return None
    if parts.scheme == "http" and host != "localhost":
        return None
    shown = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return Site(host, f"{parts.scheme}://{host}{shown}")


def must_be_possible(site: Site | None) -> Site:
    """Return the site. Raises NoPasskeys where passkeys don't work."""
    if site is None:
        raise NoPasskeys(
            "Passkeys work only if you open the house by name over https, or as localhost on its own computer."
        )
    return site


# What browsers send ----------------------------------------------------------------------------------
Long = Annotated[str, msgspec.Meta(max_length=16384)]
Short = Annotated[str, msgspec.Meta(max_length=4096)]
Id = Annotated[str, msgspec.Meta(max_length=1400)]  # of 1,023 bytes at most


class CredentialResponse(msgspec.Struct, frozen=True):
    """The bytes, in base64url: `attestationObject` of a new passkey, the last three of a used one."""

    client_data: Long = msgspec.field(name="clientDataJSON")
    attestation: Long = msgspec.field(name="attestationObject", default="")
    authenticator: Short = msgspec.field(name="authenticatorData", default="")
    signature: Short = ""
    handle: Short | None = msgspec.field(name="userHandle", default=None)


class Credential(msgspec.Struct, frozen=True):
    """A browser's passkey as `PublicKeyCredential.toJSON()` gives it; other fields are not read."""

    id: Id
    response: CredentialResponse

    def plain(self) -> dict[str, object]:
        """Return it in py-webauthn's form."""
        return {"id": self.id, "rawId": self.id, "type": "public-key", "response": msgspec.to_builtins(self.response)}


class Asked(NamedTuple):
    """An answered challenge: its id, and when it would have expired."""

    id: str
    until: float


class New(NamedTuple):
    """A new passkey: its id and public key (in base64url), its use count, and its answered challenge."""

    credential: str
    public: str
    signs: int
    asked: Asked


class Shown(NamedTuple):
    """A used passkey: its use count, and its answered challenge."""

    signs: int
    asked: Asked


def id_of(credential: str) -> str:
    """Return the id under which the house knows a passkey."""
    return hashlib.sha256(credential.encode()).hexdigest()


def handle_of(guest: str) -> str:
    """Return the id by which devices know a person; it means nothing elsewhere."""
    return _to_text(hashlib.sha256(f"parlour.passkey {guest}".encode()).digest())


class Passkeys:
    """The challenges of a house, signed by the last of its `guests.keys`, and the verification of answers.

    `new` and `shown` take time and load a library: call them in a thread.
    """

    def __init__(self, guests: Guests) -> None:
        self._guests = guests

    def ask(self, guest: str, purpose: Purpose) -> str:
        """Return a challenge, in base64url."""
        said = secrets.token_bytes(_NONCE) + int(time.time() + GOOD_FOR).to_bytes(_UNTIL, "big")
        return _to_text(said + _signature(self._guests.keys[-1], said, guest, purpose))

    def _answered(self, question: bytes, guest: str, purpose: Purpose) -> Asked:
        """Return the answered challenge, if it was for this guest and purpose. Errors: BadPasskey."""
        said, signature = question[: _NONCE + _UNTIL], question[_NONCE + _UNTIL :]
        if not any(hmac.compare_digest(_signature(key, said, guest, purpose), signature) for key in self._guests.keys):
            raise BadPasskey(NOT_ASKED)
        until = int.from_bytes(said[_NONCE:], "big")
        if until <= time.time():
            raise BadPasskey(LATE)
        return Asked(hashlib.sha256(question).hexdigest(), until)

    def new(self, site: Site, guest: str, purpose: Purpose, made: Credential) -> New:
        """Return a passkey that a guest has created. Errors: BadPasskey."""
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url, parse_attestation_object
        from webauthn.helpers.cose import COSEAlgorithmIdentifier

        with _whatever_is_sent(UNREADABLE):
            question = _question(site, made)
            asked = self._answered(question, guest, purpose)
            attestation = parse_attestation_object(_to_bytes(made.response.attestation))
            _must_be_here(site, attestation.auth_data)
            if attestation.fmt not in FORMATS:
                raise BadPasskey(UNREADABLE)
            found = verify_registration_response(
                credential=made.plain(),
                expected_challenge=question,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
                supported_pub_key_algs=[COSEAlgorithmIdentifier(one) for one in ALGORITHMS],
            )
            if bytes_to_base64url(found.credential_id) != made.id or len(found.credential_public_key) > LONGEST_KEY:
                raise BadPasskey(UNREADABLE)
            return New(made.id, bytes_to_base64url(found.credential_public_key), found.sign_count, asked)

    def shown(self, site: Site, guest: str, purpose: Purpose, answer: Credential, known: PasskeyRow | None) -> Shown:
        """Verify the answer of a stored passkey. An unknown passkey and a wrong answer get the same refusal. Errors:
        BadPasskey."""
        from webauthn import verify_authentication_response
        from webauthn.helpers import parse_authenticator_data

        with _whatever_is_sent(UNREADABLE):
            question = _question(site, answer)
            asked = self._answered(question, guest, purpose)
            _must_be_here(site, parse_authenticator_data(_to_bytes(answer.response.authenticator)))
        if known is None or answer.response.handle not in (None, "", handle_of(known.guest_id)):
            raise BadPasskey(UNKNOWN)
        with _whatever_is_sent(UNKNOWN):
            found = verify_authentication_response(
                credential=answer.plain(),
                expected_challenge=question,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=_to_bytes(known.public),
                credential_current_sign_count=0,  # the database compares it, as others may be at it
                require_user_verification=True,
            )
            return Shown(found.new_sign_count, asked)


def _question(site: Site, credential: Credential) -> bytes:
    """Return the challenge that was answered, at this house. Errors: BadPasskey."""
    from webauthn.helpers import parse_client_data_json

    client = parse_client_data_json(_to_bytes(credential.response.client_data))
    if client.origin != site.origin or client.cross_origin:
        raise BadPasskey(ELSEWHERE)
    return client.challenge


def _must_be_here(site: Site, device: AuthenticatorData) -> None:
    if device.rp_id_hash != hashlib.sha256(site.host.encode()).digest():
        raise BadPasskey(ELSEWHERE)
    if not device.flags.uv:
        raise BadPasskey(UNSURE)


@contextmanager
def _whatever_is_sent(words: str) -> Iterator[None]:
    """Turn any failure into one refusal: third-party code reads what strangers send, and may fail in any way."""
    try:
        yield
    except ParlourError:
        raise
    except Exception:
        raise BadPasskey(words) from None


def _signature(key: str, said: bytes, guest: str, purpose: Purpose) -> bytes:
    signed = b"\0".join((b"parlour.passkey", guest.encode(), purpose.encode(), said))
    return hmac.digest(key.encode(), signed, "sha256")


def _to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
