"""How a table of a playtest was played: the decisions of those who agreed to notes, read from its journal.

Nothing is stored for this beside the journal. Left out are what a player did before they agreed, forced decisions,
secret questions, and what a bot decided for them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from parlour.core.contract import CHANCE
from parlour.house.playtests.rows import Note, PlayerRow, Said
from parlour.house.table.live.journal import Back, Mark
from parlour.house.table.live.table import Table
from parlour.house.table.storage.rows import AWAY, StepRow


class Decided(NamedTuple):
    """A player's decision among `choices`: the seconds it took (0: unknown), its text, the step of the replay at which
    it was due, whether the player took it back, and else which step of the record it is (from 0)."""

    number: int
    seconds: float
    choices: int
    text: str
    step: int
    back: bool = False
    record: int = -1


class Digest(NamedTuple):
    """The decisions at a table, and its messages and notes, each with the step of the replay at which it was made. A
    closed table has no steps to show; `over`: the replay may be shown."""

    decisions: list[Decided]
    said: list[tuple[int, Said]]
    notes: list[tuple[int, Note]]
    over: bool


def digest(
    table: Table,
    rows: Sequence[StepRow],
    players: Sequence[PlayerRow],
    said: Sequence[Said],
    notes: Sequence[Note],
    viewer: int,
) -> Digest:
    """Return how a table was played, as far as the `rows` of its journal go. Steps are counted as `viewer` does."""
    times = [row.at for row in rows]

    def step(at: float) -> int:
        return table.known.version_at(viewer, bisect_right(times, at)) if table.match else 0

    return Digest(
        _decisions(table, rows, players, viewer) if table.match else [],
        [(step(one.at), one) for one in said],
        [(step(one.at), one) for one in notes],
        table.over,
    )


def _decisions(table: Table, rows: Sequence[StepRow], players: Sequence[PlayerRow], viewer: int) -> list[Decided]:
    """Return the decisions in order. A time is the clock's where one ran, else that since the step before."""
    agreed = {one.guest: one for one in players}
    # Of several people on one device only one was asked, so none of those in seats of kind "here" counts.
    whose = {seat.seat: agreed.get(seat.guest_id) for seat in table.seats if seat.kind != "here"}
    standing, away = {place: number for number, place in enumerate(table.history.standing())}, set[int]()
    found, rules = [], table.game.rules
    room = [0] * rules.MAX_LEGAL
    for place, (step, row) in enumerate(zip(table.history, rows, strict=False)):
        if isinstance(step, Mark):
            (away.add if step.action == AWAY else away.discard)(step.actor)
            continue
        player = whose.get(step.actor)
        if step.actor == CHANCE or isinstance(step, Back) or player is None or step.actor in away:
            continue
        if place < table.row.given or row.at < player.agreed or table.game.may_ask(step.before):
            continue
        if (choices := rules.legal_actions(step.before, room)) < 2:
            continue
        since = rows[place - 1].at if place else 0.0
        seconds = row.took if row.took > 0 else max(0.0, row.at - since) if since else 0.0
        at = table.known.version_at(viewer, place)
        record = standing.get(place, -1)
        found.append(Decided(player.number, seconds, choices, row.text, at, record < 0, record))
    return found
