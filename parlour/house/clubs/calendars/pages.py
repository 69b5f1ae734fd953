"""Calendars as iCalendar files (RFC 5545), written with the library `icalendar`. It is loaded, and works, in a thread.

A calendar says the same as long as nothing has changed: an event's stamp is when it was last revised, not when it was
asked for. All times are UTC; calendar programs show them where their owner lives.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from parlour.house.clubs.calendars.rows import Event
from parlour.house.site.titles import title_of
from parlour.house.table.live.tempo import in_words, tempo_of

if TYPE_CHECKING:
    from icalendar import Event as Entry

KEPT = 64  # calendars in memory, each at most about 60 KB with MOST_EVENTS events
AGAIN = datetime.timedelta(hours=1)  # after which programs may look again


def drawn(name: str, events: Sequence[Event], home: str) -> bytes:
    """Return a calendar with this name. `home` is the address of the house, from which pages are linked. The last few
    are kept, as programs ask for the same again and again."""
    return _drawn(name, msgspec.json.encode(events), home)


@lru_cache(maxsize=KEPT)
def _drawn(name: str, encoded: bytes, home: str) -> bytes:
    from icalendar import Calendar  # others need not wait for it

    made = Calendar()
    for key, value in (
        ("prodid", "-//Parlour//Tournaments//EN"), ("version", "2.0"), ("calscale", "GREGORIAN"), ("name", name),
        ("x-wr-calname", name), ("x-wr-timezone", "UTC"),
    ):  # fmt: skip
        made.add(key, value)
    made.add("refresh-interval", AGAIN, parameters={"VALUE": "DURATION"})
    for one in msgspec.json.decode(encoded, type=list[Event]):
        made.add_component(_event(one, home))
    return bytes(made.to_ical())


def _event(one: Event, home: str) -> Entry:
    from icalendar import Event as Made

    made, tempo = Made(), tempo_of(one.tempo)
    title = title_of(one.game, one.ruleset)
    made.add("uid", str(uuid.uuid5(uuid.NAMESPACE_OID, f"parlour {one.path} {one.id}")))
    made.add("dtstamp", _utc(one.revised))
    made.add("last-modified", _utc(one.revised))
    made.add("sequence", one.sequence)
    made.add("dtstart", _utc(one.starts))
    if one.ends is not None:
        made.add("dtend", _utc(one.ends))
    made.add("summary", one.name)
    made.add("description", title if tempo is None else f"{title}. {in_words(tempo)}")
    made.add("url", f"{home}{one.path}")
    made.add("status", "CANCELLED" if one.cancelled else "CONFIRMED")
    made.add("transp", "TRANSPARENT" if tempo is None or tempo.slow else "OPAQUE")
    return made


def _utc(at: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(int(at), datetime.UTC)
