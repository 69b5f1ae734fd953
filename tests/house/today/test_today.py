"""Today's game: one seed for everyone, one result that counts, and what no one sees before the day is over."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour import bots
from parlour.bots import View
from parlour.core import fair
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import verify
from parlour.games import all_games, find
from parlour.house.database.all_tables import metadata
from parlour.house.house import House
from parlour.house.ratings.outcomes import count_late
from parlour.house.table.live.journal import setup_of
from parlour.house.today import deeds, rows
from parlour.house.today import schema as s
from parlour.house.today.deeds import prepare
from parlour.house.today.marks import marks_of
from parlour.house.today.pages import words_of
from parlour.house.today.rows import Result
from parlour.house.workers import pool
from tests.house.accounts.test_belongings import packed
from tests.house.clock import Clock
from tests.house.people import Person, guest_of
from tests.house.staff import Staff

KUHN = Path(__file__).parents[2] / "fixtures" / "kuhn"
SECRET = "correct horse"
DAY = 86400.0


@pytest.fixture(scope="module")
def kuhn_staff() -> Iterator[Staff]:
    """Create worker processes that know Kuhn poker, whose games are over in a moment; end them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARLOUR_GAMES", str(KUHN))
        made = Staff()
        yield made
        made.close()


@pytest.fixture(autouse=True)
def _kuhn(kuhn_staff: Staff, _workers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(KUHN))
    monkeypatch.setattr(pool, "processes", kuhn_staff)


async def play(person: Person, table: str, seed: int = 1, most: int = 10_000) -> Any:
    """Play a person's game against bots, up to this number of moves; return what they see then. The same position has
    the same move."""
    while True:
        seen = await person.see(table)
        if seen["table"]["status"] != "playing" or (seen["legal"] and not most):
            return seen
        if seen["legal"]:
            most -= 1
            version = seen["table"]["version"]
            move = random.Random(f"{seed}/{version}").choice(seen["legal"])
            await person.do(f"tables/{table}/moves", move=move, version=version)
        else:
            await asyncio.sleep(0.005)


async def todays(person: Person, game: str = "kuhn", **more: str) -> str:
    return str((await person.do("today", game=game, **more))["id"])


async def finished(house: House, person: Person, table: str, seed: int = 1) -> Result:
    """Play a game of the day to its end; return the result once it is stored."""
    await play(person, table, seed)
    game, guest = (await house.table(table)).row, await guest_of(person)
    look = partial(
        rows.result_of, game=game.game, ruleset=game.options.get("ruleset", ""), day=game.day, guest=guest.id
    )
    for _ in range(400):
        found = await house.store.look(look)
        assert found is not None
        if found.done is not None:
            return found
        await asyncio.sleep(0.005)
    raise AssertionError("the result was not stored")


async def results(person: Person, game: str = "kuhn", **query: str) -> Any:
    answer = await person.get(f"/api/games/{game}/today", params=query)
    assert answer.is_success, answer.text
    return answer.json()


async def steps(house: House, table: str) -> list[tuple[int, int, str]]:
    match = (await house.table(table)).match
    assert match is not None
    return match.steps


