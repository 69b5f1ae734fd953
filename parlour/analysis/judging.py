"""Whole records judged, one or many: `evaluation` and `opinion` together, and as blocks of a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, Protocol

import msgspec

from parlour import bots
from parlour.analysis import evaluation, opinion
from parlour.analysis.evaluation import Judgement, Summary
from parlour.analysis.luck import of_record
from parlour.analysis.opinion import Choice, Opinion
from parlour.analysis.plans import Given, Plan, cores
from parlour.bots import chances, outside, solved
from parlour.bots.own import SECONDS
from parlour.core.errors import BadSetup
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.engine.compiled import compile
from parlour.games import find

HERE = __name__


class Way(msgspec.Struct, frozen=True):
    """How records are judged: by the search of `level` or with other `simulations`, in `seconds` a decision. `seat`
    counts from 0; None means all seats. `bot` is asked what it would decide, in `clock` seconds if it is your own."""

    level: str = bots.ADVICE
    simulations: int | None = None
    seconds: float | None = None
    seat: int | None = None
    bot: str = ""
    clock: float = SECONDS

    @property
    def pure(self) -> bool:
        """Whether the same record is judged the same on every machine: nothing has a clock."""
        return self.seconds is None and not outside.is_own(self.bot)

    def check(self, match: Match) -> None:
        """Refuse what does not fit a match, before anything is compiled. Raises UnknownName, BadSetup."""
        if self.seat is not None and self.seat >= len(match.names):
            raise BadSetup(f"There is no seat {self.seat + 1} in this record; it has {len(match.names)}.")
        bots.adviser(match.game, self.level, simulations=self.simulations, seconds=self.seconds)
        outside.chooser(match.game, self.bot or "random")


class Asked(NamedTuple):
    """What a bot says of the same game: its choices and the judgements on them, by step; it in the place of each
    seat's player; and a sentence for each decision that it failed to make."""

    name: str
    choices: dict[int, Choice]
    judged: dict[int, Judgement]
    per_seat: list[Opinion]
    faults: list[str]


class Judged(NamedTuple):
    """A match, the judgements on its decisions, a summary for each seat that was judged, what a bot says, for whom the
    chances hold, as a sentence, and each seat's luck, nothing if that is not known."""

    match: Match
    decisions: list[Judgement]
    per_seat: list[Summary]
    asked: Asked | None
    holds: str
    luck: tuple[float, ...]


class Progress(Protocol):
    """Receives how many decisions are done, of how many, and of what."""

    def __call__(self, done: int, total: int, what: str = "") -> None: ...


def judge(match: Match, way: Way, threads: int | None = None, progress: Progress | None = None) -> Judged:
    """Judge the decisions of a match, compiled. The number of threads changes nothing. Raises what `Way.check`
    raises."""
    way.check(match)
    players, engine = len(match.names), compile(match.game)
    every = evaluation.decisions(match)
    adviser = evaluation.adviser_of(match.game, len(every), way.level, way.simulations, way.seconds)
    each = partial(
        evaluation.each, match.game, adviser=adviser, engine=engine, threads=threads or os.cpu_count() or 1,
        progress=progress,
    )  # fmt: skip
    found = [one for one in every if way.seat in (None, one.view.seat)]
    judged = each(found)
    asked = None
    if way.bot:
        tell = None if progress is None else partial(progress, what=f"by {way.bot}")
        choices = opinion.ask(match.game, found, way.bot, engine, way.clock, tell)
        said = opinion.judged(choices, judged, each)
        by_step = {one.decision.step: one for one in choices}
        faults = [one.fault for one in choices if one.fault]
        asked = Asked(way.bot, by_step, said, opinion.opinions(choices, said, judged, players), faults)
    per_seat = [one for one in evaluation.summaries(judged, players) if way.seat in (None, one.seat)]
    holds = _holds(match, way.level) + evaluation.bounded(len(every))
    return Judged(match, judged, per_seat, asked, holds, of_record(match))


def _holds(match: Match, level: str) -> str:
    """Return for whom the chances hold that the search of a level finds."""
    known = chances.of_match(match) if level == bots.ADVICE else None
    return chances.holds(known, exact=solved.exact(match.game, len(match.names)))


def as_dict(found: Judged) -> dict[str, object]:
    """Return plain values, for JSON. Steps and seats count from 1, as people do."""
    match, judged, per_seat, asked, holds, luck = found
    decisions = [one.as_dict() | {"step": one.step + 1, "seat": one.seat + 1} for one in judged]
    seats = [_totals(match, one) | {"luck": luck[one.seat] if luck else None} for one in per_seat]
    result = match.returns if match.over else None
    data = {
        "game": match.game.name, "steps": match.version, "decisions": decisions, "seats": seats, "result": result,
        "holds": holds,
    }  # fmt: skip
    if asked is None:
        return data
    shown = {one.seat for one in per_seat}
    choices = [
        {
            "step": step + 1, "move": one.move, "same": not asked.choices[step].differs, "after": one.after,
            "loss": one.loss, "mark": one.mark,
        }
        for step, one in sorted(asked.judged.items())
    ]  # fmt: skip
    places = [
        _totals(match, one.summary) | {"same": one.same, "best": one.best, "player_best": one.player_best}
        for one in asked.per_seat
        if one.summary.seat in shown
    ]
    return data | {"bot": {"name": asked.name, "decisions": choices, "seats": places, "faults": asked.faults}}


def _totals(match: Match, one: Summary) -> dict[str, object]:
    return {
        "seat": one.seat + 1, "name": match.names[one.seat], "decisions": one.decisions, "mean_loss": one.loss,
        "accuracy": one.accuracy if one.clear else None, "accuracy_within": one.within,
        "accuracy_in_words": one.in_words, "marks": one.marks,
    }  # fmt: skip


# Many records --------------------------------------------------------------------------------------
def plan(records: Mapping[str, Record], way: Way) -> Plan:
    """Return the plan that judges records, by their names, a block each.

    Raises BadSetup without a record, and what `replay` and `Way.check` raise, with the name of the record.
    """
    if not records:
        raise BadSetup("There is no record to judge.")
    for name, record in records.items():
        try:
            way.check(replay(record, find))
        except BadSetup as error:
            raise BadSetup(f"{name}: {error.message}") from error
    games = tuple(sorted({record.game for record in records.values()}))
    blocks = [{"name": name, "record": record.to_text()} for name, record in records.items()]
    return Plan(f"{HERE}:block", msgspec.to_builtins(way), blocks, games)


def block(common: Given, given: Given) -> bytes:
    """Judge a record. Return what `as_dict` has of it, as JSON."""
    match = replay(Record.parse(str(given["record"])), find)
    return msgspec.json.encode(as_dict(judge(match, msgspec.convert(common, Way), cores())))
