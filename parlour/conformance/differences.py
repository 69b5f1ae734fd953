"""A sentence about the place where two scenes or logs differ that should be the same."""

from __future__ import annotations

from msgspec import Struct

from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game


def difference(one: object, other: object, of: str, name: str = "") -> str:
    """Return the first place where two scenes or logs differ: 'text of piece "card-0" is ... or
    ...'; "" if they are the same.

    `of` says what they are, or what they are part of; `name` says which part of it.
    """
    if isinstance(one, Struct) and type(one) is type(other) and getattr(one, "key", "") == getattr(other, "key", ""):
        if key := getattr(one, "key", ""):
            of = f"{type(one).__name__.lower()} {key!r}"
        parts = [(getattr(one, part), getattr(other, part), part) for part in one.__struct_fields__]
    elif isinstance(one, tuple) and isinstance(other, tuple):
        parts = [(*pair, name) for pair in zip(one, other, strict=False)]
        if len(one) != len(other):
            parts.append((len(one), len(other), f"the number of {name or 'lines'}"))
    elif isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = [(one[key], other[key], f"{name} {key!r}") for key in one]
    else:
        shown = (getattr(one, "key", one), getattr(other, "key", other))
        return "" if one == other else f"{name} of {of} is {shown[0]!r} or {shown[1]!r}"
    found = (difference(mine, theirs, of, part) for mine, theirs, part in parts)
    return next(filter(None, found), "")


def step_words(game: Game, step: Step) -> str:
    """Return a step in words, actor and action, so that its author can find it again."""
    if step.actor == CHANCE:
        return f"chance: {game.text.format_outcome(step.before, step.action)}"
    return f"seat {step.actor}: {game.text.format_action(step.before, step.action)}"
