"""Puzzles of a house: a page without the answer, one answer that counts, ratings, streaks and the daily one."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from parlour.analysis.evaluation import VERSION
from parlour.bots import chances
from parlour.bots.chances import Correction
from parlour.core import puzzle as files
from parlour.core.game import Game
from parlour.core.puzzle import Collection, Puzzle, Value, puzzles_of
from parlour.core.replay import replay
from parlour.games import find
from parlour.house.analysis.rows import keep_analysis
from parlour.house.analysis.schema import analyses
from parlour.house.database.all_tables import metadata
from parlour.house.house import House
from parlour.house.puzzles import deeds, mistakes, positions, rows
from parlour.house.puzzles import schema as s
from parlour.house.puzzles.rows import Solver, Which
from parlour.house.today.rows import day_of, moved
from tests.found import added
from tests.house.accounts.test_belongings import packed
from tests.house.clock import Clock
from tests.house.people import ME, OPEN, Person, guest_of, play_on
from tests.house.played import made_up

SECRET = "correct horse"
DAY = 86400.0
FORTUNE = Which("fortune", "")


def every() -> Collection:
    found = puzzles_of(find("fortune"))
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def _fortune_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let only one game have puzzles, so that the daily one is known, and forget positions of other files."""
    real = files.load
    monkeypatch.setattr(
        files, "load", lambda package, name: real(package, name) if package.endswith(".fortune") else None
    )
    positions.position.cache_clear()
    yield
    positions.position.cache_clear()


async def answer(person: Person, one: Puzzle, move: str = "") -> Any:
    return await person.do("puzzles", game="fortune", key=one.key, move=move)


async def mine(house: House, person: Person) -> Solver:
    guest = (await guest_of(person)).id
    return await house.store.look(partial(rows.solver, which=FORTUNE, guest=guest))


def told(page: str) -> str:
    """Return what a page says of its puzzle: without what differs between two requests."""
    return re.sub(r"nonce-[\w+/=]+", "", page)


# The page ---------------------------------------------------------------------------------------------
async def test_a_page_shows_the_position_as_the_seat_sees_it(ann: Person) -> None:
    one = every().puzzles[0]
    page = (await ann.get(f"/puzzles/fortune?key={one.key}")).text
    match = replay(every().record(one), lambda _: find("fortune"))
    assert page.count('data-action="') >= 1
    assert "data-undo" not in page
    assert "data-hint" not in page
    assert re.search(rf"You are <svg.*?</svg><b>Player {one.seat + 1}</b>\.", page)
    assert match.log(one.seat)[-1].text.split(":")[0] in page


