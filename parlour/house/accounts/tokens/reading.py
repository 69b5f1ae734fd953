"""Tokens as programs send them: `Authorization: Bearer parlour_GUEST_SECRET`.

A token names its account, so that checking it takes no more than checking a session: the hash of the whole token
stands where a cookie has its session.
"""

from __future__ import annotations

import re

from parlour.house.accounts.guests import Pass
from parlour.house.database.keys import link_id

PLAY, READ = "play", "read"  # the scopes
PREFIX = "parlour_"
_BEARER = re.compile(r"bearer +(\S.*)", re.IGNORECASE)
_TOKEN = re.compile(PREFIX + r"([0-9a-f]{24})_[A-Za-z0-9_-]{32}")


def written(guest: str, secret: str) -> tuple[Pass, str]:
    """Return a guest's new token as a pass, and as its owner sees it."""
    token = f"{PREFIX}{guest}_{secret}"
    return Pass(guest, link_id(token)), token


def sent_in(header: str) -> str | None:
    """Return what a header `Authorization` has as a token, "" if it is not written as one; None if the header is of
    another kind, such as those that proxies ask browsers for."""
    found = _BEARER.fullmatch(header.strip())
    if found is None:
        return "" if header.strip().lower() == "bearer" else None
    return found[1]


def read(token: str) -> Pass | None:
    """Return the account and the hash of a token, None if it is not written as one. It may still not be admitted."""
    found = _TOKEN.fullmatch(token)
    return Pass(found[1], link_id(token)) if found else None