# The same game ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["kuhn", "fortune"])
async def test_the_same_moves_give_two_people_the_same_game(ann: Person, bob: Person, house: House, game: str) -> None:
    """Bob plays with pauses of the bots' processes, and other questions to them in between."""
    hers, his = await todays(ann, game), await todays(bob, game)
    assert hers != his
    most = 10_000 if game == "kuhn" else 6
    await play(ann, hers, most=most)
    await play(bob, his, most=most // 2)
    house.workers.stop()
    other = (await ann.do("tables", game=game))["id"]
    await play(ann, other, most=2)
    await play(bob, his, most=most)
    mine, theirs = await steps(house, hers), await steps(house, his)
    common = min(len(mine), len(theirs))
    assert common > (3 if game == "kuhn" else 12)
    assert mine[: common - 1] == theirs[: common - 1]


def test_a_repeatable_bot_answers_alike_whatever_it_was_asked_before() -> None:
    """A bot that searches keeps its tree through the decisions of a turn: here it must not."""
    game = find("facets-of-fortune")
    match = Match(game, seed=7)
    views: list[View] = []
    while len(views) < 4:
        views.append(View.of(match, match.current_player))
        match.play(bots.find(game, "greedy").choose(views[-1]))
    assert any(view.trail for view in views), "several decisions of a turn are among them"
    found = bots.find(game, "expert", repeatable=True)
    assert isinstance(found, bots.SearchBot)
    assert found.plan.seconds is None
    quick = replace(found.plan, simulations=20)

    def alike(*, afresh: bool) -> bool:
        together = bots.SearchBot(game, "expert", quick, afresh)
        return all(
            together.search(view) == bots.SearchBot(game, "expert", quick, afresh).search(view) for view in views
        )

    assert found.afresh
    assert alike(afresh=True)
    assert not alike(afresh=False), "else this test says nothing"


@pytest.mark.whole
@pytest.mark.parametrize("game", sorted(all_games()))
def test_a_repeatable_bot_answers_alike_plain_and_compiled(game: str) -> None:
    """So a house that has just started, and answers without compiled code, plays the same game."""
    from parlour.bots.worker import warm  # which loads Numba

    found = find(game)
    engine = warm(found)
    for ruleset in found.rulesets:
        match = Match(found, options={"ruleset": ruleset} if ruleset else {}, seed=5)
        for _ in range(15):
            if match.over:
                break
            view = View.of(match, match.current_player)
            plain, compiled = (
                bots.find(found, bots.default(found), repeatable=True).choose(view, one) for one in (None, engine)
            )
            assert plain == compiled
            match.play(compiled)


# What counts --------------------------------------------------------------------------------------------
async def test_the_first_game_counts_and_later_ones_are_practice(ann: Person, bob: Person, house: House) -> None:
    table = await todays(ann)
    assert await todays(ann) == table, "while it is played, there is no other"
    seen = await play(ann, table, most=0)
    assert (seen["table"]["hints"], seen["table"]["public"], seen["table"]["day"]) == (
        False, False, rows.day_of((await house.table(table)).row.created),
    )  # fmt: skip
    await ann.refused(f"tables/{table}/hint", 403, "hints-off", version=seen["table"]["version"])
    first = await finished(house, ann, table)
    assert first.ranked
    assert re.fullmatch(r"[-+=]{10}|[-+=]{1,9}", first.marks)
    match = (await house.table(table)).match
    assert match is not None
    assert (first.share, first.score) == (match.returns[0], match.scores[0])
    assert first.margin == match.scores[0] - match.scores[1]
    assert first.marks == marks_of(match)[0]
    again = await todays(ann)
    assert again != table
    assert (await ann.see(again))["table"]["hints"], "practice"
    await play(ann, again, seed=9)
    assert [(one["mine"], one["marks"]) for one in (await results(ann))["results"]] == [(True, first.marks)]
    assert (await results(bob))["players"] == 1
    assert (await results(ann, day=rows.moved(first.day, -1)))["players"] == 0


async def test_pressing_twice_at_once_begins_one_game(ann: Person) -> None:
    made = await asyncio.gather(*[todays(ann) for _ in range(4)])
    assert len(set(made)) == 1


async def test_a_game_that_a_bot_played_or_that_was_late_is_not_ranked(
    ann: Person, bob: Person, house: House, clock: Clock
) -> None:
    hers = await todays(ann)
    await ann.do(f"tables/{hers}/leave")
    await ann.do(f"tables/{hers}/sit")
    assert not (await finished(house, ann, hers)).ranked
    his = await todays(bob)
    clock.ahead += DAY
    late = await finished(house, bob, his)
    assert not late.ranked
    assert late.share is not None
    assert (await results(bob))["players"] == 0
    assert "not ranked" in (await bob.get("/today/kuhn", params={"day": late.day})).text


async def test_a_game_that_was_left_is_no_second_chance(ann: Person) -> None:
    table = await todays(ann)
    await ann.do(f"tables/{table}/end", agree=True)
    assert (await ann.see(table))["table"]["status"] == "closed"
    assert "You ended this game without a result" in (await ann.get("/today/kuhn")).text
    await ann.do(f"tables/{table}/leave")  # which deletes it
    again = await todays(ann)
    await play(ann, again)
    await asyncio.sleep(0.05)
    assert (await results(ann))["results"] == []
    assert "without a result" in (await ann.get("/today")).text


async def test_a_game_that_the_house_closed_can_be_begun_again(ann: Person, house: House) -> None:
    table = await todays(ann)
    await house.store.do(
        lambda connection: connection.execute(
            sa.text("UPDATE tables SET status = 'closed', ended = 'misfit' WHERE id = :id"), {"id": table}
        )
    )
    again = await todays(ann)
    assert again != table
    assert (await finished(house, ann, again)).ranked


async def test_what_a_shutdown_left_uncounted_is_counted(ann: Person, house: House) -> None:
    table = await todays(ann)
    first = await finished(house, ann, table)

    def forget(connection: sa.Connection) -> None:
        connection.execute(sa.text("DELETE FROM outcomes"))
        connection.execute(sa.update(s.results).values(done=None, ranked=False, marks="", share=None))

    await house.store.do(forget)
    assert await count_late(house.store, 10) == 1
    assert await house.store.look(
        partial(rows.result_of, game="kuhn", ruleset="", day=first.day, guest=first.guest_id)
    ) == first  # fmt: skip


# The commitment -----------------------------------------------------------------------------------------
async def test_the_seed_is_committed_to_a_day_before_and_verifies_after(
    ann: Person, bob: Person, house: House, clock: Clock
) -> None:
    await prepare(house, rows.ends(rows.day_of(clock())) - 3600)
    tomorrow = rows.moved(rows.day_of(clock()), 1)
    (before,) = [one for one in await house.store.look(partial(rows.days, which=[tomorrow])) if one.game == "kuhn"]
    assert before.commitment in (await ann.get("/today/kuhn")).text
    assert before.seed not in (await ann.get("/today/kuhn")).text
    clock.ahead += rows.ends(rows.day_of(clock())) - clock() + 60
    table = await todays(ann)
    await finished(house, ann, table)
    shown = await results(bob)
    assert (shown["day"], shown["commitment"], shown["seed"]) == (tomorrow, before.commitment, None)
    assert "before the day began" in (await bob.get("/today/kuhn")).text
    for path in (f"/api/tables/{table}", f"/t/{table}", f"/t/{table}/replay", f"/api/tables/{table}/position"):
        assert (await bob.get(path)).status_code == 409, "he could still play it"
        own = await ann.get(path)
        assert own.is_success
        assert before.seed not in own.text
    for person in (ann, bob):
        assert (await person.get(f"/t/{table}/record")).status_code == 409
    _, files = await packed(ann)
    assert all(Record.parse(text).seed is None for name, text in files.items() if table in name)
    clock.ahead += DAY
    assert (await bob.see(table))["table"]["verdict"]["seed"] == before.seed
    record = await bob.record(table)
    assert record.commitment == before.commitment
    assert verify(record, find).over
    assert before.seed in (await bob.get("/today/kuhn", params={"day": tomorrow})).text
    old = await results(bob, day=tomorrow)
    row = (await house.table(table)).row
    assert fair.commitment(old["seed"], setup_of(row, 2)) == before.commitment


async def test_two_processes_can_commit_at_once(house: House, clock: Clock) -> None:
    """Both look before the other has written. A single day that a page has made meanwhile leaves the others to do."""
    now = clock() + 40 * DAY
    which = [rows.moved(rows.day_of(now), by) for by in range(2)]
    single = deeds.day_of(house, find("kuhn"), "", now)
    await asyncio.gather(single, prepare(house, now), prepare(house, now))
    found = await house.store.look(partial(rows.days, which=which))
    assert sorted((one.game, one.ruleset, one.day) for one in found) == sorted(
        (game.name, ruleset, day) for game, ruleset in deeds.kinds() for day in which
    )


async def test_newer_rules_get_a_commitment_of_their_own(ann: Person, house: House, monkeypatch: Any) -> None:
    game = find("kuhn")
    before = await deeds.day_of(house, game, "", rows.ends(rows.day_of(0)))
    monkeypatch.setattr(game.rules, "VERSION", game.rules.VERSION + 1)
    after = await deeds.day_of(house, game, "", rows.ends(rows.day_of(0)))
    assert after.seed == before.seed
    assert after.commitment != before.commitment
    assert after.rules == before.rules + 1
    del ann


# Whose names --------------------------------------------------------------------------------------------
async def test_accounts_are_named_guests_are_not_nor_people_one_has_muted(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    eve = arrive()
    await ann.do("me/claim", name="Ann", password=SECRET)
    await bob.do("me/claim", name="Bob", password=SECRET)
    await eve.do("me", name="Evelyn")
    for seed, person in enumerate((ann, bob, eve)):
        await finished(house, person, await todays(person), seed)

    async def names(person: Person) -> set[str]:
        page = (await person.get("/today/kuhn")).text
        assert {one["name"] for one in (await results(person))["results"]} <= {"Ann", "Bob", ""}
        return set(re.findall(r'<th scope="row">(?:<a href="[^"]*">)?<bdi>(?:<svg.*?</svg>)?(.*?)</bdi>', page))

    assert await names(eve) == {"Ann", "Bob", "Evelyn"}
    pages = [(await one.get("/today/kuhn")).text for one in (eve, ann)]
    assert [page.count('<bdi><svg class="avatar"') for page in pages] == [3, 2], "no picture without a name"
    assert await names(ann) == {"Ann", "Bob", "A guest"}
    await ann.do("me/mute", name="Bob")
    assert await names(ann) == {"Ann", "A player", "A guest"}
    assert await names(bob) == {"Ann", "Bob", "A guest"}
    await ann.do("me/block", name="Bob")
    assert await names(bob) == {"A player", "Bob", "A guest"}
    assert "Bob" not in [one["name"] for one in (await results(ann))["results"]]


async def test_results_are_exported_handed_on_and_deleted(
    ann: Person, house: House, arrive: Callable[[], Person]
) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    first = await finished(house, ann, await todays(ann))
    about, _ = await packed(ann)
    (said,) = about["today"]
    assert (said["day"], said["game"], said["went"], said["ranked"]) == (first.day, "kuhn", first.marks, True)
    guest = arrive()
    await finished(house, guest, await todays(guest), 5)
    fortune = await todays(guest, "fortune")
    await guest.do("me/sign-in", name="Ann", password=SECRET)
    assert (await results(ann))["players"] == 1, "her own counts"
    assert await todays(ann, "fortune") == fortune, "and what she began as a guest is hers"
    await ann.do("me/delete", password=SECRET)
    assert (await results(guest))["players"] == 0


# Rows ---------------------------------------------------------------------------------------------------
def test_places_are_shared_and_a_person_further_down_is_found_and_old_rows_go() -> None:
    engine = sa.create_engine("sqlite://")
    old = rows.moved("2026-11-28", -rows.KEPT - 1)
    with engine.begin() as connection:
        metadata.create_all(connection)
        scores = [(1.0, 50, 9), (1.0, 50, 9), (0.5, 0, 7), (1.0, 70, 3), (0.0, -1, 99)]
        for i, (share, margin, score) in enumerate(scores):
            result = Result("kuhn", "", "2026-11-28", f"g{i}", f"t{i}", 0.0, 1.0, True, share, score, margin, "+")
            rows.begin(connection, result)
            rows.begin(connection, result._replace(day=old))
        rows.begin(connection, Result("kuhn", "", "2026-11-28", "late", "t9", 0.0, 2.0, False, 1.0, 9, 900))
        found, own = rows.placed(connection, "kuhn", "", "2026-11-28", "g4")
        assert [(one.guest_id, one.rank) for one in found] == [("g3", 1), ("g0", 2), ("g1", 2), ("g2", 4), ("g4", 5)]
        assert [one.equals for one in found] == [1, 2, 2, 1, 1]
        assert own == found[-1]
        for i in range(rows.SHOWN):
            rows.begin(connection, Result("kuhn", "", "2026-11-28", f"h{i}", "t", 0.0, 1.0, True, 1.0, 9, 900))
        found, own = rows.placed(connection, "kuhn", "", "2026-11-28", "g4")
        assert len(found) == rows.SHOWN
        assert own is not None
        assert own.rank == rows.SHOWN + 5
        rows.put(connection, [rows.Day("kuhn", "", day, 1, "s", "c", 0.0) for day in (old, "2026-11-28")])
        rows.clear(connection, rows.ends("2026-11-27") + 60)
        assert rows.counts(connection, old) == {}
        assert rows.counts(connection, "2026-11-28") == {("kuhn", ""): rows.SHOWN + 5}
        assert [one.day for one in rows.days(connection, [old, "2026-11-28"])] == ["2026-11-28"]


@pytest.mark.parametrize(
    ("share", "margin", "words"),
    [
        (1.0, 1450, "Won by 1,450"), (1.0, 0, "Won"), (1.0, -2, "Won"), (0.5, 0, "Shared the win"),
        (0.0, -300, "Lost by 300"), (0.0, 0, "Lost"), (None, None, "No result"),
    ],
)  # fmt: skip
def test_a_result_in_words(share: float | None, margin: int | None, words: str) -> None:
    assert words_of(share, margin) == words


# Pages --------------------------------------------------------------------------------------------------
async def test_equal_results_share_a_place_in_words(ann: Person, bob: Person, house: House) -> None:
    for person in (ann, bob):
        await finished(house, person, await todays(person))
    for person in (ann, bob):
        assert "shared 1st of 2" in (await person.get("/today/kuhn")).text


async def test_the_pages_lead_there_before_during_and_after(ann: Person, house: House) -> None:
    table = await todays(ann)
    turn = deeds.featured((await house.table(table)).row.day)
    assert turn is not None
    page = (await ann.get("/today/kuhn")).text
    assert "Continue" in page
    assert f'href="/t/{table}"' in page
    await finished(house, ann, table)
    page = (await ann.get("/today/kuhn")).text
    assert "1st of 1" in page
    assert "data-share-day" in page
    assert 'id="day-picture"' in page
    assert re.search(r'<image href="/static/[^"]*cover[^"]*\.png"', page)
    assert "Play again" in page
    assert 'href="/today/kuhn?day=' in (await ann.get(f"/t/{table}")).text
    assert "No one has finished today’s game yet." in (await ann.get("/today/fortune")).text
    lobby = (await ann.get("/")).text
    assert "Today’s game" in lobby
    assert turn[0].text.TITLE in lobby
    for wrong in ("tomorrow", "2999-01-01", rows.moved(rows.day_of(0), 1)):
        assert (await ann.get("/today/kuhn", params={"day": wrong})).status_code == 404
    assert (await ann.get("/today/kuhn?ruleset=none")).status_code == 404
    await ann.refused("today", 400, "unknown-name", game="kuhn", ruleset="none")
    await ann.refused("today", 400, "bad-input", game="kuhn", seed="1")
