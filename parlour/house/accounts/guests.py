"""The guests, known by a signed cookie, with or without an account; and what names and messages they can use.

The cookie of a person with an account also contains one of their sessions. So a session can be ended, and a cookie from
before the account no longer works.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from itsdangerous import BadSignature, Signer

from parlour.house.accounts import rows
from parlour.house.accounts.names import default_name, likeness, others
from parlour.house.accounts.preferences import rows as stored
from parlour.house.accounts.preferences.choices import PREFERENCES
from parlour.house.accounts.rows import Who
from parlour.house.accounts.tokens import rows as token_rows
from parlour.house.database.store import Store
from parlour.house.errors import BadInput, NameTaken, StoreFailed
from parlour.house.news.peers import Peers

MAX_NAME, MAX_CLUB, MAX_WORDS, MAX_CHAT = 24, 40, 64, 300  # characters
COOKIE = "parlour_guest"
SECURE_COOKIE = f"__Host-{COOKIE}"  # under https: no other host, also none of the same domain, can set it
FRESH = 3.0  # seconds for which a name is trusted that another process may have changed,
TOLD = 300.0  # and while other processes report new names
COOKIE_AGE = 400 * 86400  # seconds; browsers keep none for longer
RENEWED = 30 * 86400.0  # seconds after which what is kept as long as a cookie is noted again
KNOWN_COOKIE = "parlour_known"  # who has signed in in this browser before
SECURE_KNOWN = f"__Host-{KNOWN_COOKIE}"
IN_A_BROWSER = 8  # people per browser whose earlier sign-ins it remembers
BETWEEN = ":"  # a guest and a session
_REMEMBERED = 10_000  # guests, with their name or that they have none
_JOINER = "\u200d"  # part of many emoji
# Drawn as nothing although Unicode counts them as letters and symbols: fillers of Hangul, the empty Braille pattern, a
# note without a head, blanks between hieroglyphs, a filler of Khitan. (All else that is invisible is a mark, a space, a
# control or a format character.) They count as spaces.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159\U00013441\U00013442\U00016fe4"
_SPACES = re.compile(rf"[\s{_BLANK}]+")


class Guest(msgspec.Struct, frozen=True):
    """The person who looks. `named` is true once they have chosen a name, `claimed` once they have an account;
    `program` if a program looks for them, with a token."""

    id: str
    name: str
    named: bool = True
    claimed: bool = False
    preferences: dict[str, str] = {}  # what they have chosen of `accounts.preferences.choices`
    program: bool = False


class Pass(NamedTuple):
    """The content of a cookie: the guest, and for an account its session, otherwise "". A token is the same, with its
    hash for the session (`accounts.tokens.reading`)."""

    guest: str
    session: str = ""


class Before:
    """The people who have signed in in a browser before, in a signed cookie. It doesn't sign anyone in, but tells the
    browser from strangers who guess passwords (OWASP's device cookies)."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._signer, self._reader = _signer(keys[-1:], "parlour.known"), _signer(keys, "parlour.known")

    def read(self, cookie: str | None) -> dict[str, str]:
        """Return the people, and for each what tells this browser from their others."""
        try:
            text = self._reader.unsign(cookie or "").decode()
        except (BadSignature, UnicodeDecodeError):
            return {}
        return dict(one.split(BETWEEN, 1) for one in text.split(",") if BETWEEN in one)

    def with_one(self, cookie: str | None, person: str, without: str = "") -> str:
        """Return the cookie with this person added, or `without` a deleted one; "" if it is empty."""
        _must_be_plain(person)
        known = self.read(cookie)
        known.pop(without, None)
        if person:
            known[person] = known.pop(person, "") or secrets.token_hex(8)  # the last to sign in is last
        text = ",".join(f"{one}{BETWEEN}{mark}" for one, mark in [*known.items()][-IN_A_BROWSER:])
        return self._signer.sign(text).decode() if text else ""


class _Known(NamedTuple):
    """What is known of a guest, and when the database last confirmed it."""

    who: Who
    asked: float


class Guests:
    """The guests of a house. Nothing about a guest is stored before they choose a name or take a seat.

    `keys` sign cookies or have signed them; the last one signs. Other processes change names too, if there are any:
    while they report here a name is kept; otherwise it is read again after FRESH seconds.
    """

    def __init__(self, store: Store, keys: Sequence[str], peers: Peers) -> None:
        self._store = store
        self._names: OrderedDict[str, _Known] = OrderedDict()
        self._peers = peers
        self.use(keys)

    def use(self, keys: Sequence[str]) -> None:
        """Use these keys from now on."""
        self.keys = tuple(keys)
        self._signer, self._reader = _signer(keys[-1:]), _signer(keys)
        self.before = Before(keys)

    def read(self, cookie: str | None) -> Pass | None:
        """Return the content of a cookie that we signed, otherwise None. It may still not be admitted."""
        try:
            guest, _, session = self._reader.unsign(cookie or "").decode().partition(BETWEEN)
        except (BadSignature, UnicodeDecodeError):
            return None
        return Pass(guest, session)

    def is_current(self, cookie: str) -> bool:
        """Return whether a cookie is signed with the present key and needs no replacement."""
        return self._signer.validate(cookie)

    def new(self) -> str:
        """Return the id of a new guest."""
        guest = secrets.token_hex(12)
        self._remember(guest, Who(None))
        return guest

    def sign(self, guest: str, session: str = "") -> str:
        """Return the cookie's value, which `read` reverses."""
        _must_be_plain(guest, session)
        return self._signer.sign(f"{guest}{BETWEEN}{session}" if session else guest).decode()

    async def admits(self, one: Pass) -> bool:
        """Return whether a cookie is valid: of a guest without a session, or with a session that has not ended. Before
        we refuse a guest, we read the database again: they may just have signed in at another process."""
        before = one.guest in self._names
        good = _admitted(await self.who(one.guest), one)
        if good or not (before and self._peers.shared):
            return good
        self.forget(one.guest)
        return _admitted(await self.who(one.guest), one)

    def knows_token(self, one: Pass) -> bool:
        """Return whether we know, without asking the database, that a token was valid when we last asked."""
        known = self._names.get(one.guest)
        return known is not None and one.session in known.who.tokens

    async def scopes(self, one: Pass) -> frozenset[str] | None:
        """Return what a token allows, None if it is not valid. Only a valid one makes the house remember its account:
        anyone can name one."""
        if not self.knows_token(one) and not await self._store.ask(
            partial(token_rows.exists, guest=one.guest, token=one.session)
        ):
            return None
        found = (await self.who(one.guest)).tokens.get(one.session) if await self.admits(one) else None
        return None if found is None else frozenset(found.split())

    def refuses(self, one: Pass) -> bool:
        """Return whether we already know, without asking the database, that a cookie is no longer valid."""
        known = self._names.get(one.guest)
        return known is not None and not _admitted(known.who, one)

    async def who(self, guest: str) -> Who:
        """Return what is known of a guest."""
        known = self._names.get(guest)
        if known is None or (
            self._peers.shared and time.monotonic() - known.asked > (TOLD if self._peers.connected() else FRESH)
        ):
            who = await self._store.ask(partial(rows.who, guest=guest))
            if self._names.get(guest) is known:  # else they took another name meanwhile
                self._remember(guest, who)
            return who
        return known.who

    async def guest(self, guest: str) -> Guest:
        """Return the guest with this id, under the chosen name or a default one."""
        name, claimed, _, preferences, _, _ = await self.who(guest)
        if name is None:
            return Guest(guest, default_name(guest), named=False, preferences=dict(preferences))
        return Guest(guest, name, claimed=claimed, preferences=dict(preferences))

    async def rename(self, guest: str, name: str) -> Guest:
        """Change a guest's name. BadInput says what a name may be; NameTaken suggests free ones if the name belongs to
        an account."""
        name = clean_name(name)
        if not await self._store.name_guest(guest, name, likeness(name)):
            raise await self.taken(name)
        self.changed(guest)
        return await self.guest(guest)

    async def prefer(self, guest: str, name: str, value: str) -> None:
        """Choose a value of a setting. BadInput lists the possible ones."""
        found = PREFERENCES.get(name)
        if found is None:
            raise BadInput(
                f"There is no setting of this name. Available settings: {', '.join(PREFERENCES)}.",
                allowed=[*PREFERENCES],
            )
        if value not in found.values:
            raise BadInput(f"{found.title}: please choose one of {', '.join(found.values)}.", allowed=[*found.values])
        kept = None if value == found.usual else value
        await self._store.do(partial(stored.choose, guest=guest, name=name, value=kept, now=time.time()))
        self.changed(guest)

    async def prolong(self, guest: str, now: float) -> None:
        """Keep what a guest without a name has chosen for as long as the cookie that was just prolonged. It is written
        once in RENEWED seconds; if the database fails, the next visit does it."""
        with contextlib.suppress(StoreFailed):
            if 0 < (await self.who(guest)).oldest < now - RENEWED:
                await self._store.do(partial(rows.prolong, guest=guest, now=now))
                self.forget(guest)

    async def taken(self, name: str) -> NameTaken:
        """Return the refusal of a name that belongs to an account."""
        free = {one: likeness(one) for one in others(name, MAX_NAME)}
        gone = await self._store.look(lambda connection: rows.taken(connection, [*free.values()]))
        allowed = [one for one, alike in free.items() if alike not in gone][:3]
        return NameTaken(
            f"“{name}” is taken, or looks too much like a name that is. If it's yours, sign in under You. These names "
            f"are free: {', '.join(allowed)}.",
            allowed=allowed,
        )

    def changed(self, guest: str) -> None:
        """Learn a guest's changes from the database, and notify other processes."""
        self.forget(guest)
        self._peers.tell_name(guest)

    def forget(self, guest: str) -> None:
        """Forget a guest who changed their name, or signed in or out."""
        self._names.pop(guest, None)

    def forget_all(self) -> None:
        """Forget all guests, because other processes may have changed names without reporting it."""
        if self._peers.shared:
            self._names.clear()

    def _remember(self, guest: str, who: Who) -> None:
        self._names[guest] = _Known(who, time.monotonic())
        self._names.move_to_end(guest)
        if len(self._names) > _REMEMBERED:
            self._names.popitem(last=False)


def _signer(keys: Sequence[str], salt: str = "parlour.guest") -> Signer:
    return Signer([key.encode() for key in keys], salt=salt, digest_method=hashlib.sha256)


def _must_be_plain(*ids: str) -> None:
    """Check that what separates ids in a cookie is in none of them. Raises ValueError."""
    if any(BETWEEN in one or "," in one for one in ids):
        raise ValueError(f"{ids} can't be in a cookie.")


def _admitted(who: Who, one: Pass) -> bool:
    return one.session in who.sessions or one.session in who.tokens if who.claimed else not one.session


def clean_name(text: str) -> str:
    """Return a name as it is shown: 1 to 24 characters, none of them invisible. Raises BadInput."""
    return _clean(text, MAX_NAME, "A name", fewest=1)


def clean_club(text: str) -> str:
    """Return the name of a club as it is shown: 1 to 40 characters, checked as names of people are. Raises BadInput."""
    return _clean(text, MAX_CLUB, "The name of a club", fewest=1)


def clean_words(text: str) -> str:
    """Return a player's phrase for the dice; may be empty. Raises BadInput if it is too long or not text."""
    return _clean(text, MAX_WORDS, "A phrase for the dice", fewest=0)


def clean_chat(text: str) -> str:
    """Return a chat message: 1 to 300 characters. Raises BadInput."""
    return _clean(text, MAX_CHAT, "A message", fewest=1)


def clean_report(text: str, most: int) -> str:
    """Return the text of a report or of a moderator; may be empty. Raises BadInput if it is too long or not text."""
    return _clean(text, most, "Your text", fewest=0)


def _clean(text: str, most: int, what: str, *, fewest: int) -> str:
    text = _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()
    bad = next((c for c in text if unicodedata.category(c).startswith("C") and c != _JOINER), None)
    if bad is not None:
        raise BadInput(f"{what} can't contain the control character U+{ord(bad):04X}.")
    visible = any(not unicodedata.category(c).startswith(("Z", "M", "C")) for c in text)
    if len(text) > most or (fewest and not visible):
        raise BadInput(
            f"{what} must have {fewest} to {most} visible characters. This one has {len(text) if visible else 0}."
        )
    return text
