"""Where a value leaves one form for another, both sides check it, always (docs/limits.md)."""

from __future__ import annotations

import math
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from parlour.core.match import Match
from parlour.core.struct import copy, layout
from parlour.engine import packing
from parlour.games import find
from parlour.house.accounts.guests import Guests
from parlour.house.analysis import jobs as analysis_jobs
from parlour.house.analysis.jobs import Analyst, Job
from parlour.house.errors import NoAnswer
from parlour.house.house import House
from parlour.house.news.peers import Peers
from parlour.house.settings import Settings
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.storage.rows import StepRow, Timing, must_follow
from parlour.house.table.web.updates import Page, message
from tests.house.people import Person, guest_of, two_at_table

STEP = StepRow(4, 0, 1, "stop", "", 1.5, 0.2, 1e9)


def test_a_packed_state_has_lists_of_the_declared_length() -> None:
    """A list of one number would be written into every place of its field."""
    game = find("fortune")
    state: Any = copy(Match(game, 2, seed=1).state)
    record = np.zeros(1, packing.dtype(game.rules.State))[0]
    packing.pack(state, record)
    assert packing.unpack(game.rules.State, record) == state
    name = next(one.name for one in layout(state) if len(one.shape) == 1 and one.size > 1)
    setattr(state, name, getattr(state, name)[:1])
    with pytest.raises(ValueError, match=f"field {name} of a State no longer has the shape"):
        packing.pack(state, record)


@pytest.mark.parametrize(
    "steps",
    [
        [STEP, STEP],
        [STEP, STEP._replace(idx=6)],
        [STEP._replace(idx=-1)],
        [STEP._replace(took=math.nan)],
        [STEP._replace(lag=math.inf)],
        [STEP._replace(at=math.nan)],
    ],
)
def test_rows_of_a_journal_with_a_gap_or_no_time_are_not_stored(steps: list[StepRow]) -> None:
    must_follow([])
    must_follow([STEP, STEP._replace(idx=5, took=-3.0)])
    with pytest.raises(ValueError, match="of a journal"):
        must_follow(steps)


async def test_they_are_refused_before_the_database_has_them(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    before = await house.store.load(table)
    wrong = [STEP._replace(idx=len(before.steps)), STEP._replace(idx=len(before.steps) + 2)]
    with pytest.raises(ValueError, match="of a journal"):
        await house.store.append(table, wrong, over=False)
    assert await house.store.load(table) == before


@pytest.mark.parametrize("wrong", [{"began": math.nan}, {"used": math.inf}, {"due": math.nan}])
def test_a_clock_without_a_time_is_not_stored(wrong: dict[str, float]) -> None:
    """SQLite would store nothing instead, and the clock would never be up."""
    assert Timing(1.0, 2.0, None).kept() == {"began": 1.0, "used": 2.0, "due": None, "turn": "", "turn_at": 0}
    with pytest.raises(ValueError, match="A clock can't begin"):
        Timing(**{"began": 1.0, "due": 5.0, **wrong}).kept()  # type: ignore[arg-type]


@pytest.mark.parametrize("ids", [("a:b", ""), ("ann", "s:t"), ("a,b", "")])
def test_what_separates_ids_in_a_cookie_is_in_none(ids: tuple[str, str]) -> None:
    some = Guests(MagicMock(), ["key"], Peers(None, shared=False))
    assert some.read(some.sign("ann", "session")) == ("ann", "session")
    with pytest.raises(ValueError, match="in a cookie"):
        some.sign(*ids)


async def test_changes_go_to_a_page_that_has_what_they_are_from(ann: Person, bob: Person, house: House) -> None:
    live, guest = await house.table(await two_at_table(ann, bob)), (await guest_of(ann)).id
    eyes, kept, page = eyes_of(live, guest), Kept(), Page(changes=True)
    assert message(live, eyes, "http://house.test", page, kept)
    await ann.do(f"tables/{live.id}/chat", text="Hello!")
    page.section = "another drawing"
    with pytest.raises(RuntimeError, match="A page has another drawing, and would get changes to"):
        message(live, eyes_of(live, guest), "http://house.test", page, kept)


@pytest.mark.parametrize(
    "pieces", [[(["a"], 2), ([], 2)], [(["a"], 2), (["b"], 3)], [(["a", "b", "c"], 2)], [(["a"], 0)]]
)
async def test_an_analysis_has_as_many_decisions_as_the_game(
    pieces: list[tuple[list[str], int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that answers with none, or with too many, ends the analysis; it does not run for ever."""
    analyst = Analyst(MagicMock(settings=Settings(engine="plain")))
    left = iter(pieces)

    async def given(*_: object, **__: object) -> Any:
        return next(left)

    monkeypatch.setattr(analysis_jobs, "insist", given)
    with pytest.raises(NoAnswer, match="incomplete"):
        await analyst._analyse(Job(MagicMock(gone=False)))
