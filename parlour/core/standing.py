"""How a finished game ended: each seat's place, how far it was behind, a headline for each viewer, and the step that
decided it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parlour.core.fitting import width
from parlour.core.game import Game
from parlour.core.scene import Line, listed, number
from parlour.core.struct import GameState

CLOSE = 0.1  # of the highest score: a player who is no further behind was close
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
LONG = 12.0  # ems of a name beside which the headline leaves out the margin, to stay on one line


class Standing(NamedTuple):
    """A seat at the end. `place` counts from 1, and equal seats share one. `shown` is the number beside its name: how
    near it was to winning in a game with a race, else its score. `behind` says how many points the seat has less than
    the winner; None if something else than points decided the game."""

    seat: int
    place: int
    shown: int
    behind: int | None


class Headline(NamedTuple):
    """What a result says first, with "{0}" for the name of seat 0. `mood`: "won", "lost", "drawn" or, for an
    observer, ""."""

    words: str
    mood: str = ""


def reached(game: Game, state: GameState, players: int) -> tuple[int, ...]:
    """Return how near each seat is to winning: its race or worth (`Scenes`), else its score."""
    if near := game.race(state):
        return near
    if (worth := getattr(game.scenes, "worth", None)) is not None:
        return tuple(worth(state))
    out = [0] * players
    game.rules.scores(state, out)
    return tuple(out)


def sudden(game: Game, state: GameState) -> bool:
    """Return whether a player has won at once, whatever the scores (`Scenes`)."""
    won = getattr(game.scenes, "sudden", None)
    return won is not None and bool(won(state))


def raced(game: Game, state: GameState) -> tuple[str, ...]:
    """Return by seat what the numbers of a game's race count, () if the game does not say it (`Scenes`)."""
    of = getattr(game.scenes, "raced", None)
    return () if of is None else tuple(of(state))


def progress(game: Game, states: Iterable[GameState], players: int) -> tuple[list[tuple[int, ...]], list[bool]]:
    """Return in each state of a game how near each seat is to winning, and whether a player has won at once."""
    found = [(reached(game, state, players), sudden(game, state)) for state in states]
    return [near for near, _ in found], [won for _, won in found]


def decided(scores: Sequence[Sequence[int]], returns: Sequence[float], won: Sequence[bool] = ()) -> int:
    """Return the step that decided a game: by which a player won at once, else by which the only winner got ahead of
    all others for good; -1 without one.

    `scores` and `won` (whether a player had won at once) are before each step, and at the end.
    """
    if True in won:  # steps may follow that only reveal something
        return won.index(True) - 1
    winner = max(range(len(returns)), key=lambda seat: returns[seat])
    if returns[winner] < 1:  # a win that is shared
        return -1
    for place in range(len(scores) - 1, -1, -1):
        mine = scores[place][winner]
        if any(other >= mine for seat, other in enumerate(scores[place]) if seat != winner):
            return place if place < len(scores) - 1 else -1
    return -1


def weightiest(lines: Sequence[Line]) -> str:
    """Return the line of the log that says what a player gained or lost by a step, rather than what follows from it for
    all, such as the end of the game or the next turn."""
    great = [line for line in lines if line.kind == "event" and line.seat is not None]
    return (great or list(lines) or [Line("")])[-1].text


def standings(
    returns: Sequence[float], scores: Sequence[int], race: Sequence[int] = (), *, at_once: bool = False
) -> tuple[Standing, ...]:
    """Return the seats of a finished game, the best first.

    `race` says how near each seat was to winning, in a game whose scores do not (`Scenes.race`). `at_once`: a player
    won at once, and the others share a place. In both cases margins in points would mean nothing.
    """
    points = [0] * len(scores) if at_once else race or scores
    keys = [(share > 0, score) for share, score in zip(returns, points, strict=True)]
    best = max((score for won, score in keys if won), default=0)
    by_points = not (race or at_once) and all(score == best if won else score < best for won, score in keys)
    return tuple(
        Standing(
            seat,
            1 if keys[seat][0] else max(2, 1 + sum(other > keys[seat] for other in keys)),
            (race or scores)[seat],
            best - scores[seat] if by_points else None,
        )
        for seat in sorted(range(len(keys)), key=lambda seat: (not keys[seat][0], -keys[seat][1], -scores[seat], seat))
    )


def beyond(said: str, found: Sequence[Standing], names: Sequence[str]) -> str:
    """Return a sentence about the end without what the standings say, too: who won, and with which number."""
    first = [one for one in found if one.place == 1]
    if not first:
        return said
    who, does = listed([names[one.seat] for one in sorted(first)]), "wins" if len(first) == 1 else "share the win"
    rest = said.removesuffix(f"{who} {does} with {number(first[0].shown)}.").rstrip()
    return f"{rest[:-1]}." if rest.endswith(":") else rest


def headline(
    found: Sequence[Standing], scores: Sequence[int], names: Sequence[str], mine: int | None = None, who: str = "You"
) -> Headline:
    """Return the headline for the player of seat `mine`, or for an observer (None).

    `who` is what that player is called: "Your bot" if a bot played the seat to its end.
    """
    winners = [one.seat for one in found if one.place == 1]
    if not winners:
        return Headline("No one wins", "lost" if mine is not None else "")
    if len(winners) > 1:
        mood = "" if mine is None else "drawn" if mine in winners else "lost"
        if len(winners) == len(found):
            return Headline("A draw", mood)
        if mine in winners:
            return Headline(f"{who} share the win" if who == "You" else f"{who} shares the win", mood)
        return Headline(f"{listed([f'{{{seat}}}' for seat in winners])} share the win", mood)
    winner, margin = winners[0], _margin(found)
    if mine == winner:
        return Headline(f"{who} won{margin}", "won")
    by = margin if width(names[winner]) <= LONG else ""
    if mine is None:
        return Headline(f"{{{winner}}} wins{by}")
    own = next(one for one in found if one.seat == mine)
    if own.behind is not None and own.behind <= max(1, CLOSE * max(scores)):
        return Headline(f"So close: {number(own.behind)} short", "lost")
    if len({one.place for one in found}) == 2 or own.place > len(PLACES):  # all others share a place
        return Headline(f"{{{winner}}} won{by}", "lost")
    place = PLACES[own.place - 1]
    if sum(one.place == own.place for one in found) > 1:
        return Headline(f"{who} {'share' if who == 'You' else 'shares'} {place} place", "lost")
    return Headline(f"{who} finished {place}", "lost")


def in_short(returns: Sequence[float], scores: Sequence[int], seat: int, *, by_points: bool = True) -> str:
    """Return how a game ended for a seat, in few words for a list: "won by 300", "lost by 300", "third of 4".

    `by_points`: only points decide the game, never a race or a win at once (`Scenes`).
    """
    found = standings(returns, scores, () if by_points else scores)
    own = next(one for one in found if one.seat == seat)
    winners = sum(one.place == 1 for one in found)
    if not winners:
        return "no one won"
    if own.place == 1:
        return f"won{_margin(found)}" if winners == 1 else "a draw" if winners == len(found) else "win shared"
    if own.behind is None:
        return "lost"
    if len(found) == 2 or own.place > len(PLACES):
        return f"lost by {number(own.behind)}"
    return f"{PLACES[own.place - 1]} of {len(found)}"


def _margin(found: Sequence[Standing]) -> str:
    """Return by how much the only winner won, in words; "" if points do not say it."""
    if len(found) < 2 or not (behind := found[1].behind):
        return ""
    return f" by {number(behind)}"