async def test_nothing_on_the_page_follows_from_the_answer(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is byte for byte the same if another decision is the best, with other values and themes."""
    one = every().puzzles[5]
    path = f"/puzzles/fortune?key={one.key}"
    before = told((await ann.get(path)).text)
    other = msgspec.structs.replace(
        one, values=tuple(Value(value.move, 0.01) for value in reversed(one.values)), themes=("risk",), number=77,
        found=dict.fromkeys(one.found, (0, 8)),
    )  # fmt: skip
    changed = msgspec.structs.replace(
        every(), puzzles=tuple(other if it.key == one.key else it for it in every().puzzles)
    )
    monkeypatch.setattr(files, "load", lambda package, _: changed if package.endswith(".fortune") else None)
    positions.position.cache_clear()
    assert told((await ann.get(path)).text) == before
    found = await answer(ann, one)
    assert found["best"] == other.best != one.best  # the change was there


async def test_a_page_without_a_key_has_a_puzzle_that_is_next_to_ones_rating(ann: Person) -> None:
    keys = {re.search(r"key=(\w{10})", (await ann.get("/puzzles/fortune")).text)[1] for _ in range(6)}  # type: ignore[index]
    order = sorted(every().puzzles, key=lambda one: abs(one.rating - 1500))
    near = {one.rating for one in order[: deeds.NEAR]}
    assert {every().of(key).rating for key in keys} <= near
    tried = {one.key: True for one in order[:-1]}
    luck = random.Random(1)
    assert deeds.chosen_for(every(), Solver(), tried, {}, luck).key == order[-1].key
    assert deeds.chosen_for(every(), Solver(), tried | {order[-1].key: False}, {}, luck) in every().puzzles


def test_only_so_many_positions_are_kept() -> None:
    game = find("fortune")
    for one in every().puzzles[: positions.KEPT + 2]:
        assert positions.position(game, "", one.key).puzzle is one
    known = positions.position.cache_info()
    assert (known.maxsize, known.currsize) == (positions.KEPT, positions.KEPT)


async def test_what_is_not_there(ann: Person) -> None:
    for path, status in (
        ("/puzzles/fortune?key=none", 404), ("/puzzles/gatsby", 404), ("/puzzles/nonsense", 404),
        ("/puzzles/fortune?ruleset=none", 404),
    ):  # fmt: skip
        assert (await ann.get(path)).status_code == status, path
    await ann.refused("puzzles", 404, "not-found", game="fortune", key="none")


async def test_the_list_names_the_rulesets_and_how_one_does(ann: Person) -> None:
    page = (await ann.get("/puzzles")).text
    assert f"{len(every().puzzles)} puzzles <small>rated" in page
    await answer(ann, every().puzzles[0], every().puzzles[0].best)
    page = (await ann.get("/puzzles")).text
    assert "1 of 1 solved" in page
    assert "Daily puzzle" in page


# Answers ----------------------------------------------------------------------------------------------
async def test_a_right_answer_rates_both_and_counts_once(ann: Person, house: House) -> None:
    one = every().puzzles[0]
    found = await answer(ann, one, one.best)
    assert (found["right"], found["counted"], found["best"], found["streak"]) == (True, True, one.best, 1)
    assert [value["move"] for value in found["values"]] == [value.move for value in one.values]
    assert found["rating"] > 1500
    assert "Right!" in found["verdict"]
    assert chances.EXACT in found["verdict"]
    rated = await house.store.look(partial(rows.ratings, which=FORTUNE))
    assert rated[one.key] < deeds.skill_of(one).mu  # it was beaten
    again = await answer(ann, one, one.values[1].move)
    assert (again["right"], again["counted"], again["rating"]) == (False, False, found["rating"])
    assert "For practice" in again["verdict"]
    assert (await mine(house, ann)).tried == 1


async def test_a_wrong_answer_and_giving_up_end_the_streak(ann: Person, house: House) -> None:
    first, second, third, fourth = every().puzzles[:4]
    assert (await answer(ann, first, first.best))["streak"] == 1
    assert (await answer(ann, second, second.best))["streak"] == 2
    found = await answer(ann, third, third.values[-1].move)
    assert (found["right"], found["streak"]) == (False, 0)
    assert "Not the best" in found["verdict"]
    assert (await answer(ann, fourth, fourth.best))["streak"] == 1
    found = await answer(ann, every().puzzles[4])
    assert (found["right"], found["counted"], found["streak"]) == (False, True, 0)
    one = await mine(house, ann)
    assert (one.tried, one.solved, one.streak, one.longest) == (5, 3, 0, 2)


async def test_an_illegal_move_is_refused_and_does_not_count(ann: Person, house: House) -> None:
    one = every().puzzles[0]
    await ann.refused("puzzles", 400, "invalid-move", game="fortune", key=one.key, move="nonsense")
    illegal = next(
        move for move in ("re-roll 1 2", "re-roll 1 3", "re-roll 2 3", "re-roll 1 8", "re-roll 3 7")
        if move not in replay(every().record(one), lambda _: find("fortune")).legal_actions()
    )  # fmt: skip
    await ann.refused("puzzles", 422, "illegal-move", game="fortune", key=one.key, move=illegal)
    assert (await mine(house, ann)).tried == 0


async def test_the_answer_can_be_written_in_any_way_that_means_the_same(ann: Person) -> None:
    one = next(one for one in every().puzzles if one.best.startswith("re-roll"))
    dice = one.best.removeprefix("re-roll ").split()
    assert (await answer(ann, one, f"RE-ROLL {' '.join(reversed(dice))}"))["right"]


async def test_a_nameless_guest_solves_and_is_remembered(arrive: Callable[[], Person]) -> None:
    eve = arrive()
    one = every().puzzles[0]
    await eve.get("/")
    assert (await answer(eve, one, one.best))["counted"]
    assert not (await answer(eve, one, one.best))["counted"]
    assert "1 of 1 solved" in (await eve.get("/puzzles")).text


async def test_two_answers_at_once_count_once(ann: Person, house: House) -> None:
    one = every().puzzles[0]
    found = await asyncio.gather(*(answer(ann, one, one.best) for _ in range(4)))
    assert sorted(one["counted"] for one in found) == [False, False, False, True]
    assert (await mine(house, ann)).tried == 1


async def test_a_puzzle_meets_many_and_its_rating_follows(ann: Person, bob: Person, house: House) -> None:
    one = every().puzzles[0]
    await answer(ann, one)
    once = (await house.store.look(partial(rows.ratings, which=FORTUNE)))[one.key]
    await answer(bob, one)
    twice = (await house.store.look(partial(rows.ratings, which=FORTUNE)))[one.key]
    assert deeds.skill_of(one).mu < once < twice
    page = (await bob.get(f"/puzzles/fortune?key={one.key}")).text
    assert f"Rated {1500 + 29.48 * (twice - 25):.0f}." in page


# The daily one ----------------------------------------------------------------------------------------
async def test_everyone_has_the_same_daily_puzzle_and_a_streak_of_days(
    ann: Person, bob: Person, house: House, clock: Clock
) -> None:
    for day in range(3):
        due = deeds.daily(day_of(clock()))
        assert due is not None
        for person in (ann, bob):
            page = (await person.get("/")).text
            assert f"/puzzles/fortune?key={due.puzzle.key}" in page
        await answer(ann, due.puzzle, due.puzzle.best)
        guest = (await guest_of(ann)).id
        assert await deeds.days(house, guest, day_of(clock())) == (True, day + 1)
        clock.ahead += DAY
    assert await deeds.days(house, guest, day_of(clock())) == (None, 3)
    assert "3 days in a row" in (await ann.get("/")).text
    due = deeds.daily(day_of(clock()))
    assert due is not None
    await answer(ann, due.puzzle, due.puzzle.values[1].move)
    assert await deeds.days(house, guest, day_of(clock())) == (False, 0)
    assert await deeds.days(house, (await guest_of(bob)).id, day_of(clock())) == (None, 0)


def test_each_puzzle_of_each_ruleset_has_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the number of rulesets and that of puzzles have a common divisor."""
    few = msgspec.structs.replace(every(), puzzles=every().puzzles[:4])
    monkeypatch.setattr(files, "load", lambda *_: few)
    monkeypatch.setattr(positions, "playable", lambda *_: few)
    kinds = positions.kinds()
    days = [deeds.daily(moved("2026-11-28", by)) for by in range(4 * len(kinds))]
    assert len({(one.of.which, one.puzzle.key) for one in days if one is not None}) == 4 * len(kinds)


def test_a_streak_of_days_ends_with_a_day_without_one() -> None:
    today = "2026-11-28"
    before = {moved(today, -by): True for by in (1, 2, 4)}
    assert deeds.days_of(before, today) == (None, 2)
    assert deeds.days_of(before | {today: True}, today) == (True, 3)
    assert deeds.days_of(before | {today: False}, today) == (False, 0)
    assert deeds.days_of({}, today) == (None, 0)


async def test_a_house_without_puzzles(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "load", lambda *_: None)
    assert deeds.daily("2026-11-28") is None
    assert "Daily puzzle" not in (await ann.get("/")).text
    assert "No game here has puzzles yet." in (await ann.get("/puzzles")).text


async def test_a_file_for_other_rules_is_not_shown(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    older = msgspec.structs.replace(every(), rules=every().rules + 1)
    monkeypatch.setattr(files, "load", lambda package, _: older if package.endswith(".fortune") else None)
    assert (await ann.get("/puzzles/fortune")).status_code == 404


# What is theirs ---------------------------------------------------------------------------------------
async def test_answers_are_exported_handed_on_and_deleted(
    ann: Person, arrive: Callable[[], Person], house: House
) -> None:
    first, second = every().puzzles[:2]
    await ann.do("me/claim", name="Ann", password=SECRET)
    await answer(ann, first, first.best)
    eve = arrive()
    await eve.get("/")
    await answer(eve, first)
    await answer(eve, second, second.best)
    await eve.do("me/sign-in", name="Ann", password=SECRET)
    data = (await packed(ann))[0]["puzzles"]
    assert [(one["puzzle"], one["right"]) for one in data["answers"]] == [(first.key, True), (second.key, True)]
    assert [one["tried"] for one in data["ratings"]] == [1]  # the account's own, which counts
    await ann.do("me/delete", password=SECRET)

    def left(connection: sa.Connection) -> int:
        return sum(connection.scalar(sa.select(sa.func.count()).select_from(one)) or 0 for one in (s.tries, s.solvers))

    for _ in range(200):
        if not await house.store.look(left):
            break
        await asyncio.sleep(0.01)
    assert await house.store.look(left) == 0
    assert {"puzzle_tries", "puzzle_solvers", "puzzle_ratings"} <= {*metadata.tables}


# Mistakes in your own games ----------------------------------------------------------------------------
async def analysed(house: House, ann: Person, bob: Person) -> str:
    """Play a game of two with hidden cards, and store an analysis in which every decision is a blunder."""
    table_id = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table_id}/sit")
    await ann.do(f"tables/{table_id}/start")
    await play_on(table_id, 9, ann, bob, seed=1)
    match = (await house.table(table_id)).match
    assert match is not None
    judged = [replace(one, before=0.6, after=0.3, other_chance=0.6) for one in made_up(match)]
    assert {one.mark for one in judged} == {"blunder"}
    keep = partial(keep_analysis, table_id=table_id, rules=match.game.rules.VERSION, way="a way")
    await house.store.do(partial(keep, judgements=msgspec.to_builtins(judged)))
    return table_id


@pytest.fixture
def kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.mark.usefixtures("kuhn")
async def test_without_a_mistake_the_page_says_how_one_is_found(ann: Person, bob: Person) -> None:
    """A newcomer is asked to play, a person with a finished game to analyse it; only a wrong address is an error."""
    newcomer = await ann.get("/mistakes")
    assert newcomer.status_code == 200
    assert "Play a game" in newcomer.text
    table_id = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table_id}/sit")
    await ann.do(f"tables/{table_id}/start")
    await play_on(table_id, 9, ann, bob, seed=1)
    asked = (await ann.get("/mistakes")).text
    assert "Analyse your last game" in asked
    assert f"/t/{table_id}/replay" in asked
    assert (await ann.get(f"/mistakes?table={table_id}&step=0")).status_code == 404


