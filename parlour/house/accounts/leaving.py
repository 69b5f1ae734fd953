"""Deleting an account: its name is removed, and its finished games stay under the name "Somebody"."""

from __future__ import annotations

import contextlib
from functools import partial

from parlour import bots
from parlour.core.errors import ParlourError
from parlour.games import find
from parlour.house.accounts import rows
from parlour.house.accounts.deeds import learn_all
from parlour.house.accounts.guests import Guest
from parlour.house.accounts.names import SOMEBODY
from parlour.house.accounts.passkeys.challenges import Credential, Site
from parlour.house.accounts.proving import Password, Proof, must_be
from parlour.house.errors import BadInput, UnknownTable
from parlour.house.house import House
from parlour.house.social import rows as social_rows
from parlour.house.table.play import seating
from parlour.house.table.play.seating import Body
from parlour.house.table.storage import belongings

WORD = "delete"  # what a guest without a password types


class DeleteBody(Body, frozen=True):
    """The confirmation: the account's password, or a passkey's answer if it has none. Guests send the word "delete"."""

    password: Password = ""
    answer: Credential | None = None
    word: Password = ""


async def delete(house: House, guest: Guest, body: DeleteBody, site: Site | None) -> None:
    """Delete a guest. They leave waiting tables. In games in progress a bot takes their seat for good. Their messages
    are deleted, those in open reports once these are closed. Their phrases for the dice stay, because every draw
    depends on them. Errors: BadInput (word), and those of `must_be`."""
    if guest.claimed:
        await must_be(house, guest, Proof("delete", body.password, body.answer, site))
    elif body.word.strip().casefold() != WORD:
        raise BadInput(f"To delete your data, type the word {WORD}.", allowed=[WORD])
    await house.store.do(partial(rows.begin_parting, guest=guest.id))  # so that no open page shows who leaves
    house.guests.changed(guest.id)
    await _part(house, guest)


async def finish(house: House) -> None:
    """Finish a deletion whose process died. It does no harm while another process works on it. Errors: StoreFailed,
    Conflict."""
    for guest in await house.store.look(rows.parting):
        await _part(house, Guest(guest, SOMEBODY))


async def _part(house: House, guest: Guest) -> None:
    for table in await house.store.look(partial(belongings.under_way, guest=guest.id)):
        await house.learn(table)
        with contextlib.suppress(UnknownTable):
            await seating.leave(house, table, guest)
    others = await house.store.look(partial(social_rows.known_to, guest=guest.id))
    tables = await house.store.do(partial(rows.part, guest=guest.id, bot_of=_bot_of))
    await house.known_again(guest.id)
    house.between(guest.id, *others)
    await learn_all(house, guest.id, [table for table in tables if table in house.tables])


def _bot_of(game: str) -> str:
    try:
        return bots.default(find(game))
    except ParlourError:  # the game is gone: nothing is played there
        return ""
