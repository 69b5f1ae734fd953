"""The analysis of a finished game: made once, in another process, stored, and shown in the replay."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from parlour.analysis.evaluation import Judgement
from parlour.bots import chances
from parlour.core.game import Game
from parlour.core.scene import SPECTATOR
from parlour.house.analysis import jobs as analysis_jobs
from parlour.house.analysis import pages as analysis_pages
from parlour.house.analysis import rows as analysis_rows
from parlour.house.analysis.jobs import Analyst, Job, Progress
from parlour.house.app import create_app, open_house
from parlour.house.errors import Busy, NoAnswer
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.workers import queue
from tests.found import added
from tests.house.people import ME, OPEN, Person, two_at_table
from tests.house.serving import Nursery
from tests.house.table.test_undo import play


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
def _fixtures() -> Iterator[None]:
    with added(*(Game(name, f"tests.fixtures.{name}") for name in ("kuhn", "satchel"))):
        yield


async def finished(ann: Person, bob: Person, *moves: str) -> str:
    """Play a game of Kuhn to its end with these moves; return its id."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    for turn, move in enumerate(moves):
        await (ann, bob)[turn % 2].do(f"tables/{table}/moves", move=move, version=2 + turn)
    return table


async def analysed(person: Person, table: str) -> Any:
    """Begin the analysis and ask until it is done, as the page does."""
    end = time.monotonic() + 60
    answer = await person.post(f"/api/tables/{table}/analysis", json={})
    while True:
        assert answer.is_success, answer.text
        if answer.json()["status"] == "done":
            return answer.json()
        assert answer.json()["status"] in ("working", "waiting")
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
        answer = await person.get(f"/api/tables/{table}/analysis")


