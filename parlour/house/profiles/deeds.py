"""Choosing a picture, and pinning moments of finished games."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

import msgspec

from parlour.house.accounts.guests import Guest
from parlour.house.errors import BadInput, Forbidden
from parlour.house.house import House
from parlour.house.profiles import rows
from parlour.house.profiles.pictures import PARTS, Picture, parse
from parlour.house.table.play.seating import Body

Word = Annotated[str, msgspec.Meta(max_length=12)]
Id = Annotated[str, msgspec.Meta(max_length=16)]
Step = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class PictureBody(Body, frozen=True):
    """What the picture is made of."""

    figure: Word
    pattern: Word
    ground: Word
    ink: Word


class PinBody(Body, frozen=True):
    """A step of the replay of a table, as you count steps there."""

    table: Id
    step: Step


class UnpinBody(Body, frozen=True):
    """A pinned moment, as the page names it."""

    table: Id
    place: Step


async def choose(house: House, guest: Guest, body: PictureBody) -> None:
    """Choose a guest's picture, which waiting tables and games in progress use at once. Errors: BadInput,
    StoreFailed."""
    await house.store.do(partial(rows.choose, guest=guest.id, picture=picture_of(body), now=time.time()))
    for table in await house.store.named_at(guest.id):
        await house.learn(table)


def picture_of(body: PictureBody) -> str:
    """Return a wished picture as it is stored. Raises BadInput with the possible words."""
    text = " ".join(Picture(body.figure, body.pattern, body.ground, body.ink))
    if parse(text) is None:
        for (name, words), word in zip(PARTS, text.split(" "), strict=False):
            if word not in words:
                raise BadInput(f"A picture has no {name.lower()} {word!r}.", allowed=words)
        raise BadInput("A picture has a figure, a pattern, a ground and an ink.")
    return text


async def pin(house: House, guest: Guest, body: PinBody) -> None:
    """Pin a position of a finished game in which the guest had a seat. Errors: those of `House.look`, NotOver,
    BadInput, Forbidden, TooMany."""
    table, eyes = await house.look(body.table, guest.id)
    table.must_be_over()
    if guest.id not in (seat.guest_id for seat in table.seats):
        raise Forbidden("You can pin moments of games that you played. You were not in this one.")
    last = table.known.version(eyes.viewer)
    if body.step > last:
        raise BadInput(f"There is no step {body.step}. Steps are numbered 0 to {last}.")
    place = table.known.place(eyes.viewer, body.step)
    await house.store.do(partial(rows.pin, guest=guest.id, table_id=table.id, place=place, now=time.time()))


async def unpin(house: House, guest: Guest, body: UnpinBody) -> None:
    """Remove a pinned moment; nothing happens if it is not pinned. StoreFailed."""
    await house.store.do(partial(rows.unpin, guest=guest.id, table_id=body.table, place=body.place))
