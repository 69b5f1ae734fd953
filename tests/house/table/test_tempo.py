"""Tempos without a table: days off, delays, what is left. Compared with a count of every minute, and by hand."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import all_games
from parlour.house.errors import BadInput
from parlour.house.table.live.tempo import DAY, LAG, LIVE, Ledger, Tempo, checked, in_words, presets, shown
from parlour.house.table.storage.rows import AWAY, BACK, TAKEN_BACK, Rest, StepRow

ZONES = ("UTC", "Europe/Zurich", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia")
# Around the days on which Europe's clocks change in 2026, and on other days.
MOMENTS = st.integers(min_value=1774000000, max_value=1774900000) | st.integers(min_value=0, max_value=2000000000)
DAYS_OFF = st.sets(st.integers(0, 6), min_size=1, max_size=6).map(lambda days: tuple(sorted(days)))


def walked(since: int, until: int, off: tuple[int, ...], zone: str) -> int:
    """Count the minutes between two full minutes that are not on a day off, one by one."""
    here = ZoneInfo(zone)
    return sum(datetime.fromtimestamp(at, here).weekday() not in off for at in range(since, until, 60))


@given(MOMENTS, st.integers(0, 5 * 1440), DAYS_OFF, st.sampled_from(ZONES))
def test_days_off_do_not_count(since: int, minutes: int, off: tuple[int, ...], zone: str) -> None:
    since -= since % 3600
    tempo = Tempo(delay=DAY, off=off, zone=zone)
    assert tempo.ran(since, since + 60 * minutes) == 60 * walked(since, since + 60 * minutes, off, zone)


@given(MOMENTS, st.floats(0, 30 * DAY), DAYS_OFF, st.sampled_from(ZONES))
def test_what_is_due_has_run_when_it_is_due(now: int, seconds: float, off: tuple[int, ...], zone: str) -> None:
    tempo = Tempo(delay=DAY, off=off, zone=zone)
    due = tempo.due(now, seconds)
    assert tempo.ran(now, due) == pytest.approx(seconds, abs=1e-3)
    if seconds > 1:
        assert tempo.ran(now, due - 1) == pytest.approx(seconds - 1, abs=1e-3)  # and not earlier


def test_a_weekend_in_zurich_by_hand() -> None:
    zone = ZoneInfo("Europe/Zurich")
    friday = datetime(2026, 3, 27, 18, 0, tzinfo=zone)
    tempo = Tempo(delay=DAY, off=(5, 6), zone="Europe/Zurich")
    due = datetime.fromtimestamp(tempo.due(friday.timestamp(), DAY), zone)
    assert due == datetime(2026, 3, 30, 18, 0, tzinfo=zone)  # the clocks changed on Sunday: no player lost an hour
    assert due - friday == timedelta(days=3)  # in local time; 71 hours have passed


def row(actor: int, action: int = 5, took: float = 0.0, text: str = "") -> StepRow:
    return StepRow(0, actor, action, text, took=took)


def test_a_bank_with_an_increment_by_hand() -> None:
    ledger = Ledger(Tempo(bank=60, increment=10), 2)
    for one in (row(0, took=25), row(-1), row(1, took=5), row(0), row(1, took=80)):
        ledger.note(one)
    assert ledger.left == [60 - 25 + 10, 60 - 5 + 10 - 80 + 10]  # a forced choice and the dice change nothing
    assert ledger.after([row(0, took=20), row(-1)], 0) == 35
    assert ledger.left[0] == 45


@given(st.lists(st.tuples(st.floats(0.01, 8), st.floats(0, 8)), min_size=1, max_size=60))
def test_delay_given_back_is_a_budget_for_the_game_and_none_once_the_bank_is_empty(
    decisions: list[tuple[float, float]],
) -> None:
    """Computed a second way: with any claims, a game gives back three seconds, and a tenth of them for each
    decision."""
    ledger = Ledger(Tempo(bank=60), 1)
    budget, left = LAG, 60.0
    for ran, claimed in decisions:
        assert ledger.allowance(0) == pytest.approx(budget if left > 0 else 0.0, abs=1e-6)
        lag = min(ran - 1e-3, claimed, ledger.allowance(0))
        ledger.note(row(0, took=ran - lag)._replace(lag=lag))
        left, budget = left - ran + lag, min(LAG, budget - lag + LAG / 10)
        assert ledger.left[0] == pytest.approx(left, abs=1e-6)
    given = sum(ran for ran, _ in decisions) - (60 - ledger.left[0])
    assert given <= LAG * (1 + len(decisions) / 10) + 1e-6


def test_taking_back_earns_no_delay_and_gives_none_back() -> None:
    ledger = Ledger(Tempo(bank=60), 1)
    ledger.note(row(0, took=1)._replace(lag=2.0))
    ledger.note(row(0, TAKEN_BACK))
    assert ledger.lag == [pytest.approx(1.0)]
    assert ledger.left == [60]


@pytest.mark.parametrize(
    ("tempo", "lag"),
    [(Tempo(bank=600), 3), (Tempo(delay=60), 3), (Tempo(bank=6), 0.3), (Tempo(delay=DAY), 0), (Tempo(), 0)],
)
def test_the_budget_for_delay_fits_the_time_that_there_is(tempo: Tempo, lag: float) -> None:
    assert tempo.lag == pytest.approx(lag)


@given(MOMENTS, st.floats(0, 9 * DAY), st.floats(-5 * DAY, 9 * DAY), st.floats(0, 9 * DAY), DAYS_OFF)
def test_a_clock_stands_still_on_a_holiday(
    now: int, seconds: float, start: float, long: float, off: tuple[int, ...]
) -> None:
    tempo, rest = Tempo(delay=DAY, off=off), Rest(now + start, now + start + long)
    due = tempo.due(now, seconds, rest)
    assert tempo.ran(now, due, rest) == pytest.approx(seconds, abs=1e-3)
    assert tempo.ran(now, due, rest) <= tempo.ran(now, due)
    inside = now + start + long / 2
    if inside > now:
        assert tempo.ran(max(now, rest.since), inside, rest) == pytest.approx(0, abs=1e-3)


def test_a_holiday_changes_nothing_at_live_clocks() -> None:
    rest = Rest(0, 1e9)
    assert Tempo(bank=60).ran(10, 20, rest) == 10
    assert Tempo(bank=60).due(10, 20, rest) == 30


def test_a_delay_is_free_and_only_what_goes_beyond_it_costs() -> None:
    ledger = Ledger(Tempo(bank=60, delay=30), 1)
    ledger.note(row(0, took=29))
    assert ledger.left == [60]
    ledger.note(row(0, took=31))
    assert ledger.left == [59]


def test_taking_back_gives_back_what_a_decision_cost_and_not_the_time_it_took() -> None:
    ledger = Ledger(Tempo(bank=60, increment=10), 2)
    ledger.note(row(0, took=25))
    assert ledger.last_took() == 25  # a player who takes it back continues from there
    ledger.note(row(0, TAKEN_BACK))
    assert ledger.left == [60, 60]
    ledger.note(row(0, took=40))
    assert ledger.left == [30, 60]


def test_who_is_back_has_enough_for_a_decision() -> None:
    ledger = Ledger(Tempo(bank=1200, increment=10), 2)
    ledger.note(row(1, AWAY, took=1300, text="time"))
    assert ledger.away == {1: "time"}
    assert ledger.left[1] == -100
    assert ledger.again(1) == 220  # a tenth of the bank is left then
    ledger.note(row(1, BACK, took=-ledger.again(1)))
    assert ledger.left[1] == 120
    assert not ledger.away
    assert Ledger(Tempo(delay=DAY), 1).again(0) == 0  # there is no bank to fill


@pytest.mark.parametrize(
    ("tempo", "said"),
    [
        (Tempo(), "at least 5 seconds"),
        (Tempo(delay=4), "at least 5 seconds"),
        (Tempo(bank=-1), "48 hours of bank"),
        (Tempo(bank=1e9), "48 hours of bank"),
        (Tempo(bank=60, increment=float("nan")), "48 hours of bank"),
        (Tempo(bank=60, off=(5,)), "Days off need"),
        (Tempo(delay=60, off=(5,)), "Days off need"),
        (Tempo(delay=DAY, off=(5, 5)), "each once"),
        (Tempo(delay=DAY, off=(7,)), "each once"),
        (Tempo(delay=DAY, off=(0, 1, 2, 3, 4, 5, 6)), "must stay"),
        (Tempo(delay=DAY, zone="Mars/Olympus"), "time zone"),
        (Tempo(delay=DAY, zone="../../etc/passwd"), "time zone"),
        (Tempo(delay=DAY, zone=""), "time zone"),
        (Tempo(delay=DAY, zone="localtime"), "time zone"),
        (Tempo(delay=DAY, zone="x" * 65), "time zone"),
    ],
)
def test_a_tempo_without_sense_is_refused_in_a_sentence(tempo: Tempo, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        checked(tempo)


def test_every_game_offers_tempos_that_make_sense() -> None:
    for game in all_games().values():
        offered = presets(game.minutes(), game.facts.players[0])
        assert len({in_words(checked(one)) for one in offered}) == len(offered) == 8
        assert [one.slow for one in offered] == [False] * len(LIVE) + [True] * 5
        assert [msgspec.convert(msgspec.to_builtins(one), Tempo) for one in offered] == list(offered)


def test_time_in_words() -> None:
    assert [shown(s) for s in (-5, 0, 59, 60, 3599, 3600, 5400, DAY, 1.5 * DAY, 3 * DAY)] == [
        "0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "1½ h", "1 day", "1½ days", "3 days",
    ]  # fmt: skip
    assert in_words(None) == ""
    assert in_words(Tempo(300, 5)) == "5 min each, 5 s more a decision"
    assert in_words(Tempo(300, delay=5)) == "5 min each, the first 5 s of each free"
    slow = Tempo(delay=DAY, off=(5, 6), zone="Europe/Zurich")
    assert in_words(slow) == "1 day a decision; not on Saturdays and Sundays (Europe/Zurich)"
