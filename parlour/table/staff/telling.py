"""Telling people what happened while they were away: their turn, an invitation, what was said.

Each process looks by a beat: it notes what nobody has told yet, settles what is seen on a page that is open here, takes
what is due, sends it, and says how that went. The database decides who does what (`storage.notices`). What is said is
made of public facts alone, and whose turn it is only where everybody knows it: a secret question (FT-26) changes no
row that this reads, so it is the reason of no notice, holds none up and is in none.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa

from parlour.core.errors import ParlourError
from parlour.games import find
from parlour.table.house.couriers import Sent, Words
from parlour.table.house.house import House
from parlour.table.live import clocks
from parlour.table.live.tempo import shown
from parlour.table.storage import channels, lost, notices
from parlour.table.storage.notices import Notice, Pending
from parlour.table.storage.store import Conflict

log = logging.getLogger(__name__)
BEAT = 2.0  # seconds between two looks
SEEN = 12.0  # seconds after which it is known whether a page was still there, and not hidden, when something came
SWEEP = 3600.0  # seconds between two times that what is of no use is forgotten
OWN = ("confirm", "lost")  # kinds that have a letter each, and that no link in it ends


async def tell(house: House) -> None:
    """Tell people what is to be told, until the house closes. What is being sent then is sent to its end, so that it is
    not sent again."""
    begun, swept = time.monotonic(), time.monotonic()
    while True:
        await asyncio.sleep(min(BEAT, house.settings.grace or BEAT))
        try:
            await note(house)
            if time.monotonic() - begun >= house.settings.grace:  # pages that were open come back first
                sending = asyncio.create_task(send(house))
                try:
                    await asyncio.shield(sending)
                except asyncio.CancelledError:
                    await sending
                    raise
            if time.monotonic() - swept > SWEEP:
                swept = time.monotonic()
                await house.store.do(forget)
        except (ParlourError, Conflict) as error:
            log.warning("The house cannot tell people what happened; it tries again: %s", error)
        except Exception:  # nobody else does
            log.exception("The house could not tell people what happened; it tries again.")


def forget(connection: sa.Connection) -> None:
    """Forget what is of no use any more."""
    notices.sweep(connection)
    channels.forget_unconfirmed(connection, time.time())


async def note(house: House, now: float | None = None) -> None:
    """Note turns that are to be told, and passwords that are lost; settle what is seen on a page that is open in this
    process, and not hidden. `now` stands for the present time. StoreFailed."""
    moment = time.time() if now is None else now
    if house.post is not None and await house.store.look(lost.is_asked):
        await house.store.do(partial(lost.answer, now=moment))
    if await house.store.look(notices.waiting):
        await house.store.do(partial(notices.derive, now=moment, short=clocks.short))
    before = moment - min(SEEN, house.settings.grace)
    if pending := await house.store.look(partial(notices.pending, before=before, short=clocks.short)):
        looking = house.looking()
        if seen := [one for one in pending if _sees(house, one, looking)]:
            await house.store.do(partial(notices.settle, done=seen))


def _sees(house: House, one: Pending, looking: set[str]) -> bool:
    """Whether somebody looks at a page that shows it: the table's; for an invitation, any."""
    if one.kind == "invitation":
        return one.guest in looking
    table = house.tables.get(one.table_id)
    return table is not None and one.guest in table.audience.looking()


async def send(house: House, now: float | None = None) -> int:
    """Send what is due, and say how it went; return how many notices were sent. `now` stands for the present time.
    StoreFailed."""
    moment = time.time() if now is None else now
    if not await house.store.look(partial(notices.is_due, now=moment, grace=house.settings.grace)):
        return 0
    taken = await house.store.do(partial(notices.lease, now=moment, grace=house.settings.grace, short=clocks.short))
    mails: dict[str, list[Notice]] = {}
    for one in taken:
        if one.channel.kind == "mail" and one.kind not in OWN:
            mails.setdefault(one.channel.id, []).append(one)
    for channel, found in mails.items():
        if (mailbox := found[0].channel).digest:
            found += await house.store.do(partial(notices.lease_digest, channel=mailbox, now=moment))
        mails[channel] = found
    bundles = [*mails.values(), *([one] for one in taken if one.channel.kind != "mail" or one.kind in OWN)]
    return sum(await asyncio.gather(*(_deliver(house, bundle) for bundle in bundles)))


async def _deliver(house: House, bundle: Sequence[Notice]) -> int:
    """Send what one channel is to be told together, and say how it went."""
    how = await _sent(house, bundle)
    house.measures.notices.labels(bundle[0].channel.kind, how).inc()

    def work(connection: sa.Connection) -> None:
        if how == "gone":
            channels.lose(connection, bundle[0].channel)
        elif how == "later":
            for one in bundle:
                notices.fail(connection, one, time.time())
        else:
            notices.settle(connection, bundle)

    await house.store.do(work)
    return len(bundle) if how == "done" else 0


async def _sent(house: House, bundle: Sequence[Notice]) -> Sent:
    channel, words = bundle[0].channel, [in_words(one) for one in bundle]
    try:
        if channel.kind == "push":
            return await house.pushes.send(channel, words[0])
        if channel.kind == "hook":
            return await house.hooks.send(channel, words[0])
        if house.post is None:
            return "later"
        return await house.post.send(channel, words, ends=bundle[0].kind not in OWN)
    except Exception:
        log.exception("A notice could not be sent.")
        return "later"


def in_words(one: Notice) -> Words:
    """What is told: who plays what, and where. Nothing of the game but its name."""
    # Where a turn stands in the record is not in it: others' answers to secret questions are steps too, and whoever is
    # told could try numbers until the key is right. `made` tells one turn from another.
    at = 0 if one.kind in ("turn", "time") else one.at
    key = hashlib.sha256(f"{one.channel.id} {one.kind} {one.table_id} {at} {one.made}".encode()).hexdigest()[:24]
    tag = f"{one.kind}-{one.table_id}"
    if one.kind == "confirm":
        title = "Is this where you are to be told?"
        text = "Somebody, perhaps you, asked to be told here of games at Parlour. Say yes there, or do nothing."
        return Words(title, text, f"/told/{one.channel.token}?yes=1", tag, key)
    if one.kind == "lost":
        title = "Choose another password"
        text = (
            f"Somebody, perhaps you, says that the password of {one.by} at Parlour is lost. With this link you choose "
            "another, within an hour, and once. It signs you out everywhere else. If it was not you, do nothing: "
            "your password stays as it is."
        )
        return Words(title, text, f"/link#{one.token}", tag, key)
    try:
        game = find(one.game).text.TITLE
    except ParlourError:  # it is here no more
        game = one.game
    title, text = {
        "turn": (f"Your turn: {game}", "It is your turn"),
        "time": (f"Time is short: {game}", f"You have {shown(one.left + 60)} left"),  # what it takes to be told
        "invitation": (f"An invitation: {game}", f"{one.by or 'Somebody'} invites you"),
        "chat": (f"At your table: {game}", f"{one.by} has written something"),
    }[one.kind]
    others = f" with {_listed(one.seats)}" if one.kind in ("turn", "time") and one.seats else ""
    then = "; after that a bot plays on" if one.kind == "time" else ""
    return Words(title, f"{text}{others}{then}.", f"/t/{one.table_id}", tag, key)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
