"""How often each decision and event was used, and how often the seats that used it won.

A decision is counted by its number. One number may have several meanings ("duel QH" and "give QH"); then its name has
them all ("duel/give QH"), and they are counted together. Games are counted in parts, and intervals are those of numbers
that vary from part to part: so uses in one game may depend on each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.analysis.intervals import block_interval
from parlour.analysis.shapes import Shape
from parlour.core.contract import CHANCE, TERMINAL
from parlour.engine import survey

Numbers: TypeAlias = NDArray[np.int64]

PARTS = 20  # in which games are counted, in their order
NAMING = 3_000  # random decisions from which names are read, at most
FEWEST = 3  # random games, at least
READ = 25  # times that the text of one number is read, at most
MEANINGS = 6  # of one number that a name has
EVENT = "event"  # the group of events


class Rate(NamedTuple):
    """A share and its 95 % confidence interval."""

    share: float
    low: float
    high: float


class Use(NamedTuple):
    """What became of a decision (by its number) or event (-1), of all games together.

    `group`: what the names of decisions of one kind begin with. `offered`: decisions in which it was legal (0 for an
    event); `made`: how often it was chosen, or happened; `rate`: made / offered. `seats`: seats that made it, each
    counted once a game; `won`: their share of the wins. A rate without cases is None.
    """

    name: str
    group: str
    action: int
    offered: int
    made: int
    rate: Rate | None
    seats: int
    won: Rate | None


def parts(games: int) -> Iterator[range]:
    """Yield the numbers of the games of each part: PARTS of nearly equal size, fewer if there are fewer games."""
    count = min(PARTS, games)
    for part in range(count):
        yield range(games * part // count, games * (part + 1) // count)


def count(shape: Shape, counted: Numbers) -> tuple[Use, ...]:
    """Return the use of each decision that was ever offered and of each event: those used most first in their group,
    groups in the order of their most frequent use, events last.

    counted: (parts, actions and events, USES) int64, summed over the games of each part.
    """
    actions, events = shape.game.rules.N_ACTIONS, getattr(shape.game.events, "EVENTS", ())
    offered = np.flatnonzero(counted[:, :actions, survey.OFFERED].sum(axis=0))
    named = names(shape, [int(action) for action in offered])
    found = [_use(counted[:, action], named[action], group(named[action]), action) for action in named]
    found.sort(key=lambda one: (-one.made, one.action))
    order = list(dict.fromkeys(one.group for one in found))
    found.sort(key=lambda one: order.index(one.group))
    happened = [_use(counted[:, actions + i], name, EVENT, -1) for i, name in enumerate(events)]
    return (*found, *sorted(happened, key=lambda one: -one.made))


def _use(columns: Numbers, name: str, kind: str, action: int) -> Use:
    offered, made, seats, _ = columns.sum(axis=0).tolist()
    won = columns[:, survey.WINS] / survey.PARTS
    rate = _rate(columns[:, survey.MADE], columns[:, survey.OFFERED])
    return Use(name, kind, action, offered, made, rate, seats, _rate(won, columns[:, survey.SEATS]))


def _rate(of: NDArray[np.int64 | np.float64], whole: Numbers) -> Rate | None:
    told = whole > 0
    if not told.any():
        return None
    return Rate(*block_interval(list(map(float, of[told])), list(map(float, whole[told]))))


# Names -------------------------------------------------------------------------------------------
def names(shape: Shape, actions: Sequence[int]) -> dict[int, str]:
    """Return the names of these decisions, as they are written in random games of the shape."""
    rules, text = shape.game.rules, shape.game.text
    rng, out = random.Random(f"parlour-uses-1/{shape}"), [0] * max(rules.MAX_LEGAL, rules.MAX_OUTCOMES)
    weights, met = [0] * rules.MAX_OUTCOMES, 0
    texts: dict[int, set[str]] = {action: set() for action in actions}
    left = dict.fromkeys(actions, READ)
    games = 0
    while met < NAMING and (games < FEWEST or not all(texts.values())):
        state = shape.start()
        games += 1
        while (player := rules.current_player(state)) != TERMINAL and met < NAMING:
            if player == CHANCE:
                n = rules.chance_outcomes(state, out, weights)
                (action,) = rng.choices(out[:n], weights[:n])
            else:
                legal = out[: rules.legal_actions(state, out)]
                met += 1
                for one in legal:
                    if left.get(one):
                        texts[one].add(text.format_action(state, one))
                        left[one] -= 1
                action = rng.choice(legal)
            rules.apply(state, action)
    return {action: _named(texts[action], action) for action in actions}


def _named(texts: Iterable[str], action: int) -> str:
    """Return one name for all texts of a decision: the words that they share, and between them the others with strokes.

    If these are more than MEANINGS or not single words: the first words, and the number of the decision.
    """
    split = [one.split() for one in sorted(texts)]
    if not split:
        return f"decision {action}"
    if len(split) == 1:
        return " ".join(split[0])
    shortest = min(map(len, split))
    before = next((i for i in range(shortest) if len({words[i] for words in split}) > 1), shortest)
    after = next((i for i in range(shortest - before) if len({words[-1 - i] for words in split}) > 1),
                 shortest - before)  # fmt: skip
    first = split[0]
    middles = [words[before : len(words) - after] for words in split]
    told = "/".join(words[0] for words in middles if words)
    if not all(middles):
        told = f"({told})"
    if len(split) > MEANINGS or max(map(len, middles)) > 1:
        heads = sorted({words[0] for words in split})
        return f"{'/'.join(heads) if len(heads) <= MEANINGS else ''} … ({action})".strip()
    return " ".join([*first[:before], told, *first[len(first) - after :]])


def group(name: str) -> str:
    """Return what the names of a kind of decision have in common: the first of several words, "" for a single one."""
    first, *rest = name.split(" ")
    return first if rest else ""