def count_pieces(analyst: Analyst, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect what the analyst asks its process to judge from now on."""
    monkeypatch.setattr(analysis_jobs, "PIECE", 60.0)  # otherwise a busy machine splits one into two
    asked: list[str] = []
    honest = analyst.workers.ask

    async def noted(who: str, *rest: Any, **more: Any) -> Any:
        if "judge" in who:
            asked.append(who)
        return await honest(who, *rest, **more)

    monkeypatch.setattr(analyst.workers, "ask", noted)
    return asked


async def test_two_who_look_begin_it_once_and_it_is_kept(
    ann: Person, bob: Person, house: House, analyst: Analyst, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "bet", "bet")
    asked = count_pieces(analyst, monkeypatch)
    reports = await asyncio.gather(analysed(ann, table), analysed(bob, table), analysed(ann, table))
    assert len(asked) == 1
    assert reports[0] == reports[2]
    assert [one["seat"] for one in reports[0]["decisions"]] == [0, 1]
    turning, marked = reports[0]["turning"], 'class="dot ' in reports[0]["html"]
    assert (turning is not None) == marked  # the decision that cost most, if any cost enough for a mark
    if turning:
        assert re.search(r"The chance to win fell from \d+\s% to \d+\s%\.$", turning["words"])
    assert analyst.workers.processes()
    assert not set(analyst.workers.processes()) & set(house.workers.processes())
    await house.close()
    again = create_app(settings)
    await open_house(again)
    async with Person(transport=httpx.ASGITransport(app=again), base_url="http://house.test") as eve:
        answer = (await eve.get(f"/api/tables/{table}/analysis")).json()
        assert answer["decisions"] == reports[0]["decisions"]  # at once: the process gets no more requests
        assert not again.state.analyst.workers.processes()
    await again.state.house.close()


async def test_a_game_under_way_is_not_analysed(ann: Person, bob: Person, analyst: Analyst) -> None:
    table = await finished(ann, bob, "bet")
    answer = await ann.get(f"/api/tables/{table}/analysis")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not-over")
    assert (await ann.get("/api/tables/nowhere/analysis")).status_code == 404
    await ann.refused(f"tables/{table}/analysis", 409, "not-over")
    assert not analyst.queue.jobs


async def test_a_page_of_another_site_begins_none(ann: Person, bob: Person, analyst: Analyst) -> None:
    """An image or a link there can make a browser send a GET, which returns the progress and begins nothing."""
    table = await finished(ann, bob, "pass", "pass")
    answer = await ann.get(f"/api/tables/{table}/analysis")
    assert (answer.status_code, answer.json()["status"]) == (200, "none")
    other = {"Origin": "http://other.test"}
    assert (await ann.post(f"/api/tables/{table}/analysis", headers=other, json={})).status_code == 403
    form = {"Content-Type": "text/plain"}  # the kind of body that a form there can send without a preflight
    assert (await ann.post(f"/api/tables/{table}/analysis", headers=form, content=b"{}")).status_code == 415
    assert not analyst.queue.jobs
    assert (await ann.do(f"tables/{table}/analysis"))["status"] == "working"


async def test_a_process_that_dies_is_replaced(
    ann: Person, bob: Person, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "pass", "pass")
    await analyst.workers.warm()
    asked = count_pieces(analyst, monkeypatch)
    for pid in analyst.workers.processes():
        os.kill(pid, signal.SIGKILL)
    assert len((await analysed(ann, table))["decisions"]) == 2
    assert 1 <= len(asked) <= 2


async def test_a_failure_is_reported_plainly_and_can_be_tried_again(
    ann: Person, bob: Person, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "pass", "pass")

    async def dead(*_: Any, **__: Any) -> Any:
        raise NoAnswer("The computation failed or took too long. Please try again.")

    honest = analyst.workers.ask
    monkeypatch.setattr(analyst.workers, "ask", dead)
    await ann.do(f"tables/{table}/analysis")
    for _ in range(200):
        if analyst.queue.jobs[table].failure:
            break
        await asyncio.sleep(0.01)
    answer = await ann.get(f"/api/tables/{table}/analysis")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no-answer")
    assert "couldn't analyse this game" in answer.json()["error"]["message"]
    monkeypatch.setattr(analyst.workers, "ask", honest)
    assert (await analysed(ann, table))["status"] == "done"


async def test_what_was_judged_is_kept_when_luck_takes_too_long(
    ann: Person, bob: Person, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "pass", "pass")
    honest = analyst.workers.ask

    async def slow(who: str, *rest: Any, **more: Any) -> Any:
        if "luck" in who:
            raise NoAnswer("The computation failed or took too long. Please try again.")
        return await honest(who, *rest, **more)

    monkeypatch.setattr(analyst.workers, "ask", slow)
    answer = await analysed(ann, table)
    assert len(answer["decisions"]) == 2
    assert analyst.kept[table].luck == []


async def test_games_wait_for_each_other_up_to_a_number(
    ann: Person, bob: Person, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await finished(ann, bob, "pass", "pass") for _ in range(3)]
    go = asyncio.Event()
    honest = analyst.workers.ask

    async def slow(*rest: Any, **more: Any) -> Any:
        await go.wait()
        return await honest(*rest, **more)

    monkeypatch.setattr(analyst.workers, "ask", slow)
    monkeypatch.setattr(queue, "MOST_WAITING", 2)
    first, second, third = [(await ann.post(f"/api/tables/{table}/analysis")).json() for table in tables]
    assert (first["status"], second["status"], second["ahead"]) == ("working", "waiting", 1)
    assert third["error"]["code"] == "busy"
    go.set()
    for table in tables:
        assert (await analysed(ann, table))["status"] == "done"


async def test_addresses_take_turns_and_none_keeps_all_the_places(
    ann: Person, bob: Person, house: House, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await house.table(await finished(ann, bob, "pass", "pass")) for _ in range(10)]
    go = asyncio.Event()
    honest, kept = analyst.workers.ask, []

    async def slow(*rest: Any, **more: Any) -> Any:
        await go.wait()
        return await honest(*rest, **more)

    def keep(_: sa.Connection, table_id: str, **__: Any) -> None:
        kept.append(table_id)

    monkeypatch.setattr(analyst.workers, "ask", slow)
    monkeypatch.setattr(analysis_rows, "keep_analysis", keep)
    monkeypatch.setattr(queue, "ASKED_FOR", 3600.0)
    monkeypatch.setattr(queue, "MOST_WAITING", 6)
    crowd, mine, more = tables[:6], tables[6:9], tables[9]
    ahead = [await analyst.begin(table, "crowd") for table in crowd]
    assert [progress.ahead for progress in ahead if isinstance(progress, Progress)] == [0, 1, 2, 3, 4, 5]
    await asyncio.sleep(0)  # the first is begun
    with pytest.raises(Busy):
        await analyst.begin(more, "crowd")
    progress = [await analyst.begin(table, "mine") for table in mine]
    assert [one.ahead for one in progress if isinstance(one, Progress)] == [2, 4, 5]
    with pytest.raises(Busy):  # half of the places each
        await analyst.begin(more, "mine")
    dropped = await analyst.analysis(crowd[5])
    assert isinstance(dropped, Progress)
    assert dropped.status == "none"
    go.set()
    assert analyst.queue.task is not None
    await analyst.queue.task
    assert kept == [table.id for table in (*crowd[:2], mine[0], crowd[2], *mine[1:])]


async def test_what_nobody_asks_about_any_more_is_dropped(
    ann: Person, bob: Person, house: House, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "pass", "pass")
    monkeypatch.setattr(queue, "ASKED_FOR", -1.0)
    await ann.do(f"tables/{table}/analysis")
    for _ in range(200):
        if not analyst.queue.jobs:
            break
        await asyncio.sleep(0.01)
    assert not analyst.queue.jobs
    assert not analyst.workers.processes()
    read = partial(analysis_rows.analysis, table_id=table, rules=1, way=analysis_jobs.WAY)
    assert await house.store.look(read) is None


async def test_a_blunder_is_marked_on_the_graph_and_put_in_words(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    """Bob folds every hand to a bet, until he has folded the king."""
    for _ in range(40):
        table = await finished(ann, bob, "bet", "pass")
        live = await house.table(table)
        assert live.match is not None
        if live.match.state.hand[1] == 2:
            break
    html = (await analysed(arrive(), table))["html"]
    assert 'data-go="3"' in html
    assert "Step 3: blunder of Bob" in html
    assert "Bob: too few decisions for an accuracy, 1 blunder." in html
    assert "Best: Bob bets. <b>100\xa0%</b>" in html
    assert re.search(r"It wins 100 ± \d+ more games in 100\.", html)
    assert "data-take-back" in html
    assert "data-take-back" in (await analysed(bob, table))["html"]
    assert "data-take-back" not in (await analysed(ann, table))["html"], "Ann cannot take back what Bob did"
    assert f'<p class="holds">{chances.UNKNOWN}</p>' in html
    page = (await ann.get(f"/t/{table}/replay")).text
    assert 'data-key="analysis"' in page


async def test_steps_are_counted_as_the_viewer_counts_them(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    for person in (ann, bob, ann, bob):
        await play(table, person, "coin 1", "undo", "coin 2", "close")
    live = await house.table(table)
    assert live.over
    after = analysis_pages.versions(live, SPECTATOR)
    assert len(after) == len(live.record().steps)
    for step, version in enumerate(after):
        assert live.history[live.known.place(SPECTATOR, version) - 1].after == live.match.history()[step].after  # type: ignore[union-attr]
    house.settings = replace(house.settings, analysis=1.0)  # how well it is judged has no say
    report = await analysed(ann, table)
    last = live.known.version(0)
    assert f'viewBox="0 0 {last} 100"' in report["html"]


def judgement(step: int, seat: int, before: float, after: float) -> Judgement:
    chances = tuple(before if one == seat else (1 - before) / 2 for one in range(3))
    return Judgement(step, seat, "a", before, after, 0.0, "b", 1, before, False, chances, 0, 0.0)


def test_the_line_ascends_and_shows_the_drop() -> None:
    found = [judgement(1, 0, 0.5, 0.5), judgement(2, 1, 0.6, 0.2), judgement(3, 2, 0.4, 0.4)]
    line = analysis_pages.points(found, [1, 2, 3, 5, 6], 6, [0.0, 0.0, 1.0])
    assert [point.version for point in line] == [1, 2, 3, 4, 6]
    assert [round(point.chances[1], 6) for point in line] == [0.25, 0.6, 0.2, 0.3, 0.0]
    assert all(sum(point.chances) == pytest.approx(1) for point in line)


async def test_the_graph_is_drawn_as_far_as_it_is(ann: Person, bob: Person, house: House) -> None:
    """It shows the decisions judged so far, and is sent only if there are more than the page has seen."""
    table = await house.table(await finished(ann, bob, "pass", "bet", "bet"))
    found = (judgement(2, 0, 0.5, 0.5), judgement(3, 1, 0.6, 0.2))
    two = tuple(replace(one, chances=(0.4, 0.6)) for one in found)
    under_way = Progress("working", 2, 3, 0, two)
    html = analysis_pages.report(table, 0, under_way).html
    assert "[[2, [0.4, 0.6]], [3, [0.4, 0.6]], [4, [0.8, 0.2]]]" in html  # nothing of the end, at 5
    assert "accuracy" not in html
    assert "data-at" not in html
    assert 'class="state"' in html
    assert analysis_pages.report(table, 0, under_way, since=2).html == ""
    assert analysis_pages.report(table, 0, Progress("working", 0, 0, 0)).html == ""
    assert analysis_pages.report(table, 0, Progress("waiting", 0, 3, 1)).html == ""


async def test_a_page_is_told_how_long_the_rest_takes(ann: Person, bob: Person, house: House) -> None:
    table = await house.table(await finished(ann, bob, "pass", "bet", "bet"))
    job = Job(table)
    assert job.left == 0, "nothing is known before the first decision"
    job.judged, job.total, job.took = [judgement(2, 0, 0.5, 0.5), judgement(3, 1, 0.6, 0.2)], 5, 3.0
    assert job.left == 5, "three more, of 1.5 seconds each"
    under_way = Progress("working", 2, 5, 0, tuple(job.judged), job.left)
    assert analysis_pages.report(table, 0, under_way, since=2).left == 5


@pytest.mark.slow
async def test_after_kill_9_it_is_begun_again_and_then_kept(nursery: Nursery, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/parlour.db"
    more = {"database": database, "engine": "plain", "fixtures": ["kuhn"]}
    server = nursery.start(**more)
    async with Person(base_url=server.url) as ann, Person(base_url=server.url) as bob:
        table = await finished(ann, bob, "bet", "bet")
        assert (await ann.do(f"tables/{table}/analysis"))["status"] == "working"
    server.kill()
    server = nursery.start(**more)
    async with Person(base_url=server.url) as eve:
        report = await analysed(eve, table)
    server.kill()
    server = nursery.start(**more)
    async with Person(base_url=server.url) as eve:
        assert (await eve.get(f"/api/tables/{table}/analysis")).json() == report
