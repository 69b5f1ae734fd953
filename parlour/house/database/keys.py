"""The keys that sign cookies, kept in the settings of the database.

The newest signs; older ones are accepted until their time is over. `secret` holds the newest, as
it did when there was only one, `old-secrets` the others with the end of their time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time

import msgspec
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy.dialects import postgresql, sqlite

from parlour.house.database import schema as s

SIGNS, ACCEPTED = "secret", "old-secrets"
PUSHES = "vapid"  # the key that says to push services whose notices they are: 32 bytes, in base64url
LONGEST = 400 * 86400.0  # seconds that an old key is accepted at most: no browser keeps a cookie for longer


class OldKey(msgspec.Struct, frozen=True):
    """A key that signs no more, and until when it is accepted (seconds since 1970)."""

    key: str
    until: float


def ensure_key(connection: sa.Connection) -> None:
    """Create the first key, unless there is one."""
    _add(connection, SIGNS, secrets.token_hex(32))


def push_key(connection: sa.Connection) -> str:
    """Return the private key of the house's notifications; create it if it is missing. It never changes, because
    browsers accept only notifications of this key."""
    if (found := get(connection, PUSHES)) is not None:
        return found
    private = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    _add(connection, PUSHES, base64.urlsafe_b64encode(private.to_bytes(32, "big")).rstrip(b"=").decode())
    return str(get(connection, PUSHES))


def link_id(token: str) -> str:
    """Return what is stored of a link with this token: a hash, which is of no use to anyone who reads the database."""
    return hashlib.sha256(token.encode()).hexdigest()


def reset_token(connection: sa.Connection, channel: str, number: int) -> str:
    """Return the token of the link in the password reset email of this number. It is derived from the house's
    notification key, so an email that is sent again has the same link, and the token is stored nowhere."""
    made = hmac.digest(push_key(connection).encode(), f"reset {channel} {number}".encode(), "sha256")
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def accepted_keys(connection: sa.Connection) -> tuple[str, ...]:
    """Return the keys that are accepted now; the last of them signs."""
    now = time.time()
    return (*(old.key for old in _old(connection) if old.until > now), str(get(connection, SIGNS)))


def rotate(connection: sa.Connection, accepted_for: float) -> int:
    """Create a new key; return how many old ones are still accepted. The last one is accepted for this many seconds, at
    most LONGEST, and older ones for no longer: with 0 every earlier cookie is refused."""
    now = time.time()
    until, signed = now + min(accepted_for, LONGEST), str(get(connection, SIGNS))
    before = [OldKey(old.key, min(old.until, until)) for old in _old(connection)]
    kept = [old for old in (*before, OldKey(signed, until)) if old.until > now]
    put(connection, SIGNS, secrets.token_hex(32))
    put(connection, ACCEPTED, msgspec.json.encode(kept).decode())
    return len(kept)


def _old(connection: sa.Connection) -> list[OldKey]:
    return msgspec.json.decode(get(connection, ACCEPTED) or "[]", type=list[OldKey])


def get(connection: sa.Connection, key: str) -> str | None:
    """Return a setting of the house, None if it is not set."""
    found: str | None = connection.scalar(sa.select(s.settings.c.value).where(s.settings.c.key == key))
    return found


def put(connection: sa.Connection, key: str, value: str) -> None:
    """Change a setting of the house, or add it; the last of two processes that do it at once is heard."""
    added = _insert(connection).values(key=key, value=value)
    connection.execute(added.on_conflict_do_update(index_elements=["key"], set_={"value": value}))


def _add(connection: sa.Connection, key: str, value: str) -> None:
    """Add a setting, unless it is there: the first of two processes that begin at once has made it for both."""
    connection.execute(_insert(connection).values(key=key, value=value).on_conflict_do_nothing())


def _insert(connection: sa.Connection) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(s.settings) if connection.dialect.name == "postgresql" else sqlite.insert(s.settings)
