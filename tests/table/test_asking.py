"""FT-26 at the table: a question that one player is asked in secret shows to nobody else, not even in time."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from parlour.core.game import CHANCE
from parlour.table import asking, room
from parlour.table.house import House
from parlour.table.room import Room
from tests.table.people import BOT, ME, OPEN, Person

SHARE = 0.06  # seconds for each seat that might be asked


@pytest.fixture(autouse=True)
def shares(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that each seat has, to be changed."""
    now = [SHARE]
    monkeypatch.setattr(asking, "patience", lambda _: now[0])
    return now


async def royale(ann: Person, *others: Person) -> str:
    """A game of Battle Royale: a discard may be asked for from the first on (FT-22)."""
    seats = [ME, *[OPEN] * len(others)]
    made = await ann.do("tables", game="family-trade", seats=seats, options={"ruleset": "battle-royale"}, hints=True)
    for person in others:
        await person.do(f"tables/{made['id']}/sit")
    await ann.do(f"tables/{made['id']}/start")
    return str(made["id"])


async def discard(table: Room, people: list[Person], choice: random.Random) -> None:
    """Whoever has a decision makes one; nobody takes what he is asked about."""
    assert table.match is not None
    seen = await people[table.match.current_player].see(table.id)
    moves = [move for move in seen["legal"] if move not in ("take", "done")]
    body = {"move": choice.choice(moves), "version": seen["table"]["version"]}
    await people[table.match.current_player].do(f"tables/{table.id}/moves", **body)


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come")


async def test_ft_26_nobody_else_can_tell_that_somebody_was_asked(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, shares: list[float]
) -> None:
    cid, eve, choice = arrive(), arrive(), random.Random(4)
    asked = 0
    people = [ann, bob, cid]
    table = await house.room(await royale(*people))
    assert table.match is not None
    while asked < 2 and not table.over:
        match, turns = table.match, len(table.match.steps)
        discarder = match.current_player
        began = time.monotonic()
        await discard(table, people, choice)
        match = table.match
        assert match is not None
        assert table.may_ask() == 2
        assert len(match.steps) == turns + 1  # the card is not drawn yet, whether anybody is asked or not
        if match.current_player != CHANCE:
            asked += 1
            shares[0] = 60.0  # nothing moves while we look
            player = match.current_player
            others = [person for person in (*people, eve) if person is not people[player]]
            before = [await person.see(table.id) for person in others]
            for person, seen in zip(others, before, strict=True):
                assert not seen["legal"]
                assert seen["scene"]["to_move"] == (discarder + 1) % 3
                if person is not eve:
                    body = {"move": "pass", "version": seen["table"]["version"]}
                    told = await person.refused(f"tables/{table.id}/moves", 409, "not-your-turn", **body)
                    version = seen["table"]["version"]
                    hint = await person.refused(f"tables/{table.id}/hint", 409, "not-your-turn", version=version)
                    assert hint["message"] == "It is not your turn, so there is no hint."
                    assert people[player] is people[(discarder + 1) % 3] or match.names[player] not in told["message"]
            seen = await people[player].see(table.id)
            assert sorted(seen["legal"]) == ["pass", "take"]
            assert "passes" in seen["scene"]["prompt"]
            if asked == 1:
                await people[player].do(
                    f"tables/{table.id}/moves", move="pass", version=seen["table"]["version"]
                )  # and the second time he does not answer
                for person, seen in zip(others, before, strict=True):
                    now = await person.see(table.id)
                    assert (now["table"], now["scene"], now["legal"]) == (seen["table"], seen["scene"], seen["legal"])
            shares[0] = SHARE
        await until(lambda: table.may_ask() == 0)
        assert time.monotonic() - began >= 2 * SHARE
    assert asked == 2
    texts = [text for _, _, text in (table.match.steps if table.match else ())]
    assert texts.count("pass") >= 2
    assert "take" not in texts


async def test_ft_26_versions_do_not_count_what_was_not_seen(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    eve, choice = arrive(), random.Random(6)
    table = await house.room(await royale(ann, bob))
    while table.match and not any(text == "pass" for _, _, text in table.match.steps) and not table.over:
        await discard(table, [ann, bob], choice)
        await until(lambda: table.match is not None and table.match.current_player != CHANCE)
    assert table.match is not None
    passes = [actor for actor, _, text in table.match.steps if text == "pass"]
    versions = [(await person.see(table.id))["table"]["version"] for person in (ann, bob, eve)]
    unseen = [sum(actor != seat for actor in passes) for seat in (0, 1, -1)]
    assert versions == [table.version - n for n in unseen]


async def test_a_single_person_has_all_the_time_he_wants(ann: Person, house: House) -> None:
    choice = random.Random(1)

    def mine() -> bool:
        return table.over or (table.match is not None and table.match.current_player == 0)

    for _ in range(20):
        made = await ann.do(
            "tables", game="family-trade", seats=[ME, BOT], options={"ruleset": "battle-royale"}, pace="instant"
        )
        table = await house.room(made["id"])
        while not table.over:
            await until(mine)
            if table.over or table.may_ask():
                break
            await discard(table, [ann], choice)
        if table.may_ask():
            break
    assert table.match is not None
    version = table.version
    await asyncio.sleep(5 * SHARE)
    assert table.version == version
    assert "passes" not in (await ann.see(table.id))["scene"]["prompt"]


async def test_the_seconds_that_are_told_are_those_that_are_waited(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, shares: list[float]
) -> None:
    """A house's own pace counts (`--pace 0`), not that which the table would have: 4 seconds and not 6."""
    assert house.settings.pace == 0
    people, choice = [ann, bob, arrive()], random.Random(4)
    table = await house.room(await royale(*people))
    assert table.match is not None
    while table.match.current_player == CHANCE or not table.may_ask():
        shares[0] = SHARE
        await until(lambda: not table.may_ask())
        shares[0] = 60.0  # nothing moves while we look
        await discard(table, people, choice)
    prompt = (await people[table.match.current_player].see(table.id))["scene"]["prompt"]
    assert prompt.endswith(f"After {room.patience(0.0):.0f} seconds it passes.")


def test_a_slow_table_gives_more_time() -> None:
    assert room.patience(0.0) == 4.0
    assert room.patience(2.5) == 12.5
