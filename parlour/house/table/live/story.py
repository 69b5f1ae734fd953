"""How a finished game went, for its result: why it was over, how the scores ran, which step decided it.

It is the same for everyone, as a finished game's record is open. It needs every position, so it is made once, in a
thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Line
from parlour.core.standing import beyond, decided, progress, standings, weightiest
from parlour.house.table.live import journal
from parlour.house.table.live.journal import Journal
from parlour.house.table.live.signs import signs

MOST = 100  # points of a line


class Point(NamedTuple):
    """The scores by seat after a number of steps, or what says more than scores (`Scenes.race`)."""

    steps: int
    scores: tuple[int, ...]


class Story(NamedTuple):
    """How a game went. Texts have signs for names (`table.live.signs`). `why`: why it was over, as far as the standings
    do not say it, "" for no more; `ahead`: the place in the journal of the step that decided it, -1 without one;
    `told`: what the log says of it; `ratings`: by seat, the rating before and after the game, once the game is counted,
    if it counts; `race`: what the points are, if they are not the scores; `firsts`: by seat and key, what its players
    achieved for the first time."""

    why: str
    clause: str
    points: tuple[Point, ...]
    ahead: int = -1
    told: str = ""
    ratings: tuple[tuple[float, float], ...] = ()
    race: str = ""
    firsts: tuple[tuple[int, str], ...] = ()


def story(match: Match, history: Journal) -> Story:
    """Return the story of a game that is over."""
    game, names = match.game, signs(len(match.names))
    scene = game.scenes.scene(match.state, SPECTATOR, names)
    end = Line(scene.prompt, scene.clause, None, "end")
    end = next((line for line in journal.tell(game, history[-1], SPECTATOR, names) if line.kind == "end"), end)
    scores, won = progress(game, chain((step.before for step in history), [match.state]), len(names))
    ahead = decided(scores, match.returns, won)
    told = journal.tell(game, history[ahead], SPECTATOR, names) if ahead >= 0 else ()
    what = getattr(game.scenes, "RACE", "")
    found = standings(match.returns, match.scores, game.race(match.state), at_once=True in won)
    why = beyond(end.text, found, names)
    return Story(why, end.clause, curve(scores), ahead if told else -1, weightiest(told), race=what)


def curve(scores: Sequence[tuple[int, ...]]) -> tuple[Point, ...]:
    """Return the first and last scores, and those where they changed; for a long game about MOST of them."""
    last = len(scores) - 1
    kept = [i for i in range(last + 1) if i in (0, last) or scores[i] != scores[i - 1]]
    every = -(-len(kept) // MOST)
    return tuple(Point(i, scores[i]) for i in sorted({*kept[::every], last}))
