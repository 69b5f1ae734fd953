"""Hints: for the player to move, from what they may know, shown only to them; the table doesn't change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour import bots
from parlour.bots import Advice, Choice, View, chances
from parlour.bots.chances import Correction
from parlour.core.contract import BECAUSE, Ground
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.house.analysis.deeds import following
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.fixtures.kuhn import rules
from tests.found import added
from tests.house.people import BOT, ME, OPEN, Person, two_at_table
from tests.house.table.test_undo import play

KING, QUEEN = 2, 1


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def kuhn(ann: Person, bob: Person, house: House, *hands: int) -> str:
    """Start a game of two with these cards in which it is Ann's turn."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN], hints=True))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    live = await house.table(table)
    assert live.match is not None
    live.match.state.hand[:] = hands
    return table


async def test_the_best_decisions_with_their_chances(ann: Person, bob: Person, house: House) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)
    await play(table, ann, "bet")
    hint = await bob.do(f"tables/{table}/hint", version=3)
    assert hint["version"] == 3
    assert hint["simulations"] > 0
    assert hint["holds"] == chances.UNKNOWN
    first, second = hint["choices"]
    assert (first["move"], first["chance"], second["move"], second["chance"]) == ("bet", 1.0, "pass", 0.0)
    assert first["words"]
    assert [first["equal"], second["equal"]] == [True, False]


async def test_what_speaks_for_a_decision_is_said_in_the_words_of_the_game(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker finds the reason, and the table puts it in words, with the names of its players."""
    table = await two_at_table(ann, bob, hints=True)
    asker = ann if (await ann.see(table))["legal"] else bob
    seen = await asker.see(table)

    async def known(match: Any, seat: int, *_: Any) -> tuple[View, Advice]:
        legal = match.legal_action_ids()
        found = (Choice(legal[0], 0.6, ground=Ground("banks", 1.0, (1_500,))), Choice(legal[1], 0.4))
        return View.of(match, seat), Advice(seat, found)

    monkeypatch.setattr(house.workers, "advise", known)
    hint = await asker.do(f"tables/{table}/hint", version=seen["table"]["version"])
    assert [choice["because"] for choice in hint["choices"]] == ["it secures 1,500 points", ""]


async def test_a_hint_says_what_follows_and_how_sure_it_is(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)

    async def known(match: Any, seat: int, *_: Any) -> tuple[View, Advice]:
        found = (Choice(rules.PASS, 0.5, 400, line=(rules.BET, rules.PASS)), Choice(rules.BET, 0.4, 400))
        return View.of(match, seat), Advice(seat, found, 800)

    monkeypatch.setattr(house.workers, "advise", known)
    first, second = (await ann.do(f"tables/{table}/hint", version=2))["choices"]
    assert first["then"] == ["Bob bets.", "Ann passes."]
    assert second["then"] == []
    assert first["within"] == pytest.approx(2 * (0.25 / 400) ** 0.5)


async def test_a_hint_says_between_whom_its_chances_hold(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players of the level whose games its correction is from; where it is exact, perfect ones."""
    table = await kuhn(ann, bob, house, QUEEN, KING)
    edition = next(iter(Game("kuhn", "tests.fixtures.kuhn").editions))
    one = Correction("", edition, 2, "hard", 400, 100, 0.5, 0.5, 0.0)
    monkeypatch.setattr(chances, "corrections", lambda _: (one,))
    for simulations, said in ((800, "These chances hold between players of level hard."), (0, chances.EXACT)):

        async def known(match: Any, seat: int, *_: Any, simulations: int = simulations) -> tuple[View, Advice]:
            return View.of(match, seat), Advice(seat, (Choice(rules.PASS, 0.5, 400),), simulations)

        monkeypatch.setattr(house.workers, "advise", known)
        assert (await ann.do(f"tables/{table}/hint", version=2))["holds"] == said


def test_what_follows_ends_where_it_is_not_legal_or_not_known() -> None:
    match = Match(Game("kuhn", "tests.fixtures.kuhn"), seed=3)
    game, state, names = match.game, match.state, ("Ann", "Bob")
    assert following(game, state, ("pass", "bet", "bet"), names) == ("Bob bets.", "Ann bets.")
    assert following(game, state, ("bet", "bet", "bet"), names) == ("Bob bets.",), "the game is over"
    assert following(game, state, ("bet", "fly"), names) == ()


async def test_a_game_that_knows_why_says_it(ann: Person, bob: Person) -> None:
    """In a position of dice, the reason passes from the worker to the answer: something distinguishes the best."""
    for _ in range(5):
        table = await two_at_table(ann, bob, hints=True)
        asker = ann if (await ann.see(table))["legal"] else bob
        hint = await asker.do(f"tables/{table}/hint", version=(await asker.see(table))["table"]["version"])
        if any(choice["because"] for choice in hint["choices"]):
            return
    raise AssertionError("nothing speaks for any decision")


async def test_nothing_is_changed_and_nobody_else_hears_of_it(ann: Person, bob: Person, house: House) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)
    live = await house.table(table)
    before = [await person.see(table) for person in (ann, bob)]
    stored = await house.store.load(table)
    with house.presence.listening(live, "a viewer") as listener:
        await listener.news.wait()  # all pages show that a spectator has come
        listener.news.clear()
        await ann.do(f"tables/{table}/hint", version=2)
        assert not listener.news.is_set()
    assert [await person.see(table) for person in (ann, bob)] == before
    assert await house.store.load(table) == stored


