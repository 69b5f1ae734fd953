"""Quiet hours: only the computation. `test_far_away_notices` tests that what waits for their end is sent."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from parlour.house.notify.quiet import Quiet, Span
from tests.house.people import Person

ZURICH = "Europe/Zurich"
NIGHT = Quiet(ZURICH, 22 * 60, 7 * 60)


def at(text: str, zone: str = ZURICH) -> float:
    """Return the moment of a local time in 2026."""
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=ZoneInfo(zone)).timestamp()


@pytest.mark.parametrize(
    ("moment", "ends"),
    [
        ("11-25 21:59", None), ("11-25 22:00", "11-26 07:00"), ("11-26 06:59", "11-26 07:00"), ("11-26 07:00", None),
        ("03-28 23:00", "03-29 07:00"), ("10-24 23:00", "10-25 07:00"),  # the nights of 8 and of 10 hours
    ],
)  # fmt: skip
def test_quiet_hours_are_those_of_the_clock_on_the_wall(moment: str, ends: str | None) -> None:
    assert NIGHT.over(at(moment)) == at(ends or moment)
    assert (NIGHT.span(at(moment)) is None) == (ends is None)


def test_quiet_hours_within_a_day_and_none_at_all() -> None:
    noon = Quiet(ZURICH, 12 * 60, 13 * 60)
    assert noon.span(at("11-25 12:30")) == Span(at("11-25 12:00"), at("11-25 13:00"))
    assert noon.span(at("11-25 13:00")) is None
    assert Quiet().span(at("11-25 12:30")) is None


@pytest.mark.parametrize(
    ("short", "up", "since", "when"),
    [
        ("11-25 15:00", "11-25 17:00", "11-24 17:00", "11-25 15:00"),  # not in quiet hours
        ("11-26 05:00", "11-26 09:00", "11-25 09:00", "11-26 07:00"),  # half of it is left when they end
        ("11-26 05:00", "11-26 08:59", "11-25 09:00", "11-25 21:59:59"),  # less: before they begin
        ("11-26 02:00", "11-26 04:00", "11-25 08:00", "11-25 21:59:59"),  # up within them
        ("11-26 02:00", "11-26 04:00", "11-25 23:00", "11-26 02:00"),  # the turn came within them, too
    ],
)
def test_a_warning_comes_while_it_is_of_use(short: str, up: str, since: str, when: str) -> None:
    assert NIGHT.warn(at(short), at(up), at(since)) == at(when)


@pytest.mark.parametrize(
    "wrong",
    [
        {"begins": "22:00"}, {"begins": "22:00", "ends": "22:00"}, {"begins": "24:00", "ends": "07:00"},
        {"begins": "10 pm", "ends": "07:00"}, {"begins": "22:00", "ends": "07:00", "zone": "localtime"},
        {"zone": "Europe/Nowhere"}, {"begins": "22:0\u0663", "ends": "07:00"},
    ],
)  # fmt: skip
async def test_what_are_no_quiet_hours_is_refused(ann: Person, wrong: dict[str, str]) -> None:
    await ann.do("me/told/quiet", begins="21:00", ends="06:30", zone=ZURICH)
    await ann.refused("me/told/quiet", 400, "bad-input", **wrong)
    page = (await ann.get("/me")).text
    assert "Quiet hours: 21:00 to 06:30" in page
    assert ZURICH in page
