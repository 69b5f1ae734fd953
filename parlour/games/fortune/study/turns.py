"""Fortune's turn, solved: what each card is worth, and what each decision of a position brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from parlour.core.edition import EditionLike
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import duels, exact, follow, lattice, solver, turn

MEASURES = {"win": solver.OPTIMAL, "points": solver.POINTS}


@dataclass(frozen=True)
class CardWorth:
    """The best turn with a card. `points`: its expected points to the player (the Island brings them none).

    `loss`: the points that it is expected to cost each opponent on the Island. `disqualified`, `island`: chances.
    """

    points: float
    loss: float
    disqualified: float
    island: float


def cards(
    game: Game, engine: Any, edition: EditionLike | None = None, options: Chosen | None = None
) -> dict[str, CardWorth]:  # fmt: skip
    """Return every card's best turn, with a compiled engine; kinds of card that the edition lacks are left out."""
    state = game.start(2, game.edition(edition), game.options(options))
    workspace, found, out = (
        duels.workspace(game, engine, state),
        engine.reals(2 * r.N_CARDS),
        engine.integers(r.MAX_LEGAL),
    )
    states = engine.states(state, 2)
    engine.solver.all_points(states, out, workspace, found)
    chances, ends = engine.reals(follow.ROWS, lattice.WIDTH), engine.reals(follow.ENDS)
    worths = {}
    for card, name in enumerate(r.CARDS):
        if state.deck[card]:
            states["card"][0] = card
            engine.solver.prospects(solver.POINTS, states, out, workspace, chances, ends)
            island = float(ends[follow.LEFT : follow.LOST].sum())
            lost = float(ends[follow.LOST])
            worths[name] = CardWorth(float(found[card]), float(found[r.N_CARDS + card]), lost, island)
    return worths


def fractions(
    game: Game, edition: EditionLike | None = None, options: Chosen | None = None
) -> dict[str, Fraction]:  # fmt: skip
    """Return every card's expected points as exact fractions; takes some seconds."""
    state = game.start(2, game.edition(edition), game.options(options))
    found = {}
    for card, name in enumerate(r.CARDS):
        if state.deck[card]:
            work = game.start(2, game.edition(edition), game.options(options))
            t = [[0] * lattice.WIDTH for _ in range(lattice.ROWS)]
            v = [[0.0] * lattice.WIDTH for _ in range(turn.ROWS)]
            lattice.prepare(work, card, t, 0, [0] * r.MAX_LEGAL)
            turn.fill_points(t, 0, v, 0)
            turn.solve(t, 0, v, 0, 100 * solver.PRECISE)
            found[name] = exact.Turn(t, v).value()
    return found


@dataclass(frozen=True)
class Prospect:
    """A decision: its text, the expected points of the turn and chance to win after it, and the
    chance to be disqualified, if the turn is played on for the measure asked for."""

    move: str
    points: float
    win: float
    disqualified: float


@dataclass(frozen=True)
class Prospects:
    """All decisions of a position, the best first, and how the turn ends after one of them.

    `scores` maps points of the turn to their chance; `losses` maps what the Island costs each
    opponent to its chance. Points of a turn are rounded down to hundreds and lie between -10,000
    and 10,600.
    """

    decisions: tuple[Prospect, ...]
    move: str
    scores: dict[int, float]
    losses: dict[int, float]


def prospects(match: Match, engine: Any, measure: str, move: str | None = None) -> Prospects:
    """Value every decision of the player to move, played on for `measure` ("points" or "win"), and
    return how the turn ends after `move` (the best one unless given). Raise BadSetup if no player has
    a decision."""
    state, game = match.state, match.game
    if state.phase != r.DECIDE:
        raise BadSetup("No player has a decision to make in this position.")
    bot = MEASURES[measure]
    workspace, out, found = duels.workspace(game, engine, state), [0] * r.MAX_LEGAL, [0.0] * r.MAX_LEGAL
    chances, ends = engine.reals(follow.ROWS, lattice.WIDTH), engine.reals(follow.ENDS)
    worths = {}
    for name, number in MEASURES.items():
        n = engine.solver.values(number, engine.states(state, 2), out, workspace, found)
        worths[name] = dict(zip(out[:n], found[:n], strict=True))
    endings: dict[int, tuple[float, ...]] = {}
    for action in worths[measure]:
        engine.solver.prospect(bot, engine.states(state, 2), action, out, workspace, chances, ends)
        endings[action] = tuple(ends)
    order = sorted(endings, key=lambda action: -worths[measure][action])
    rows = tuple(
        Prospect(
            game.text.format_action(state, action),
            sum(chance * _points(i) for i, chance in enumerate(endings[action][: follow.GAINS])),
            worths["win"][action] if measure == "win" else _win(endings[action], state, workspace),
            endings[action][follow.LOST],
        )
        for action in order
    )
    shown = order[0] if move is None else match.parse(move)
    if shown not in endings:
        raise UnknownName(f"{move!r} is not possible there.", allowed=[row.move for row in rows])
    scores = {_points(i): chance for i, chance in enumerate(endings[shown][: follow.GAINS]) if chance > 0.0}
    head = workspace[0][state.card * lattice.ROWS]
    losses: dict[int, float] = {}
    for level, chance in enumerate(endings[shown][follow.LEFT : follow.LOST]):
        if chance > 0.0:
            losses[head[lattice.LOSS + level]] = losses.get(head[lattice.LOSS + level], 0.0) + chance
    return Prospects(rows, game.text.format_action(state, shown), scores, losses)


def _points(place: int) -> int:
    return (place - follow.DEEP) * follow.STEP


def _win(ends: Sequence[float], state: Any, workspace: tuple[Any, ...]) -> float:
    """Return the chance to win if the turn ends in these ways."""
    head, w, n = workspace[0][state.card * lattice.ROWS], workspace[3], workspace[4][solver.PLACES]
    total = 0.0
    for i, chance in enumerate(ends[: follow.GAINS]):
        if chance > 0.0:
            total += chance * solver.win(state, _points(i), 0, w, n)
    for level, chance in enumerate(ends[follow.LEFT : follow.LOST]):
        if chance > 0.0:
            total += chance * solver.win(state, 0, head[lattice.LOSS + level], w, n)
    return total