async def test_a_hint_does_not_depend_on_what_is_hidden(ann: Person, bob: Person, house: House) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)
    live = await house.table(table)
    assert live.match is not None
    hints = []
    for hidden in (KING, 0):
        live.match.state.hand[1] = hidden
        await house.workers.ask("a new start", _forget)  # in a new process, and without a clock
        hints.append(await ann.do(f"tables/{table}/hint", version=2))
    assert hints[0] == hints[1]


def _forget() -> None:
    from parlour.bots import worker

    worker._adviser = lambda game: bots.adviser(game, simulations=200)  # type: ignore[assignment] # no clock has a say


async def test_what_is_refused(ann: Person, bob: Person, house: House) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)
    path = f"tables/{table}/hint"
    await bob.refused(path, 409, "not-your-turn", version=2)
    await ann.refused(path, 409, "stale-move", version=1)
    for body in ({}, {"version": "2"}, {"version": -1}, {"version": 2, "level": "expert"}):
        await ann.refused(path, 400, "bad-input", **body)
    await ann.refused("tables/nowhere/hint", 404, "unknown-table", version=2)
    (await house.table(table)).work.hints.add(0)
    await ann.refused(path, 503, "busy", version=2)
    (await house.table(table)).work.hints.clear()
    await play(table, ann, "pass")
    await play(table, bob, "pass")
    await ann.refused(path, 409, "not-playing", version=4)
    off = await two_at_table(ann, bob)
    await ann.refused(f"tables/{off}/hint", 403, "hints-off", version=(await ann.see(off))["table"]["version"])
    waiting = await ann.make(ME, OPEN, hints=True)
    await ann.refused(f"tables/{waiting}/hint", 409, "not-playing", version=0)
    await bob.refused(f"tables/{waiting}/hint", 403, "not-seated", version=0)


async def test_when_the_game_goes_on_meanwhile_it_is_dropped(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await kuhn(ann, bob, house, QUEEN, KING)
    begun, go = asyncio.Event(), asyncio.Event()
    honest = house.workers.advise

    async def slow(*rest: Any) -> Advice:
        begun.set()
        await go.wait()
        return await honest(*rest)

    monkeypatch.setattr(house.workers, "advise", slow)
    asked = asyncio.create_task(ann.refused(f"tables/{table}/hint", 409, "stale-move", version=2))
    await begun.wait()
    await play(table, ann, "bet")  # a move does not wait for the hint
    go.set()
    assert (await asked)["version"] == 3
    assert not (await house.table(table)).work.hints


async def test_who_allows_hints(ann: Person, bob: Person, house: House) -> None:
    """By default one person against bots. Every page shows it, and a rematch keeps it."""
    assert (await bob.see(await ann.make(ME, BOT)))["table"]["hints"]
    assert not (await ann.see(await ann.make(ME, BOT, hints=False)))["table"]["hints"]
    assert not (await ann.see(await ann.make(ME, OPEN)))["table"]["hints"]
    assert not (await ann.see(await ann.make(ME, {"kind": "here"})))["table"]["hints"]
    table = await kuhn(ann, bob, house, QUEEN, KING)
    assert [(await person.see(table))["scene"]["hints"] for person in (ann, bob)] == [True, False]
    assert "Hints are on" in (await bob.get(f"/t/{table}")).text
    assert "data-hint" not in (await bob.get(f"/t/{table}")).text
    await play(table, ann, "pass")
    await play(table, bob, "pass")
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert (await ann.see(again))["table"]["hints"]


async def test_moves_are_named_as_on_the_page(ann: Person, bob: Person) -> None:
    while True:  # the first player and the dice are random
        table = await two_at_table(ann, bob, hints=True)
        asker = ann if (await ann.see(table))["legal"] else bob
        seen = await asker.see(table)
        if len(seen["legal"]) > 3:
            break
    hint = await asker.do(f"tables/{table}/hint", version=seen["table"]["version"])
    assert len(hint["choices"]) == 3
    for choice in hint["choices"]:
        assert choice["move"] in seen["legal"]
        assert 0 <= choice["chance"] <= 1
        assert len(choice["because"]) <= BECAUSE
        if choice["move"].startswith("re-roll"):
            assert choice["words"].startswith("Re-roll ")
            assert len(choice["parts"]) == int(choice["words"].split()[1].rstrip(":"))
