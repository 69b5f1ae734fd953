"""How many people the lobby says are here: counted once each, without the one who looks, and by numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast
from unittest.mock import MagicMock

import pytest

from parlour.house.lobby import crowd
from parlour.house.lobby.crowd import EXACT, LASTS, LOBBY, TABLES, Crowd, People, rounded
from parlour.house.site.drawing import lobby_list
from parlour.house.table.live.audience import Audience, Listener
from parlour.house.table.live.table import Table

NAMES = [f"{name:0>12}" for name in ("ann", "bob", "cid", "dan")]
ANN, BOB, CID, DAN = NAMES


def audience(guests: Iterable[str], *, hidden: float = 0.0) -> Audience:
    made = Audience()
    for guest in guests:
        made.add(Listener(guest, hidden))
    return made


def house(lobby: Audience, *tables: Audience) -> Crowd:
    """Return the crowd of a process with these pages."""
    made = {str(number): SimpleNamespace(audience=one) for number, one in enumerate(tables)}
    return Crowd(cast("dict[str, Table]", made), lobby)


def words(people: People) -> str:
    return "".join(part.text for part in lobby_list("people", people))


@pytest.fixture(autouse=True)
def _long_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MARK", 12)  # real ids are random from their beginning on


def test_a_guest_with_many_pages_counts_once_and_the_one_who_looks_does_not() -> None:
    some = house(audience([ANN, ANN, BOB]), audience([BOB, CID]), audience([CID, ANN]))
    assert some.others(ANN) == People(2, 2)
    assert some.others(DAN) == People(3, 3)  # who has no page open yet
    assert some.others() == People(2, 2)  # for anyone who has one
    assert house(audience([ANN])).others(ANN) == People(0, 0)
    assert house(audience([])).others() == People(0, 0)


def test_a_page_that_was_hidden_for_long_is_no_person() -> None:
    some = house(audience([ANN]), audience([BOB], hidden=600.0))
    assert some.others(ANN) == People(0, 0)


def test_people_at_other_processes_count_until_these_fall_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = MagicMock(return_value=100.0)
    monkeypatch.setattr(crowd.time, "monotonic", clock)
    some = house(audience([ANN]))
    some.hear("other", LOBBY, [ANN, BOB])
    some.hear("other", TABLES, [CID])
    assert some.others(ANN) == People(2, 1)
    some.hear("other", LOBBY, [])
    assert some.others(ANN) == People(1, 1)
    clock.return_value += LASTS
    assert some.others(ANN) == People(0, 0)
    some.hear("third", LOBBY, [DAN])
    assert len(some._elsewhere) == 1  # what no longer counts is dropped


def test_many_are_counted_by_tens_and_no_one_is_named() -> None:
    assert rounded(EXACT - 1, 7) == People(EXACT - 1, 7)
    assert rounded(47, 12) == People(40, 10, more=True)
    assert "No one else is here." in words(People())
    assert "1 other person is here, at a table." in words(People(1, 1))
    assert "3 others are here, 1 of them at a table." in words(People(3, 1))
    assert "3 others are here, all at tables." in words(People(3, 3))
    assert "More than 40 others are here, more than 10 of them at tables." in words(People(40, 10, more=True))
    some = house(audience([ANN]), audience([BOB, CID]))
    assert not any(name in words(some.others(ANN)) for name in NAMES)
