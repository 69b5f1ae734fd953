"""Players of a tournament are reminded before it starts, and read why it was cancelled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sqlalchemy as sa
from litestar import Litestar

from parlour.house.house import House
from parlour.house.notify import jobs as notify_jobs
from parlour.house.notify import outbox
from parlour.house.notify.outbox import Notice
from parlour.house.notify.schema import notices
from parlour.house.notify.wording import in_words
from parlour.house.table.live import clocks
from parlour.house.tournaments import jobs
from parlour.house.tournaments.rows import SOON
from tests.house.clock import Clock
from tests.house.people import Person, guest_of
from tests.house.tournaments.playing import accounts, announce, seen, settle

Arrive = Callable[[], Person]
HOOK = {"kind": "hook", "address": "http://127.0.0.1:9/hook"}


async def sent(house: House, clock: Clock) -> list[Notice]:
    """Return what is sent now."""
    lease = partial(outbox.lease, now=clock(), grace=0.0, short=clocks.short)
    taken = await house.store.do(lease)
    await house.store.do(partial(outbox.settle, done=taken))
    return taken


async def coming(house: House, clock: Clock, organiser: Person, *people: Person) -> str:
    """Return a tournament that these people have joined, and that starts in an hour."""
    tournament = await announce(organiser, starts_at=clock() + 3600)
    for person in people:
        await person.do(f"tournaments/{tournament}/join")
    await settle(house)
    return tournament


async def test_players_are_reminded_once_ten_minutes_before(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob, cid = await accounts(arrive, 3)
    for person in (ann, bob, cid):
        await person.do("me/told", **HOOK)
    tournament = await coming(house, clock, ann, bob, cid)
    await cid.do(f"tournaments/{tournament}/leave")
    clock.ahead += 3600 - SOON - 1
    await settle(house)
    assert await sent(house, clock) == []
    clock.ahead += 1
    await settle(house)
    (one,) = await sent(house, clock)
    assert (one.kind, one.channel.guest_id) == ("soon", (await guest_of(bob)).id)
    words = await in_words(house, one)
    assert words is not None
    assert words.title == "Tournament starts soon: Kuhn Open"
    assert words.text.startswith("It starts on ")
    assert words.path == f"/tournaments/{tournament}"
    for _ in range(2):  # as two processes do, and one after a restart
        await jobs.see_to(house, tournament, clock())
    assert await sent(house, clock) == []
    await cid.do(f"tournaments/{tournament}/join")  # late, so at once
    assert [one.kind for one in await sent(house, clock)] == ["soon"]
    clock.ahead += SOON
    await settle(house)
    assert (await seen(ann, tournament))["state"] == "running"


async def test_no_one_is_reminded_of_what_has_started_or_will_not(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = await accounts(arrive, 2)
    await bob.do("me/told", **HOOK)
    begun, cancelled, left = [await coming(house, clock, ann, ann, bob) for _ in range(3)]
    clock.ahead += 3600 - SOON
    await settle(house)
    await ann.do(f"tournaments/{begun}/start")
    await ann.do(f"tournaments/{cancelled}/cancel")
    await bob.do(f"tournaments/{left}/leave")
    assert [(one.kind, one.table_id) for one in await sent(house, clock)] == [("cancelled", cancelled)]


async def test_a_reminder_is_not_sent_to_someone_on_its_page(
    app: Litestar, house: House, arrive: Arrive, clock: Clock
) -> None:
    ann, bob = await accounts(arrive, 2)
    await bob.do("me/told", **HOOK)
    tournament = await coming(house, clock, ann, ann, bob)
    clock.ahead += 3600 - SOON
    await settle(house)
    clock.ahead += notify_jobs.SEEN
    with app.state.watch.listening(tournament, (await guest_of(ann)).id):
        await notify_jobs.note(house, clock())
        c = notices.c
        due = await house.store.look(
            lambda connection: connection.scalars(sa.select(c.kind).where(c.due.is_not(None))).all()
        )
        assert due == ["soon"], "another person looks"
    with app.state.watch.listening(tournament, (await guest_of(bob)).id):
        await notify_jobs.note(house, clock())
    assert await sent(house, clock) == []


async def test_players_read_why_it_was_cancelled(house: House, arrive: Arrive, clock: Clock) -> None:
    ann, bob = await accounts(arrive, 2)
    await bob.do("me/told", **HOOK)
    few, by_hand = [await coming(house, clock, ann, bob) for _ in range(2)]
    never = await announce(ann)
    await ann.do(f"tournaments/{by_hand}/cancel")
    clock.ahead += 61 * 86400
    await settle(house)
    reasons = {
        few: "Too few people had joined when it was to start.", by_hand: "Its organiser cancelled it.",
        never: "Its organiser did not start it in time.",
    }  # fmt: skip
    for tournament, reason in reasons.items():
        found = await seen(bob, tournament)
        assert (found["state"], found["reason"]) == ("cancelled", reason)
        page = (await ann.get(f"/tournaments/{tournament}")).text
        assert reason in page
        assert "/remove" not in page, "there is nothing left to organise"
        assert "0 rounds" not in page
        assert ("no players yet" in page) == (tournament == never)
    said = {one.table_id: await in_words(house, one) for one in await sent(house, clock) if one.kind == "cancelled"}
    assert {one: words.text for one, words in said.items() if words} == {few: reasons[few]}, "a day later none is sent"
