"""Where people and the analysis of their games differ: only of those who agreed, and as the analysis has it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from parlour.analysis.evaluation import Judgement
from parlour.core.game import Game
from parlour.house.analysis.jobs import Analyst
from parlour.house.playtests.digest import Decided
from parlour.house.playtests.expert import Differing, Place, kind, opinions
from tests.found import added
from tests.house.people import Person
from tests.house.playtests.test_playtests import playtest, shown


def judged(step: int, move: str, other: str, loss: float, *, alike: bool = False) -> Judgement:
    return Judgement(step, 0, move, 0.5, 0.5 - loss, 0.0, other, 1, 0.5, alike, (0.5, 0.5), 1000, 0.4)


def test_kinds_of_actions_are_counted_where_the_analysis_prefers_another() -> None:
    """Four stops, of which two should have been rolls and one can't be told from a roll; two rolls, one of the wrong
    dice; one decision that was taken back, and one in a game without an analysis."""
    game = {
        one.step: one for one in (
            judged(1, "stop", "roll 1 gold", 0.2), judged(2, "stop", "roll 2 gold", 0.1),
            judged(3, "stop", "roll 1", 0.0),
            judged(4, "stop", "roll 1", 0.01, alike=True), judged(5, "roll 2 gold", "stop", 0.0),
            judged(6, "roll 2 gold", "roll 1 gold", 0.3),
        )
    }  # fmt: skip
    at = [Place("P1", 1, f"/t/x/replay?step={step}") for step in range(8)]
    made = [Decided(1, 1.0, 9, "", step, False, step) for step in range(1, 7)]
    back = Decided(1, 1.0, 9, "", 7, True)
    found = opinions([(one, game, at[one.step]) for one in (*made, back)] + [(made[0], {}, at[0])])
    assert found is not None
    assert (found.decisions, found.agreed) == (6, 3)
    assert found.share.replace("\N{NO-BREAK SPACE}", " ") == "50 % (19 % to 81 %)"  # Wilson's for 3 of 6
    assert found.differing == (
        Differing("stop", "roll", 2, 4, (at[1], at[2])),
        Differing("roll", "another roll", 1, 2, (at[6],)),
    )
    assert opinions([(back, game, at[7])]) is None
    assert [kind(text) for text in ("coin 1", "stop", "")] == ["coin", "stop", ""]


@pytest.fixture(autouse=True)
def kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def test_each_finished_game_is_analysed_once_and_counted_for_those_who_agreed(
    ann: Person, bob: Person, analyst: Analyst
) -> None:
    made, token = await playtest(ann, game="kuhn", options={})
    tables = []
    for _ in range(2):
        table = (await ann.do("playtests/join", token=token))["id"]
        assert (await bob.do("playtests/join", token=token, agree=True))["id"] == table
        for version, person in enumerate((ann, bob), 2):
            await person.do(f"tables/{table}/moves", move="bet", version=version)
        tables.append(table)
    assert (await ann.get(f"/api/playtests/{made}/expert")).json() == {
        "status": "none",
        "done": 0,
        "total": 2,
        "ahead": 0,
    }
    assert "2 games not analysed yet" in await shown(ann, made)
    assert (await bob.get(f"/api/playtests/{made}/expert")).status_code == 404
    await bob.refused(f"playtests/{made}/expert", 404, "not-found")
    seen = []
    while (answer := (await ann.get(f"/api/playtests/{made}/expert")).json())["status"] != "done":
        seen.append(answer["done"])
        if answer["status"] == "none":
            await ann.do(f"playtests/{made}/expert")
        await asyncio.sleep(0.25)  # an address may ask only so often, and a busy machine takes minutes
    assert seen == sorted(seen)
    assert (answer["done"], answer["total"]) == (2, 2)
    own = []  # Bob's decisions, as the analyses of the two games have them
    for table in tables:
        answer = (await ann.get(f"/api/tables/{table}/analysis")).json()
        assert answer["status"] == "done"
        own += [one for one in answer["decisions"] if one["seat"] == 1]
    best = sum(one["before"] <= one["after"] or one["alike"] for one in own)
    text = await shown(ann, made)
    assert f"{best} of {len(own)} decisions are as good as any that the analysis found" in text
    assert "not analysed yet" not in text
    await bob.do(f"playtests/{made}/consent", agree=False)
    assert "are as good as any" not in await shown(ann, made)
    assert (await ann.get(f"/api/playtests/{made}/expert")).json()["total"] == 0
    assert not analyst.queue.jobs
