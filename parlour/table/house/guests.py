"""Who is playing: guests without accounts, known by a signed cookie; and what they may call themselves and say."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections import OrderedDict

import msgspec
from itsdangerous import BadSignature, Signer

from parlour.table.errors import BadInput
from parlour.table.storage.store import Store

MAX_NAME, MAX_WORDS, MAX_CHAT = 24, 64, 300  # characters
COOKIE = "parlour_guest"
COOKIE_AGE = 400 * 86400  # seconds; browsers keep none for longer
_KNOWN = 10_000  # names remembered
_JOINER = "\u200d"  # part of many emoji


class Guest(msgspec.Struct, frozen=True):
    """Who is looking. `named` is false until they have chosen a name."""

    id: str
    name: str
    named: bool = True


class Guests:
    """The guests of a house. Nothing is written about a guest before they choose a name or take
    a seat."""

    def __init__(self, store: Store, secret: bytes, *, shared: bool) -> None:
        self._store = store
        self._signer = Signer(secret, salt="parlour.guest", digest_method=hashlib.sha256)
        self._names: OrderedDict[str, str] = OrderedDict()
        self._shared = shared  # other processes change names too

    def read(self, cookie: str | None) -> str | None:
        """The guest's id in a cookie that we signed, else None."""
        try:
            return self._signer.unsign(cookie or "").decode()
        except (BadSignature, UnicodeDecodeError):
            return None

    def new(self) -> str:
        """The id of a guest not seen before."""
        return secrets.token_hex(12)

    def sign(self, guest: str) -> str:
        """The cookie's value."""
        return self._signer.sign(guest).decode()

    async def guest(self, guest: str) -> Guest:
        """The guest with this id, under the name chosen, or a friendly one."""
        name = self._names.get(guest) if not self._shared else None
        if name is None:
            name = await self._store.guest_name(guest)
            if name is None:
                return Guest(guest, default_name(guest), named=False)
            self._remember(guest, name)
        return Guest(guest, name)

    async def rename(self, guest: str, name: str) -> Guest:
        """Take another name; BadInput says what a name may be."""
        name = clean_name(name)
        await self._store.name_guest(guest, name)
        self._remember(guest, name)
        return Guest(guest, name)

    def _remember(self, guest: str, name: str) -> None:
        self._names[guest] = name
        self._names.move_to_end(guest)
        if len(self._names) > _KNOWN:
            self._names.popitem(last=False)


def default_name(guest: str) -> str:
    """ "Guest 1234", the same each time for the same guest."""
    return f"Guest {1000 + int(hashlib.sha256(guest.encode()).hexdigest(), 16) % 9000}"


def clean_name(text: str) -> str:
    """A name as it will be shown: 1 to 24 characters, none of them invisible. BadInput
    otherwise."""
    return _clean(text, MAX_NAME, "A name", fewest=1)


def clean_words(text: str) -> str:
    """A player's words for the dice; may be empty. BadInput if too long or not text."""
    return _clean(text, MAX_WORDS, "Words for the dice", fewest=0)


def clean_chat(text: str) -> str:
    """A line of chat: 1 to 300 characters. BadInput otherwise."""
    return _clean(text, MAX_CHAT, "A message", fewest=1)


def _clean(text: str, most: int, what: str, *, fewest: int) -> str:
    text = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()
    bad = next((c for c in text if unicodedata.category(c).startswith("C") and c != _JOINER), None)
    if bad is not None:
        raise BadInput(f"{what} cannot hold the control character U+{ord(bad):04X}.")
    visible = any(not unicodedata.category(c).startswith(("Z", "M", "C")) for c in text)
    if len(text) > most or (len(text) < fewest or (fewest and not visible)):
        raise BadInput(f"{what} has {fewest} to {most} visible characters; this has {len(text) if visible else 0}.")
    return text
