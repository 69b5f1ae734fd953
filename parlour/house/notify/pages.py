"""The notification settings on the page You (`/me`), and the page where an email's links lead (`/told/TOKEN`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from parlour.house.accounts.guests import Guest
from parlour.house.house import House
from parlour.house.http.page import Part
from parlour.house.notify import channels, quiet
from parlour.house.notify.channels import Channel
from parlour.house.notify.kinds import SWITCHES
from parlour.house.notify.quiet import Quiet
from parlour.house.site import drawing

TITLES = {"push": "A browser", "mail": "Email", "hook": "A webhook"}  # a recovery address has a name of its own


class Place(NamedTuple):
    """Where notifications go, in words."""

    id: str
    kind: str
    title: str
    where: str
    good: bool
    wants: Mapping[str, bool]


class Notifications(NamedTuple):
    """Where a person gets notifications, and the ways they can choose: `push_key` is the house's key, `mails` says
    whether it sends email, and `switches` are the events to choose from, with their words."""

    places: tuple[Place, ...]
    push_key: str
    mails: bool
    switches: Mapping[str, str]
    recovery: tuple[Place, ...]  # the address that resets a password, and one that waits to be confirmed
    quiet: Quiet
    begins: str  # of the quiet hours, "" for none
    ends: str


async def notifications_of(house: House, guest: Guest) -> Notifications:
    """Return a guest's notification settings, as they see them. Raises StoreFailed."""
    found = [
        Place(
            one.id, one.kind, one.name or TITLES[one.kind], "" if one.kind == "push" else one.address, one.good,
            one.wants.by_name(),
        ) for one in await house.store.look(partial(channels.channels_of, guest=guest.id))
    ]  # fmt: skip
    hours = await house.store.look(partial(quiet.of, guest=guest.id))
    return Notifications(
        tuple(one for one in found if one.kind != "recovery"), house.pushes.public_key, house.post is not None,
        SWITCHES, tuple(one for one in found if one.kind == "recovery"), hours, _clock(hours.begins),
        _clock(hours.ends),
    )  # fmt: skip


def _clock(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"


def told(guest: Guest, token: str, place: Channel | None, *, yes: bool) -> tuple[Part, ...]:
    """`GET /told/TOKEN`; `yes`: by the link of the confirmation email, which turns nothing off."""
    return drawing.page(
        "told", "Notifications", guest, script="me", sheet="people.css", token=token, place=place, yes=yes
    )
