"""Statistics as tables for the terminal and the docs: measures in rows, numbers of players (and bots) in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from parlour.analysis.statistics import Event, Share, Spread, Statistics
from parlour.analysis.uses import EVENT, Rate, Use

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
NONE = "–"
LISTED = 10  # uses of a group that a table lists
USE_HEADS = ("decision or event", "offered a game", "made if offered", "made a game", "seats that made it", "they won")


class Rows(NamedTuple):
    """Some rows under one heading: each a label and a cell for each of the statistics."""

    title: str
    rows: list[tuple[str, list[str]]]


def head(found: Statistics, others: Sequence[Statistics]) -> str:
    """Return the head of the column of `found`: the players, and the bots if they differ among the columns."""
    players = f"{found.shape.players} players"
    return players if len({one.who for one in others}) == 1 else f"{players}, {found.who}"


def measures(columns: Sequence[Statistics]) -> list[Rows]:
    """Return all measures in the statistics of one game."""

    def row(label: str, cell: Callable[[Statistics], str]) -> tuple[str, list[str]]:
        return label, [cell(one) for one in columns]

    length = [
        row("decisions, mean", lambda one: _number(one.decisions.mean)),
        row("decisions, median; 95 %", lambda one: f"{one.decisions.median:,}; {one.decisions.high:,}"),
        row("decisions, longest game", lambda one: f"{one.decisions.most:,}"),
        row("steps (with chance), mean", lambda one: _number(one.steps.mean) if one.steps else NONE),
        row("steps, longest game", lambda one: f"{one.steps.most:,}" if one.steps else NONE),
        row("the bound, in steps", lambda one: f"{one.bound:,}" if one.bound else NONE),
    ]
    if not any(one.steps for one in columns):  # read from a file that has none
        length = length[:3]
    if any(one.unfinished for one in columns):
        length.append(row("cut short", lambda one: f"{one.unfinished:,}"))
    order = list(_share_rows("{} to play", [one.order for one in columns]))
    seats = list(_share_rows("{} seat", [one.seats for one in columns]))
    if [cells for _, cells in order] == [cells for _, cells in seats]:
        seats = []  # the first seat always begins
    scores = [
        row("all: quartiles", lambda one: _quartiles(one.scores)),
        row("winners: quartiles", lambda one: _quartiles(one.winners)),
        row("lowest; highest", lambda one: f"{_int(one.scores.least)}; {_int(one.scores.most)}"),
        row("win shared", lambda one: _percent(one.shared)),
    ]
    endings = [(name, [_percent(one.endings[name]) for one in columns]) for name in columns[0].endings]
    events = [(name, [_event(one.events[name]) for one in columns]) for name in columns[0].events]
    counts = [(name, [_in_short(one.counts[name]) for one in columns]) for name in columns[0].counts]
    made = [
        Rows("length", length),
        Rows("counted: mean; median; 95 %; most", counts),
        Rows("wins in turn order", order),
        Rows("wins by seat", seats),
        Rows("scores", scores),
        Rows("how games ended", endings),
        Rows("games with it; times a game", events),
    ]
    return [rows for rows in made if rows.rows]


def uses(found: Statistics) -> list[Rows]:
    """Return the uses in the statistics of one shape, under USE_HEADS: at most LISTED of a group, and how many more."""
    groups: dict[str, list[Use]] = {}
    for one in found.uses:
        groups.setdefault(one.group, []).append(one)
    made = []
    for name, members in groups.items():
        title = "events" if name == EVENT else f"{name} …" if name else "decisions of one word"
        rows = [(one.name, _use(one, found.games)) for one in members[:LISTED]]
        if more := len(members) - LISTED:
            rows += [(f"and {more:,} more", [""] * (len(USE_HEADS) - 1))] if more > 0 else []
        made.append(Rows(title, rows))
    return made


def _use(one: Use, games: int) -> list[str]:
    offered = _number(one.offered / games) if one.group != EVENT else ""
    return [offered, _rate(one.rate), _number(one.made / games), f"{one.seats:,}", _rate(one.won)]


def _rate(rate: Rate | None) -> str:
    return "" if rate is None else f"{100 * rate.share:.1f} ± {50 * (rate.high - rate.low):.1f} %"


def markdown(columns: Sequence[Statistics]) -> str:
    """Return one Markdown table."""
    bots = columns[0].who if len({one.who for one in columns}) == 1 else ""
    heads = " | ".join(head(one, columns) for one in columns)
    lines = [f"| {bots} | {heads} |", "|---|" + "--:|" * len(columns)]
    for title, rows in measures(columns):
        lines.append(f"| **{title}** |" + " |" * len(columns))
        lines += [f"| {label} | {' | '.join(cells)} |" for label, cells in rows]
    return "\n".join(lines) + "\n"


def _in_short(spread: Spread) -> str:
    return f"{_number(spread.mean)}; {spread.median:,}; {spread.high:,}; {spread.most:,}"


def _share_rows(label: str, found: Sequence[Sequence[Share]]) -> Iterator[tuple[str, list[str]]]:
    for place in range(max(map(len, found))):
        cells = [_share(shares[place]) if place < len(shares) else "" for shares in found]
        yield label.format(ORDINALS[place]), cells


def _share(share: Share) -> str:
    return f"{100 * share.share:.1f} ± {50 * (share.high - share.low):.1f} %"


def _percent(share: float) -> str:
    """Return a share in per cent. Never round it to 0 or 100 unless it is."""
    if share in (0.0, 1.0):
        return "100 %" if share else "0"
    for digits in (1, 2, 3):
        if round(share, digits + 2) not in (0.0, 1.0):
            return f"{100 * share:.{digits}f} %"
    return "> 99.999 %" if share > 0.5 else "< 0.001 %"


def _event(event: Event) -> str:
    return f"{_percent(event.games)}; {_number(event.mean)}" if event.most else "0"


def _quartiles(spread: Spread) -> str:
    return f"{_int(spread.quarter)}; {_int(spread.median)}; {_int(spread.three_quarters)}"


def _int(number: int) -> str:
    return f"{number:,}".replace("-", "−")


def _number(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}" if abs(number) >= 0.001 else f"{number:.1g}"
