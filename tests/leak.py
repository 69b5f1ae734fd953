"""What a viewer cannot know, dealt again: for proving that nothing they are sent depends on it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.core import fair
from parlour.core.contract import CHANCE, Step
from parlour.core.match import Match
from parlour.house.table.live.journal import Journal
from parlour.house.table.live.table import Table


def kept(live: Table) -> tuple[Any, ...]:
    """Return what `swap` changes, to be put back with `restore`."""
    return live.match, live.history, live.row


def swap(live: Table, match: Match, steps: Sequence[Step]) -> None:
    """Put another match with these steps (takings back among them) at a table."""
    history = Journal(match.game)
    history.times = live.history.times
    for step in steps:
        history.keep(step)
    restore(live, (match, history, msgspec.structs.replace(live.row, seed=str(match.seed))))


def restore(live: Table, before: tuple[Any, ...]) -> None:
    """Put back what `kept` gave."""
    live.match, live.history, live.row = before
    live.known.begin(live.history)
    live.audience._views.clear()


class NoTwin(AssertionError):
    """No other course of the game was found."""


def _seen_now(match: Match, viewer: int) -> list[int]:
    """Return what a viewer sees of the position."""
    rules = match.game.rules
    numbers = [0] * rules.OBSERVATION_SIZE
    return numbers[: rules.observation(match.state, viewer, numbers)]


def twin(match: Match, viewer: int, choice: random.Random, tries: int = 10_000) -> tuple[Match, list[Step]]:
    """Another match that `viewer` (a seat or SPECTATOR) cannot tell from `match`, and its steps.

    Its secret seed is another, so that its future is too; and each step that they did not see in full, chance or
    decision, is replaced by a random one that looks the same to them.
    """
    observed = match.game.rules.observed_action
    course = [(step.actor, observed(step.before, step.action, viewer)) for step in match.history()]
    for _ in range(tries):
        other = Match(
            match.game, edition=match.edition, options=match.options, names=match.names, seed=fair.new_seed(),
            words=match.words, auto=False,
        )  # fmt: skip
        for actor, seen in course:
            choices = other.chance_outcomes()[0] if actor == CHANCE else other.legal_action_ids()
            alike = [action for action in choices if observed(other.state, action, viewer) == seen]
            if other.current_player != actor or not alike:
                break
            other.advance(choice.choice(alike))
        else:
            assert _seen_now(other, viewer) == _seen_now(match, viewer), "observed_action leaves out what a step shows"
            return other, other.history()
    raise NoTwin("no other course of the game fits what this viewer saw")
