"""Notifications of what happened while people were away: their turn, an invitation, a message.

At each beat a process notes new notifications, settles what was seen on a page open here, takes what is due, sends it,
and stores the result. The database decides who does what (`notify.outbox`); `wording` has the texts. A turn is
reported only if everyone knows of it: a secret question changes no row that this reads, so it causes, delays
and appears in no notification.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa

from parlour.core.errors import ParlourError
from parlour.house.accounts import recovery
from parlour.house.database.store import Conflict
from parlour.house.house import House
from parlour.house.notify import channels, outbox
from parlour.house.notify.kinds import ELSEWHERE, OWN
from parlour.house.notify.outbox import Notice, Pending
from parlour.house.notify.senders import Sent, Words
from parlour.house.notify.wording import in_words
from parlour.house.table.live import clocks

log = logging.getLogger(__name__)
BEAT = 2.0  # seconds between two looks
SEEN = 12.0  # seconds after which we know whether a visible page was still open when something came
SWEEP = 3600.0  # seconds between two deletions of outdated data


async def tell(house: House) -> None:
    """Send notifications until the house closes. What is being sent then is sent to its end, so that it is not sent
    again."""
    begun, swept = time.monotonic(), time.monotonic()
    while True:
        await asyncio.sleep(min(BEAT, house.settings.grace or BEAT))
        try:
            await note(house)
            fresh = time.monotonic() - begun < house.settings.grace  # pages that were open come back first
            sending = asyncio.create_task(send(house, own=fresh))
            try:
                await asyncio.shield(sending)
            except asyncio.CancelledError:
                await sending
                raise
            if time.monotonic() - swept > SWEEP:
                swept = time.monotonic()
                await house.store.do(forget)
        except (ParlourError, Conflict) as error:
            log.warning("Could not send notifications: %s", error)
        except Exception:  # nothing else does
            log.exception("Could not send notifications. Trying again.")


def forget(connection: sa.Connection) -> None:
    """Delete what is no longer of use."""
    outbox.sweep(connection)
    channels.forget_unconfirmed(connection, time.time())


async def note(house: House, now: float | None = None) -> None:
    """Note due notifications of turns, and lost passwords; settle what is seen on a visible page in this process. `now`
    replaces the present time. Raises StoreFailed."""
    moment = time.time() if now is None else now
    if house.post is not None and await house.store.look(recovery.is_asked):
        await house.store.do(partial(recovery.answer, now=moment))
    if await house.store.look(outbox.waiting):
        await house.store.do(partial(outbox.derive, now=moment, short=clocks.short))
    before = moment - min(SEEN, house.settings.grace)
    if pending := await house.store.look(partial(outbox.pending, before=before, short=clocks.short)):
        looking = house.pages.looking()
        if seen := [one for one in pending if _sees(house, one, looking)]:
            await house.store.do(partial(outbox.settle, done=seen))


def _sees(house: House, one: Pending, looking: set[str]) -> bool:
    """Return whether the guest sees a page that shows it: the table's or the tournament's; for an invitation, any
    page."""
    if one.kind == "invitation":
        return one.guest in looking
    if one.kind in ELSEWHERE:
        return one.guest in house.pages.looking_at(one.table_id)
    table = house.tables.get(one.table_id)
    return table is not None and one.guest in table.audience.looking()


async def send(house: House, now: float | None = None, *, own: bool = False) -> int:
    """Send what is due, and store the results; return how many notifications were sent. `now` replaces the present
    time; `own`: only what a person has just requested and no page shows. Raises StoreFailed."""
    moment = time.time() if now is None else now
    if not await house.store.look(partial(outbox.is_due, now=moment, grace=house.settings.grace, own=own)):
        return 0
    lease = partial(outbox.lease, now=moment, grace=house.settings.grace, short=clocks.short, own=own)
    taken = await house.store.do(lease)
    mails: dict[str, list[Notice]] = {}
    for one in taken:
        if one.channel.kind == "mail" and one.kind not in OWN:
            mails.setdefault(one.channel.id, []).append(one)
    for found in mails.values():
        if (channel := found[0].channel).wants.digest:
            more = partial(outbox.lease_digest, channel=channel, zone=found[0].zone, now=moment)
            found += await house.store.do(more)
    bundles = [*mails.values(), *([one] for one in taken if one.channel.kind != "mail" or one.kind in OWN)]
    return sum(await asyncio.gather(*(_deliver(house, bundle, moment) for bundle in bundles)))


async def _deliver(house: House, bundle: Sequence[Notice], taken: float) -> int:
    """Send one channel's notifications together, which were taken at this time, and store the result; return how many
    were sent. Outdated ones are not sent."""
    channel, words, how = bundle[0].channel, list[Words](), "later"
    try:
        words = [said for one in bundle if (said := await in_words(house, one)) is not None]
        how = await _sent(house, bundle[0], words) if words else "never"
    except Exception:
        log.exception("Could not send a notification.")
    if words or how == "later":
        house.measures.notices.labels(channel.kind, how).inc()

    def work(connection: sa.Connection) -> None:
        if how == "gone":
            channels.lose(connection, channel)
        elif how == "later":
            for one in bundle:
                outbox.fail(connection, one, time.time())
        else:
            outbox.settle(connection, bundle)
        if how != "done" and channel.wants.digest:
            outbox.undo_digest(connection, channel, taken)

    await house.store.do(work)
    return len(words) if how == "done" else 0


async def _sent(house: House, first: Notice, words: Sequence[Words]) -> Sent:
    channel = first.channel
    if channel.kind == "push":
        return await house.pushes.send(channel, words[0])
    if channel.kind == "hook":
        return await house.hooks.send(channel, words[0])
    if house.post is None:
        return "later"
    return await house.post.send(channel, words, ends=first.kind not in OWN)