@pytest.mark.usefixtures("kuhn")
async def test_a_mistake_of_ones_own_game_is_a_puzzle_for_them_alone(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    table_id = await analysed(house, ann, bob)
    match = (await house.table(table_id)).match
    assert match is not None
    mine = [one.judged for one in await mistakes.of(house, (await guest_of(ann)).id)]
    assert {one.seat for one in mine} == {0}
    step = mine[0].step
    assert "Your own mistakes" in (await ann.get("/puzzles")).text
    page = (await ann.get(f"/mistakes?table={table_id}&step={step}")).text
    assert "From a game of yours." in page
    assert "0.6" not in page
    assert "30.0 %" not in page
    found = await ann.do("mistakes", table=table_id, step=step, move=mine[0].other)
    assert (found["right"], found["counted"], found["rating"], found["best"]) == (True, False, None, mine[0].other)
    again = await ann.do("mistakes", table=table_id, step=step, move=mine[0].move)
    assert (again["right"], [one["chance"] for one in again["values"]]) == (False, [0.6, 0.3])
    answer = (await ann.do("mistakes", table=table_id, step=step))["verdict"]
    assert "The answer" in answer
    assert chances.EXACT in answer  # no search: that is how `made_up` judges
    await ann.refused("mistakes", 400, "invalid-move", table=table_id, step=step, move="nonsense")
    eve = arrive()
    await eve.get("/")
    for person in (bob, eve):
        await person.refused("mistakes", 404, "not-found", table=table_id, step=step)
        assert (await person.get(f"/mistakes?table={table_id}&step={step}")).status_code == 404
    solver = partial(rows.solver, which=Which("kuhn", ""), guest=(await guest_of(ann)).id)
    assert (await house.store.look(solver)).tried == 0


@pytest.mark.usefixtures("kuhn")
async def test_a_mistake_of_an_older_analysis_says_that_its_chances_were_not_checked(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are those of the search. An analysis of today has them corrected."""
    game = Game("kuhn", "tests.fixtures.kuhn")
    one = Correction("", next(iter(game.editions)), 2, "hard", 400, 100, 0.5, 0.5, 0.0)
    monkeypatch.setattr(chances, "corrections", lambda _: (one,))
    table_id = await analysed(house, ann, bob)
    (stored,) = await house.store.look(partial(rows.analysed, guest=(await guest_of(ann)).id))
    searched = [{**judged, "simulations": 400} for judged in stored.judgements]  # type: ignore[attr-defined]
    step = next(judged["step"] for judged in searched if judged["seat"] == 0)
    for way, said in (("7/advice", chances.UNKNOWN), (f"{VERSION}/advice", chances.holds(one, exact=False))):
        change = sa.update(analyses).values(way=way, judgements=searched)
        await house.store.do(lambda connection, change=change: connection.execute(change))
        verdict = await ann.do("mistakes", table=table_id, step=step)
        assert said in verdict["verdict"]
        assert [value["chance"] for value in verdict["values"]] == [0.6, 0.3]


@pytest.mark.usefixtures("kuhn")
async def test_an_analysis_of_an_older_form_is_passed_over(ann: Person, bob: Person, house: House) -> None:
    table_id = await analysed(house, ann, bob)
    guest = (await guest_of(ann)).id
    assert await mistakes.of(house, guest)
    await house.store.do(lambda connection: connection.execute(sa.update(analyses).values(judgements=[{"step": 1}])))
    assert await mistakes.of(house, guest) == []
    assert (await ann.get(f"/mistakes?table={table_id}&step=3")).status_code == 404
